import base64


def encode(data, for_url):
    raw = bytes(data)
    if for_url:
        return base64.urlsafe_b64encode(raw).decode("ascii").strip()
    return base64.b64encode(raw).decode("ascii")
