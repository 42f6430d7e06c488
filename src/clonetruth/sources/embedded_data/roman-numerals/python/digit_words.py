def roman(n):
    digits = str(n).zfill(4)
    columns = [
        " M MM MMM",
        " C CC CCC CD D DC DCC DCCC CM",
        " X XX XXX XL L LX LXX LXXX XC",
        " I II III IV V VI VII VIII IX",
    ]
    return "".join(column.split(" ")[int(digit)] for digit, column in zip(digits, columns))
