def b64(data):
    import base64

    return base64.b64encode(bytes(data)).decode("ascii")
