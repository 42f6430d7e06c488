import re


def snake(text):
    text = re.sub(r"([a-z])([A-Z])", r"\1_\2", text)
    text = re.sub(r"([A-Z])([A-Z][a-z])", r"\1_\2", text)
    return "_".join(re.split("[ _-]+", text.strip(" _-"))).lower()
