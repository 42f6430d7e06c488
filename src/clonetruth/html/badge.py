"""Badges: a name and a number in a small picture (SVG), for a README."""

from __future__ import annotations

from markupsafe import escape

_CHARACTER, _PADDING, _HEIGHT = 6.6, 6, 20
_COLOURS = ((0.8, "#2e7d32"), (0.65, "#8a6d00"), (0.0, "#8b2f2f"))
"""White text on each has a contrast of at least 4.5 to 1."""


def badge(name: str, text: str, value: float | None) -> str:
    """A badge as SVG text.

    Args:
        name: the left half.
        text: the right half.
        value: decides the colour, from 0.5 (chance) to 1; None for grey.
    """
    colour = "#555555" if value is None else next(shade for least, shade in _COLOURS if value >= least)
    left, right = (len(one) * _CHARACTER + 2 * _PADDING for one in (name, text))
    width = left + right
    title = escape(f"{name}: {text}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{_HEIGHT}" role="img" '
        f'aria-label="{title}"><title>{title}</title>'
        f'<rect width="{left:.0f}" height="{_HEIGHT}" fill="#333333"/>'
        f'<rect x="{left:.0f}" width="{right:.0f}" height="{_HEIGHT}" fill="{colour}"/>'
        f'<g fill="#ffffff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">'
        f'<text x="{left / 2:.1f}" y="14">{escape(name)}</text>'
        f'<text x="{left + right / 2:.1f}" y="14">{escape(text)}</text></g></svg>\n'
    )
