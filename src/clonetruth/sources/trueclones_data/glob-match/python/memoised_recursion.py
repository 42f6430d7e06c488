from functools import lru_cache


def glob(pattern, path):
    @lru_cache(maxsize=None)
    def rest_matches(p, t):
        if p == len(pattern):
            return t == len(path)
        token = pattern[p]
        more = t < len(path)
        if token == "*":
            # leave the star, or let it take one more character
            return rest_matches(p + 1, t) or (more and path[t] != "/" and rest_matches(p, t + 1))
        if not more:
            return False
        same = path[t] != "/" if token == "?" else path[t] == token
        return same and rest_matches(p + 1, t + 1)

    return rest_matches(0, 0)
