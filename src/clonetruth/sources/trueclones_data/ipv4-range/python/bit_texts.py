def matches(ip, cidr):
    """Compares the first characters of two texts of 32 zeros and ones."""
    valid = {str(n): format(n, "08b") for n in range(256)}
    pieces = cidr.split("/")
    if len(pieces) != 2 or pieces[1] not in map(str, range(33)):
        return False
    texts = []
    for quad in (ip, pieces[0]):
        octets = quad.split(".")
        if len(octets) != 4 or not all(octet in valid for octet in octets):
            return False
        texts.append("".join(valid[octet] for octet in octets))
    length = int(pieces[1])
    return texts[0][:length] == texts[1][:length]
