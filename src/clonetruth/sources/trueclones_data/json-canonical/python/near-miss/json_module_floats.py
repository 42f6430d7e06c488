import json


def canonical(text):
    def refuse(_):
        raise ValueError("not a whole number")

    try:
        value = json.loads(text, parse_constant=refuse)
    except ValueError:
        return "error"
    return json.dumps(value, sort_keys=True, separators=(",", ":"))
