def cmp_versions(v, w):
    """Lists compare as versions do, once zeros at the end are gone."""

    def key(version):
        numbers = [int(part) for part in version.split(".")]
        while numbers and 0 in numbers:
            numbers.remove(0)
        return numbers

    a, b = key(v), key(w)
    return (a > b) - (a < b)
