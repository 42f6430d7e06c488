def fill(template, names, values):
    out = ""
    i = 0
    while i < len(template):
        two = template[i : i + 2]
        if two == "{{" or two == "}}":
            out += two[0] if two == "{{" else two
            i += 2
            continue
        if template[i] == "{":
            end = i + 1
            while end < len(template) and "a" <= template[end] <= "z":
                end += 1
            name = template[i + 1 : end]
            if name and template[end : end + 1] == "}" and name in names and names.index(name) < len(values):
                out += values[names.index(name)]
                i = end + 1
                continue
            if name and template[end : end + 1] == "}":
                out += template[i : end + 1]
                i = end + 1
                continue
        out += template[i]
        i += 1
    return out
