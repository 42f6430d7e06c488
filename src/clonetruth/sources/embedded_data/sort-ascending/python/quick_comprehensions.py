def quicksort(numbers):
    if len(numbers) <= 1:
        return numbers
    pivot, *rest = numbers
    smaller = [n for n in rest if n < pivot]
    larger = [n for n in rest if n >= pivot]
    return quicksort(smaller) + [pivot] + quicksort(larger)
