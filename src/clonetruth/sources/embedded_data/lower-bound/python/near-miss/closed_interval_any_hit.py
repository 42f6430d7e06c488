def search_left(arr, key):
    lo, hi = 0, len(arr) - 1
    answer = len(arr)
    while lo <= hi:
        mid = lo + (hi - lo) // 2
        if arr[mid] >= key:
            answer = mid
            hi = mid - 1 if arr[mid] > key else lo - 1
        else:
            lo = mid + 1
    return answer
