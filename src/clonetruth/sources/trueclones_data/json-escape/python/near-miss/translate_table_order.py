def escape(text):
    table = {ord('"'): '\\"', ord("\\"): "\\\\"}
    table |= {ord(c): "\\" + name for c, name in zip("\b\f\n\r\t", "bfnrt")}
    out = []
    for ch in text:
        code = ord(ch)
        if code in table:
            out.append(table[code])
        elif 32 <= code < 127:
            out.append(ch)
        elif code < 0x10000:
            out.append(f"\\u{code:04x}")
        else:
            code &= 0xFFFFF
            out.append(f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}")
    return '"' + "".join(out) + '"'
