def split(numbers, chunks):
    size, extra = divmod(len(numbers), chunks)
    result = []
    start = 0
    for i in range(chunks):
        end = start + size + (1 if i >= chunks - extra else 0)
        result.append(numbers[start:end])
        start = end
    return result
