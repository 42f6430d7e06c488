def lookup(lines, section, key):
    values = {}
    current = None
    for raw in lines:
        line = raw.strip()
        if not line or line[0] in ";#":
            continue
        if line.startswith("[") and line.endswith("]"):
            current = line[1:-1].strip()
        elif "=" in line:
            name, value = line.split("=", 1)
            values.setdefault((current, name.strip()), value.strip())
    return values.get((section, key), "(missing)")
