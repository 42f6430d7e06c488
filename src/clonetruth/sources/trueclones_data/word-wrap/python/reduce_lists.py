from functools import reduce


def break_lines(paragraph, columns):
    def put(rows, word):
        *full, last = rows
        if last and sum(map(len, last)) + len(last) + len(word) > columns:
            return [*rows, [word]]
        return [*full, [*last, word]]

    rows = reduce(put, paragraph.split(), [[]])
    return [" ".join(row) for row in rows if row]
