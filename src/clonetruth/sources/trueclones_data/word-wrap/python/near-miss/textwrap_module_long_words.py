import textwrap


def wrap(text, width):
    return textwrap.wrap(" ".join(text.split()), width, break_long_words=True, break_on_hyphens=False)
