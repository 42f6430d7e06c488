import ipaddress


def belongs(address, network):
    _, slash, length = network.partition("/")
    if not slash or str(length) != length.lstrip("0") and length != "0" or "." in length:
        return False
    try:
        return ipaddress.IPv4Address(address) in ipaddress.IPv4Network(network, strict=True)
    except ValueError:
        return False
