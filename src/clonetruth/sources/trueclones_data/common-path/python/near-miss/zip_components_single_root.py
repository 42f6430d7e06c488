def common(paths):
    if len(paths) == 1:
        return paths[0]
    shared = []
    for parts in zip(*(path.split("/") for path in paths)):
        if len(set(parts)) > 1:
            break
        shared.append(parts[0])
    return "/" if shared == ["", ""] and all(paths) else "/".join(shared)
