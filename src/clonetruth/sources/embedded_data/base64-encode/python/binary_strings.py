import string


def to_base64(octets):
    """Writes all bits in a row and cuts the row into pieces of six."""
    signs = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"
    row = "".join(f"{octet:08b}" for octet in octets)
    pieces = [row[i : i + 6].ljust(6, "0") for i in range(0, len(row), 6)]
    padding = "=" * (-len(pieces) % 4)
    return "".join(signs[int(piece, 2)] for piece in pieces) + padding
