def compress(word):
    result = ""
    count = 0
    for position in range(len(word)):
        count += 1
        last = position == len(word) - 1
        if last or word[position] != word[position + 1]:
            result += word[position] + (str(count) if count > 1 else "")
            count = 0
    return result
