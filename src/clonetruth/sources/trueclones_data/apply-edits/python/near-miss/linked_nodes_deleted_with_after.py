def run(lines, edits):
    nodes = [{"text": "", "live": False, "after": []}]
    nodes += [{"text": line, "live": True, "after": []} for line in lines]
    for edit in edits:
        at = ord(edit[0]) - ord("0")
        if at > len(lines):
            continue
        node, kind = nodes[at], edit[1]
        if kind == "+":
            node["after"].append(edit[2:])
        elif at:
            node["live"] = kind == "="
            node["text"] = edit[2:]
    out = []
    for node in nodes:
        if node["live"]:
            out.append(node["text"])
        if node["live"] or node is nodes[0]:
            out.extend(node["after"])
    return out
