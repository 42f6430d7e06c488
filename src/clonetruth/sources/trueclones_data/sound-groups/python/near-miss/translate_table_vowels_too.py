import re


def sound_groups(names):
    codes = [code(name.upper()) for name in names]
    return [codes.index(one) for one in codes]


def code(name):
    digits = name.translate(str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123012-02245501262301-202"))
    digits = digits[0] + digits[1:].replace("-", "").replace("0", "")
    digits = re.sub(r"(.)\1+", r"\1", digits)[1:].replace("0", "")
    return name[0] + (digits + "000")[:3]
