import csv


def fields(line):
    if line == "":
        return [""]
    return next(csv.reader([line]))
