"""The pretty-printer of Java methods, from tokens alone: see `brace_printer`.

Which names are types follows from the tokens around them: a name before another name, after ``new``, in a cast, between
angle brackets. Records, enumerations, interfaces, patterns and annotated types are left to the grammar.
"""

from __future__ import annotations

import re
from functools import cache

from clonetruth.code.brace_printer import (
    CASE,
    CATCH,
    DEFAULT,
    DO,
    ELSE,
    FINALLY,
    FOR,
    IF,
    ODD,
    SWITCH,
    SYNCHRONIZED,
    TRY,
    WHILE,
    BraceLayout,
    BraceTokens,
    UnsureError,
)
from clonetruth.code.language import Language, TokenKind
from clonetruth.code.parsing import source_bytes
from clonetruth.code.pretty import Printed

_NAME, _LITERAL, _PRIMITIVE, _CLASS, _NEW, _ARROW, _STATIC, _OPERATOR = b"ilpcNaAo"
_WORD, _YIELD, _TYPE_ARGUMENTS = b"wyg"
_BRACE, _PAREN, _END_PAREN, _SEMICOLON, _AT, _COLON, _LESS = b"{();@:<"
_TYPE = int(TokenKind.TYPE)

_CODES = {
    **{bytes([one]): one for one in b"(){}[];,.<>?:@&|="},
    **dict.fromkeys(b"boolean byte char short int long float double void".split(), _PRIMITIVE),
    **dict.fromkeys(b"public private protected abstract native transient volatile strictfp".split(), ord("q")),
    **dict.fromkeys(b"return throw assert break continue".split(), ord("R")),
    **dict.fromkeys(b"record sealed permits when".split(), _WORD),
    **dict.fromkeys(b"! ~".split(), ord("n")),
    **dict.fromkeys(b"enum interface package import const goto \\ \" ' # `".split(), ODD),
    **dict.fromkeys(b"++ --".split(), ord("u")),
    b"yield": _YIELD,
    b"final": ord("f"),
    b"static": _STATIC,
    b"synchronized": SYNCHRONIZED,
    b"default": DEFAULT,
    b"this": ord("t"),
    b"super": ord("h"),
    b"class": _CLASS,
    b"new": _NEW,
    b"extends": ord("e"),
    b"implements": ord("M"),
    b"throws": ord("r"),
    b"instanceof": ord("s"),
    b"if": IF,
    b"else": ELSE,
    b"for": FOR,
    b"while": WHILE,
    b"do": DO,
    b"switch": SWITCH,
    b"case": CASE,
    b"try": TRY,
    b"catch": CATCH,
    b"finally": FINALLY,
    b"->": _ARROW,
    b"::": ord("m"),
    b"...": ord("v"),
}
_BY_KIND = {
    TokenKind.IDENTIFIER: _NAME,
    TokenKind.OPERATOR: _OPERATOR,
    **dict.fromkeys(
        (TokenKind.NUMBER, TokenKind.STRING, TokenKind.CHARACTER, TokenKind.BOOLEAN, TokenKind.NULL), _LITERAL
    ),
}

# Regular expressions over codes. The names of annotations are `k`, type arguments `g`, once they are recognised.
_CHAIN = rb"ig*+(?:\.ig*+)*+"
_ANY_TYPE = rb"(?:p|" + _CHAIN + rb")(?:\[\])*+"
_ARGUMENT = rb"(?:\?(?:[eh]" + _ANY_TYPE + rb")?|" + _ANY_TYPE + rb")"
_ARGUMENTS = re.compile(rb"(?<=[i.])<(?:" + _ARGUMENT + rb"(?:," + _ARGUMENT + rb")*)?>")
_PARAMETER = rb"i(?:e" + _ANY_TYPE + rb"(?:&" + _ANY_TYPE + rb")*)?"
_PARAMETERS = re.compile(rb"<" + _PARAMETER + rb"(?:," + _PARAMETER + rb")*>")
_NOT_A_CALL = rb"(?<![i)\]ghktIFWSKZT])"
_BEFORE_CAST = rb"(?<![i\]ghktIFWSKZT])"  # another cast may be
_TYPES = re.compile(
    rb"|".join(
        (
            rb"(?<!\.)" + _CHAIN + rb"(?:\[\])*+(?=[iv]|\.c)",  # a declaration, `A.class`
            rb"(?<!\.)ig*+(?:\.ig*+)*+(?:\[\])++(?=m)|(?<!\.)(?:i\.)*+ig++(?=m)",  # `A[]::new`
            rb"(?<=N)" + _CHAIN,
            rb"sf?" + _CHAIN,
            rb"[reM]" + _ANY_TYPE + rb"(?:," + _ANY_TYPE + rb")*+",
            rb"K\(f?" + _CHAIN + rb"(?:\|" + _CHAIN + rb")*+",
            _BEFORE_CAST + rb"\(" + _ANY_TYPE + rb"(?:&" + _ANY_TYPE + rb")*+\)(?=[il(thNS])",  # a cast
        )
    )
)
_DOUBTFUL = re.compile(
    rb"x|(?<!\.)y|(?<!\.)w[iwcpqt@]"  # contextual keywords
    rb"|(?<!m)N[^ip]|N[ip.g]++@|\]@|s[^ipf]|sf?" + _CHAIN + rb"\("  # annotated types, patterns
    rb"|" + _NOT_A_CALL + rb"\(" + _CHAIN + rb"(?:\[\])*+\)n"
    # What cannot follow each other.
    rb"|[il\]t]l|l[itN]|\][tN]|\.[^iwyctNh<]|[=,(\[][=,.)](?<!\(\))|[o=][;)\]},]|;[,.\]=?]"
    rb"|(?<![s.])ii(?![=;,):\[({])|[ilp]p|p[(,;=]|[fq][,)=;]|[RIWFS][RN;,)](?<!RN|R;)"
)
_ANNOTATION = re.compile(rb"@i(?:\.i)*+")
_ANNOTATION_NAME = re.compile(rb"@k++")
_DECLARED = re.compile(rb"f?" + _ANY_TYPE + rb"i")
_METHOD = re.compile(rb"[qfAZB]*+(?:g*+" + _ANY_TYPE + rb")?i\(")
_AFTER_PARAMETERS = re.compile(rb"(?:\[\])*+(?:r" + _ANY_TYPE + rb"(?:," + _ANY_TYPE + rb")*+)?")
_MEMBER = re.compile(rb"[(=;{]")
_CREATED = re.compile(rb"N" + _CHAIN + rb"(?=\()")
_LOCAL_CLASS = re.compile(rb"[qfA]*+c")
_SIMPLE_START = frozenset(b"ilptfhuR(@N")


