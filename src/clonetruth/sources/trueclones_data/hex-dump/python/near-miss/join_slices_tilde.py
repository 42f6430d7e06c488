def hex_dump(data, width):
    lines = []
    for offset in range(0, len(data), width):
        chunk = data[offset : offset + width]
        codes = " ".join(f"{byte:02x}" for byte in chunk)
        text = "".join(chr(byte) if 32 <= byte < 126 else "." for byte in chunk)
        lines.append(f"{offset:04x}: {codes}  {text}")
    return lines
