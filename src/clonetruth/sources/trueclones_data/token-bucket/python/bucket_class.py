def limiter(size, period, requests):
    bucket = Bucket(size, period)
    answers = []
    for request in requests:
        bucket.advance(request)
        answers.append(bucket.take())
    return answers


class Bucket:
    def __init__(self, size, period):
        self.size, self.period = size, period
        self.level, self.refills = size, 0

    def advance(self, time):
        while (self.refills + 1) * self.period <= time:
            self.refills += 1
            self.level = min(self.level + 1, self.size)

    def take(self):
        if self.level == 0:
            return -1
        self.level -= 1
        return self.level