def printed_java(text: str, language: Language) -> Printed | None:
    """Pretty-print a method or constructor; None if only the grammar can."""
    texts, kinds, codes = _tokens(language).read(source_bytes(text))
    if _AT in codes:
        codes = _ANNOTATION.sub(lambda match: b"@".ljust(len(match[0]), b"k"), codes)
    if _DOUBTFUL.search(codes) is not None:
        return None
    try:
        return _JavaLayout(texts, kinds, codes.translate(_AS_NAMES)).laid_out()
    except (UnsureError, IndexError):
        return None


_AS_NAMES = bytes.maketrans(bytes([_WORD, _YIELD]), bytes([_NAME, _NAME]))


@cache
def _tokens(language: Language) -> BraceTokens:
    return BraceTokens(language, _CODES, _BY_KIND)


class _JavaLayout(BraceLayout):
    """Follows a method."""

    def laid_out(self) -> Printed:
        """See `BraceLayout.laid_out`."""
        if _LESS in self.codes:
            self._type_arguments()
        for match in _TYPES.finditer(self.codes):
            self._mark(*match.span())
        self._created = {match.end() for match in _CREATED.finditer(self.codes)}
        at = self.codes.find(_AT)
        while at >= 0:
            self.breaks[self._annotation(at)] += 1
            at = self.codes.find(_AT, at + 1)
        return super().laid_out()

    def _mark(self, first: int, last: int) -> None:
        """Mark the names between two positions as types."""
        codes, kinds = self.codes, self.kinds
        at = codes.find(_NAME, first, last)
        while at >= 0:
            kinds[at] = _TYPE
            at = codes.find(_NAME, at + 1, last)

    def _type_arguments(self) -> None:
        """Recognise type arguments, from the innermost ones."""
        while True:
            found = [match.span() for match in _ARGUMENTS.finditer(self.codes)]
            if not found:
                break
            for first, last in found:
                self._arguments(first, last)
        while (match := _PARAMETERS.search(self.codes)) is not None:
            if match.start() and self.codes[match.start() - 1] not in b"qfAZB})k;{":
                raise UnsureError
            self._arguments(*match.span())

    def _arguments(self, first: int, last: int) -> None:
        codes = self.codes
        after = codes[last] if last < len(codes) else 0
        before = codes[first - 1] if first else 0
        if before == _NAME:
            # `f(a < b, c > d)` looks like a declaration, and `a < b > (c)` like a new object.
            start = first - 1
            while codes[start - 1] in b".i":
                start -= 1
            if after == _PAREN and codes[start - 1] != _NEW:
                raise UnsureError
            if after == _NAME and b"," in codes[first:last] and codes[start - 1] in b"(," and not self._declares(start):
                raise UnsureError
            if after not in b"i([),>.vm{&|eM" and codes[start - 1] != ord("s"):
                raise UnsureError
        self._mark(first, last)
        self.codes = b"".join((codes[:first], b"g" * (last - first), codes[last:]))

    def _declares(self, position: int) -> bool:
        """Whether the parentheses around a position are those of parameters, or of the header of a loop."""
        codes, partner = self.codes, self.partner
        at = position - 1
        while codes[at] != _PAREN:
            at = partner[at] - 1 if codes[at] in b")]}" else at - 1
        after = codes[partner[at] + 1]
        return codes[at - 1] in (FOR, TRY) or after in b"{ar"

    def _annotation(self, position: int) -> int:
        """The position after an annotation."""
        match = _ANNOTATION_NAME.match(self.codes, position)
        if match is None:
            raise UnsureError
        return self.partner[match.end()] + 1 if self.codes[match.end()] == _PAREN else match.end()

    def _past_annotations(self, position: int) -> int:
        while self.codes[position] == _AT:
            position = self._annotation(position)
        return position

    def definition(self, position: int) -> int:
        """See `BraceLayout.definition`."""
        match = _METHOD.match(self.codes, self._past_annotations(position))
        if match is None:
            raise UnsureError
        position = self._after_parameters(match.end() - 1)
        if self.codes[position] != _BRACE:
            raise UnsureError
        return self.block(position)

    def _after_parameters(self, position: int) -> int:
        """The position after the parameters of a method and what it throws."""
        match = _AFTER_PARAMETERS.match(self.codes, self.partner[position] + 1)
        assert match is not None, "it may be empty"
        return match.end()

    def statement(self, position: int) -> int:
        """See `BraceLayout.statement`."""
        codes = self.codes
        code = codes[position]
        if code == _NAME:
            if codes[position + 1] == _COLON:
                return self._body(position + 2, breaks=False)
            return self.simple(position)
        if code == SYNCHRONIZED:
            position = self._braced(self._header(position + 1))
            self.breaks[position] += 1
            return position
        follow = self.followers.get(code)
        if follow is not None:
            return follow(self, position)
        first = self._past_annotations(position)
        if (match := _LOCAL_CLASS.match(codes, first)) is not None:
            return self._class(match.end())
        if codes[first] not in _SIMPLE_START:
            raise UnsureError
        return self.simple(first)

    def simple(self, position: int) -> int:
        """See `BraceLayout.simple`."""
        find = self.codes.find
        while True:
            end = find(_SEMICOLON, position)
            brace = find(_BRACE, position, end)
            if brace < 0:
                break
            position = self.brace(brace)
        if find(b"}", position, end) >= 0:
            raise UnsureError
        self.breaks[end + 1] += 1
        return end + 1

    def for_header(self, position: int) -> None:
        """See `BraceLayout.for_header`."""
        codes, end = self.codes, self.partner[position]
        if codes[position + 1] == _AT:
            raise UnsureError
        self.expression(position, end)
        semicolon = codes.find(_SEMICOLON, position, end)
        if semicolon < 0 or _DECLARED.match(codes, position + 1) is None:
            return
        if codes.find(_BRACE, position, semicolon) >= 0:
            raise UnsureError
        self.breaks[semicolon + 1] += 1

    def brace(self, position: int) -> int:
        """See `BraceLayout.brace`."""
        before = self.codes[position - 1]
        if before == _ARROW:
            return self.block(position)
        if before == _END_PAREN:
            opening = self.partner[position - 1]
            if opening in self._created:
                return self._class_body(position)
            if self.codes[opening - 1] == SWITCH:
                return self.choices(position)
        if before in b"=](,{":
            return self.values(position)
        raise UnsureError

    def case(self, position: int) -> int:
        """See `BraceLayout.case`."""
        codes = self.codes
        end = codes.find(_COLON, position)
        arrow = codes.find(_ARROW, position, end if end >= 0 else len(codes))
        if arrow < 0:
            if end < 0 or _BRACE in codes[position:end] or ord("?") in codes[position:end]:
                raise UnsureError
            self.breaks[end + 1] += 1
            return end + 1
        if codes[arrow + 1] == _BRACE:
            return self.block(arrow + 1)
        return self.simple(arrow + 1)

    def _class(self, position: int) -> int:
        """Follow a class, from its name; return the position after it."""
        return self._class_body(self.codes.index(_BRACE, position))

    def _class_body(self, position: int) -> int:
        position = self.block(position, self._member)
        self.breaks[position] += 2
        return position

    def _member(self, position: int) -> int:
        """Follow a member of a class; return the position after it."""
        codes, begin = self.codes, position
        first = self._past_annotations(position)
        if codes[first] == _BRACE or codes[first : first + 2] == b"A{":
            if first != begin:
                raise UnsureError
            self.breaks[begin] += 1
            position = self.block(first + (codes[first] == _STATIC))
            self.breaks[position] += 2
            return position
        if (match := _LOCAL_CLASS.match(codes, first)) is not None:
            return self._class(match.end())
        match = _METHOD.match(codes, first)
        if match is None:
            found = _MEMBER.search(codes, first)
            if found is None or found[0] not in b"=;":
                raise UnsureError
            return self.simple(first)
        position = self._after_parameters(match.end() - 1)
        if codes[position] == _BRACE:
            return self.block(position)
        if codes[position] != _SEMICOLON:
            raise UnsureError
        self.breaks[position + 1] += 2
        return position + 1
