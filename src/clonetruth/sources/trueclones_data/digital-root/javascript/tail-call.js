const root = (n, base, steps = 0) => (n < base ? [n, steps] : root(digitSum(n, base), base, steps + 1))

const digitSum = (n, base) => (n === 0 ? 0 : (n % base) + digitSum(Math.floor(n / base), base))
