def binary_gcd(x, y):
    doublings = 0
    while x and y:
        if x % 2 == 0 and y % 2 == 0:
            x //= 2
            y //= 2
            doublings += 1
        elif x % 2 == 0:
            x //= 2
        elif y % 2 == 0:
            y //= 2
        elif x >= y:
            x = (x - y) // 2
        else:
            y = (y - x) // 2
    return (x or y) << doublings
