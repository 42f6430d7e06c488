import string


def to_base64(data, for_url):
    alphabet = string.ascii_uppercase + string.ascii_lowercase + string.digits + ("-_" if for_url else "+/")
    bits = "".join(f"{byte:08b}" for byte in data)
    bits += "0" * (-len(bits) % 6)
    text = "".join(alphabet[int(bits[i : i + 6], 2)] for i in range(0, len(bits), 6))
    return text if for_url else text + "=" * (-len(text) % 4)
