def columns(line):
    """Cut at every comma, then glue together what a quoted field has lost."""
    result = []
    pending = None
    for piece in line.split(","):
        pending = piece if pending is None else pending + "," + piece
        if pending.count('"') % 2 == 0:
            result.append(_unquote(pending))
            pending = None
    return result


def _unquote(field):
    if field.startswith('"'):
        field = field[1:-1]
    return field.replace('""', '"')
