def biggest_slice_sum(nums):
    n = len(nums)
    sums = [sum(nums[i:j]) for i in range(n) for j in range(i + 1, n + 1)]
    return max(sums, default=0)
