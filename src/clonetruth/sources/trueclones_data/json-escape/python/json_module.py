import json


def quote(text):
    return json.dumps(text, ensure_ascii=True)
