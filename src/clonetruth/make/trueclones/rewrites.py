"""Rewrites that keep what code does: other forms of loops, guards, comparisons and returns, helpers and constants.

Each draws edits at one site, as the operators of `clonetruth.code.mutation` do, some of which are used here, too. That
behaviour is kept is what they are meant for, not what is believed: every variant is executed afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from random import Random

import tree_sitter

from clonetruth.code import language
from clonetruth.code.language import TokenKind
from clonetruth.code.mutation import OPERATORS, EditSites, mutate_at
from clonetruth.code.mutation.edit_sites import Edit, Edits, draw, fresh_names

Rewrite = Callable[[EditSites, Random], Edits]

_BINARY = ("binary_expression", "comparison_operator")
_MIRRORED = {
    b"<": b">", b"<=": b">=", b">": b"<", b">=": b"<=", b"==": b"==", b"!=": b"!=", b"===": b"===", b"!==": b"!==",
}  # fmt: skip
_AUGMENTED = ("augmented_assignment", "augmented_assignment_expression", "assignment_expression")
_BLOCKS = ("block", "statement_block", "constructor_body", "compound_statement")
_FUNCTIONS = ("function_definition", "method_declaration", "function_declaration", "local_function_statement")
_LEAST_NUMBER = 2
_RESULT = {"python": b"%s = %s", "java": b"var %s = %s;", "csharp": b"var %s = %s;", "cpp": b"const auto %s = %s;"}
_CONSTANT = {
    "python": b"%s = %s", "java": b"final int %s = %s;", "csharp": b"const int %s = %s;", "cpp": b"const int %s = %s;",
}  # fmt: skip
"""How a result and a number get a name (default: as in JavaScript)."""


def _text(sites: EditSites, node: tree_sitter.Node) -> bytes:
    return sites.text((node.start_byte, node.end_byte))


def _one_of(choices: Sequence[Edits], rng: Random) -> Edits:
    return [edit for edits in draw([one for one in choices if one], rng) for edit in edits]


def mirror_comparison(sites: EditSites, rng: Random) -> Edits:
    """`a < b` becomes `b > a`."""
    choices: list[Edits] = []
    for node in sites.nodes(*_BINARY):
        if node.child_count != 3 or (sign := _text(sites, node.children[1])) not in _MIRRORED:
            continue
        left, right = (_text(sites, node.children[at]) for at in (0, 2))
        choices.append([Edit(node.start_byte, node.end_byte, b"%s %s %s" % (right, _MIRRORED[sign], left))])
    return _one_of(choices, rng)


def spell_out_assignment(sites: EditSites, rng: Random) -> Edits:
    """`x += y` becomes `x = x + (y)`."""
    choices: list[Edits] = []
    for node in sites.nodes(*_AUGMENTED):
        if node.child_count != 3 or node.children[0].type != "identifier":
            continue
        sign = _text(sites, node.children[1])
        if sign in (b"+=", b"-=", b"*="):
            name, value = _text(sites, node.children[0]), _text(sites, node.children[2])
            choices.append([Edit(node.start_byte, node.end_byte, b"%s = %s %s (%s)" % (name, name, sign[:1], value))])
    return _one_of(choices, rng)


def count_by_assignment(sites: EditSites, rng: Random) -> Edits:
    """`i++` as a statement or step becomes `i += 1`."""
    choices: list[Edits] = []
    for node in sites.nodes("update_expression"):
        whole = node.parent is not None and node.parent.type in ("expression_statement", "for_statement")
        text = _text(sites, node)
        name = text.strip(b"+-")
        if whole and name.decode().isidentifier():
            choices.append(
                [Edit(node.start_byte, node.end_byte, b"%s %s= 1" % (name, b"+" if b"++" in text else b"-"))]
            )
    return _one_of(choices, rng)


def name_result(sites: EditSites, rng: Random) -> Edits:
    """`return f(x)` becomes a variable that is returned."""
    name = next(fresh_names(sites, rng)).encode()
    declared = _RESULT.get(sites.language.name, b"const %s = %s;")
    end = b"" if sites.language.indent_blocks else b";"
    choices: list[Edits] = []
    for node in sites.nodes("return_statement"):
        values = [child for child in node.named_children if not child.is_extra]
        indentation = sites.indentation(node.start_byte)
        in_block = node.parent is not None and node.parent.type in _BLOCKS
        if len(values) == 1 and values[0].type != "identifier" and in_block and indentation is not None:
            text = declared % (name, _text(sites, values[0])) + b"\n" + indentation + b"return " + name + end
            choices.append([Edit(node.start_byte, node.end_byte, text)])
    return _one_of(choices, rng)


def by_de_morgan(sites: EditSites, rng: Random) -> Edits:
    """`if (a && b)` becomes `if (!(!(a) || !(b)))`, and the other way round."""
    python = sites.language.indent_blocks
    words = {b"and": b"or", b"or": b"and", b"&&": b"||", b"||": b"&&"}
    no = b"not " if python else b"!"
    choices: list[Edits] = []
    for node in sites.nodes("if_statement", "while_statement"):
        condition = node.child_by_field_name("condition")
        if condition is not None and condition.type == "parenthesized_expression":
            condition = condition.named_children[0] if condition.named_child_count == 1 else None
        if (
            condition is None
            or condition.child_count != 3
            or (sign := _text(sites, condition.children[1])) not in words
        ):
            continue
        left, right = (_text(sites, condition.children[at]) for at in (0, 2))
        text = b"%s(%s(%s) %s %s(%s))" % (no, no, left, words[sign], no, right)
        choices.append([Edit(condition.start_byte, condition.end_byte, text)])
    return _one_of(choices, rng)


def else_after_guard(sites: EditSites, rng: Random) -> Edits:
    """What follows `if (c) return x;` becomes its else branch."""
    choices: list[Edits] = []
    for node in sites.nodes("if_statement"):
        body = node.child_by_field_name("consequence")
        block = node.parent
        if body is None or block is None or block.type not in _BLOCKS or node.children_by_field_name("alternative"):
            continue
        inside = [child for child in body.named_children if not child.is_extra] if body.type in _BLOCKS else [body]
        following = [one for one in block.named_children if one.start_byte >= node.end_byte]
        indentation = sites.indentation(node.start_byte)
        if not inside or inside[-1].type not in ("return_statement", "throw_statement", "raise_statement"):
            continue
        if following and indentation is not None:
            rest = sites.text((node.end_byte, following[-1].end_byte))
            deeper = rest.replace(b"\n", b"\n    ")
            if sites.language.indent_blocks:
                text = b"\n" + indentation + b"else:" + deeper
            else:
                text = b" else {" + deeper + b"\n" + indentation + b"}"
            choices.append([Edit(node.end_byte, following[-1].end_byte, text)])
    return _one_of(choices, rng)


def for_as_while(sites: EditSites, rng: Random) -> Edits:
    """`for (init; condition; step)` becomes a `while` loop in a separate block."""
    choices: list[Edits] = []
    for node in sites.nodes("for_statement"):
        fields = [node.child_by_field_name(name) for name in ("condition", "body")]
        condition, body = fields
        step = node.child_by_field_name("update") or node.child_by_field_name("increment")
        start = node.child_by_field_name("init") or node.child_by_field_name("initializer")
        if condition is None or body is None or step is None or start is None or body.type not in _BLOCKS:
            continue
        indentation = sites.indentation(node.start_byte)
        if indentation is None or b"continue" in _text(sites, body):
            continue
        inner = _text(sites, body)[1:-1].rstrip()
        lines = [
            b"{",
            b"    %s;" % _text(sites, start).rstrip(b";"),
            b"    while (%s) {" % _text(sites, condition).rstrip(b";"),
        ]
        after = [b"        %s;" % _text(sites, step), b"    }", b"}"]
        joint = b"\n" + indentation
        text = joint.join(lines) + inner.replace(b"\n", b"\n    ") + joint + joint.join(after)
        choices.append([Edit(node.start_byte, node.end_byte, text)])
    return _one_of(choices, rng)


def name_constant(sites: EditSites, rng: Random) -> Edits:
    """A number gets a name at the beginning of the function."""
    function = next(iter(sites.nodes(*_FUNCTIONS)), None)
    body = function.child_by_field_name("body") if function is not None else None
    if body is None or not body.named_children:
        return []
    first = next((one for one in body.named_children if not one.is_extra and not _is_text(one)), None)
    indentation = sites.indentation(first.start_byte) if first is not None else None
    numbers = [
        token
        for token, following in pairwise(sites.tokens)
        if token.kind is TokenKind.NUMBER
        and token.text.isdigit()
        and int(token.text) >= _LEAST_NUMBER
        and body.start_byte <= token.start < body.end_byte
        # A number before a colon may be a key of an object, which a name would change.
        and (following.text != ":" or sites.language.indent_blocks)
    ]
    if first is None or indentation is None or not numbers:
        return []
    token = rng.choice(numbers)
    name = next(fresh_names(sites, rng)).encode()
    declared = _CONSTANT.get(sites.language.name, b"const %s = %s;")
    return [
        Edit(first.start_byte, first.start_byte, declared % (name, token.text.encode()) + b"\n" + indentation),
        Edit(token.start, token.start + len(token.text), name),
    ]


def _is_text(statement: tree_sitter.Node) -> bool:
    """Whether a statement is a docstring."""
    return statement.type == "expression_statement" and statement.named_children[0].type == "string"


def call_through(sites: EditSites, rng: Random) -> Edits:
    """The function becomes a helper that a new one calls with the same arguments."""
    found = sites.nodes(*_FUNCTIONS)
    function = found[0] if found else None
    fields = [function.child_by_field_name(one) for one in ("name", "parameters", "body")] if function else []
    if function is None or any(one is None for one in fields):
        return []
    name, parameters, body = fields
    assert name is not None
    assert parameters is not None
    assert body is not None
    names = []
    for one in parameters.named_children:
        own = one.child_by_field_name("name") if one.type == "formal_parameter" else one
        own = one.named_children[0] if one.type == "typed_parameter" else own
        if own is None or own.type != "identifier":
            return []
        names.append(_text(sites, own))
    whole = sites.whole_lines((function.start_byte, function.end_byte))
    if whole is None and sites.text((sites.parsed.start, function.start_byte)).strip():
        return []
    helper = next(fresh_names(sites, rng)).encode()
    header = sites.text((function.start_byte, body.start_byte)).rstrip()
    call = b"%s(%s)" % (helper, b", ".join(names))
    if sites.language.indent_blocks:
        text = header + b"\n    return " + call + b"\n\n\n"
    elif b"void " in header:
        return []
    else:
        text = header + b" {\n    return " + call + b";\n}\n\n"
    return [Edit(function.start_byte, function.start_byte, text), Edit(name.start_byte, name.end_byte, helper)]


def _by_operator(name: str) -> Rewrite:
    """An operator of `code.mutation`, at one site; whole texts are replaced, since it checks what it gives."""

    def edits(sites: EditSites, rng: Random) -> Edits:
        mutant = mutate_at(sites, OPERATORS[name], rng)
        return [] if mutant is None else [Edit(sites.parsed.start, sites.parsed.end, mutant.text.encode())]

    return edits


RENAMING = "mSRI_A"
REWRITES: Mapping[str, Rewrite] = {
    "mirrored comparison": mirror_comparison,
    "spelt-out assignment": spell_out_assignment,
    "counting by assignment": count_by_assignment,
    "named result": name_result,
    "De Morgan": by_de_morgan,
    "else after a guard": else_after_guard,
    "while instead of for": for_as_while,
    "named constant": name_constant,
    "helper": call_through,
    "reordered declarations": _by_operator("mRDs"),
    "reordered statements": _by_operator("mROs"),
    "swapped branches": _by_operator("mCR"),
    "without a comment": _by_operator("mCC_R"),
    "line break": _by_operator("mCF_A"),
}
"""What a variant can be rewritten by, besides new names."""


def rewritten(text: str, name: str, rng: Random, edits: int) -> tuple[str, list[str]]:
    """A text with new names, and a number of rewrites that are all different, as far as there are sites for them.

    Args:
        text: the fragment.
        name: its language.
        rng: draws rewrites, sites and names.
        edits: number of rewrites besides the new names.

    Returns:
        The text, and the names of what was done.
    """
    done: list[str] = []
    kinds = list(REWRITES)
    rng.shuffle(kinds)
    for kind in kinds:
        if len(done) == edits:
            break
        sites = EditSites.of(text, language(name))
        if not sites.sound:
            break
        changed = sites.edited(found) if (found := REWRITES[kind](sites, rng)) else text
        if changed != text and EditSites.of(changed, language(name)).sound:
            text = changed
            done.append(kind)
    renamed = mutate_at(EditSites.of(text, language(name)), OPERATORS[RENAMING], rng)
    return (text, done) if renamed is None else (renamed.text, [*done, "new names"])
