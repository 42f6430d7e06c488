import ast


def value_of(expression):
    # the parser does not accept leading zeros
    cleaned = ""
    previous = ""
    for i, ch in enumerate(expression):
        if ch == "0" and not previous.isdigit() and expression[i + 1 : i + 2].isdigit():
            continue
        cleaned += ch
        previous = ch
    return walk(ast.parse(cleaned, mode="eval").body)


def walk(node):
    if isinstance(node, ast.Constant):
        return node.value
    left, right = walk(node.left), walk(node.right)
    if isinstance(node.op, ast.Add):
        return left + right
    if isinstance(node.op, ast.Sub):
        return left - right
    return left * right
