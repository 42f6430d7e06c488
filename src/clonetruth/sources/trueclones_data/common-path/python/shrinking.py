def base(paths):
    candidate = paths[0] if paths else ""
    for path in paths[1:]:
        while not covers(candidate, path):
            if "/" not in candidate:
                return ""
            candidate = candidate.rsplit("/", 1)[0]
    if candidate == "" and paths and all(path.startswith("/") for path in paths):
        return "/"
    return candidate


def covers(start, path):
    return path == start or path.startswith(start + "/")
