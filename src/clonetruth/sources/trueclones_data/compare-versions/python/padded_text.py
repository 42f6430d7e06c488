def version_order(first, second):
    # Five groups of twelve digits: the order of the texts is the order of the versions.
    keys = []
    for version in (first, second):
        groups = version.split(".")
        groups += ["0"] * (5 - len(groups))
        keys.append("".join(group.rjust(12, "0") for group in groups))
    if keys[0] == keys[1]:
        return 0
    return 1 if keys[0] == max(keys) else -1
