def next_number(number):
    lowest = number & -number
    ripple = number + lowest
    ones = (number ^ ripple) // lowest >> 2
    return ripple | ones
