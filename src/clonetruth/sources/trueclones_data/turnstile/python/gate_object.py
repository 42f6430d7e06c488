def simulate(events):
    gate = Gate()
    for event in events:
        getattr(gate, {"c": "coin", "p": "push", "r": "reset"}[event])()
    return gate.visitors


class Gate:
    def __init__(self):
        self.visitors = 0
        self.reset()

    def reset(self):
        self.coins = []
        self.failures = 0

    @property
    def blocked(self):
        return self.failures >= 3

    def coin(self):
        if not self.blocked and len(self.coins) < 3:
            self.coins.append("coin")

    def push(self):
        if self.blocked:
            return
        if self.coins:
            self.coins.pop()
            self.visitors += 1
            self.failures = 0
        else:
            self.failures += 1
