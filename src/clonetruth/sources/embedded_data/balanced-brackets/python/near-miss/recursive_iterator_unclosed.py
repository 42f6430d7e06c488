def nested_correctly(expression):
    characters = iter(expression)
    return group_ends_with(characters, None)


def group_ends_with(characters, closing):
    for c in characters:
        if c in ")]}":
            return c == closing
        if c == "(" and not group_ends_with(characters, ")"):
            return False
        if c == "[" and not group_ends_with(characters, "]"):
            return False
        if c == "{" and not group_ends_with(characters, "}"):
            return False
    return True
