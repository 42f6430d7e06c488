"""Values that often tell two pieces of code apart, and texts of kinds that code mentions."""

from __future__ import annotations

from collections.abc import Sequence

INTEGERS = (0, 1, 2, -1, 3, 5, 10, 7, 4, -5, 12, 100, 8, 6, 9, 13, 16, 17, 25, 121, 1000, -7, 153, 2024, 11, 99, 37)
FLOATS = (0.0, 1.0, -1.0, 0.5, 2.5, 3.7, -2.25, 10.0, 100.125, 1e-3, 9.99, 1e6, -1e4)
UNUSUAL_FLOATS = (float("nan"), float("inf"), float("-inf"))
"""For code that asks whether a number is one of them."""
DECIMALS = (
    "0", "1", "-1", "0.5", "2.50", "0.125", "1.005", "2.675", "-1.005", "0.1", "100.00", "0.045", "12345.6789", "9.99",
    "1E+3", "0.015", "-2.5",
)  # fmt: skip
"""Also those halfway between two shorter ones, which ways of rounding treat differently."""
TEXTS = (
    "", "a", "abc", "aba", "hello", "Hello World", "ab", "aa", "racecar", "12", "a1b2", "-42", "3.5", "  two  words ",
    "A man, a plan", "()", "([{}])", "(()", "1+2*3", "XIV", "0101", "aabbcc", "Zz", "x,y,z", "the quick brown fox",
    "listen", "silent", "\n", "é", "2024-02-29", "a.b.c", "user@example.com", "192.168.0.1", "A", "10", "abcabc",
)  # fmt: skip
INTEGER_LISTS = (
    (2, 1), (-1, 0), (1000, 1000, 7), (-3, -1, -2), (5, 5, 3, 5), (0, 0, 0), (1, 2, 3, 4), (-2, 1, -3, 4),
    (4, 3, 2, 1, 0),
)  # fmt: skip
"""Short lists of each shape: in order and not, below zero, with equal neighbours, which boxed numbers above 127 are not
by identity, and with means halfway between two whole numbers."""
CHARACTERS = "aAzZ09 b.x-Bé"
KEYS = ("a", "b", "c", "x", "key", "name", "id", "value")
FILE_NAMES = (
    "a.txt", "words.txt", "numbers.txt", "table.csv", "b.txt", "data.json", "empty.txt", "text.txt", "folder",
    "log.txt", "pairs.txt", "table.tsv", "folder/inner.txt", "config.ini", "code.py", "page.html", "folder/numbers.csv",
    "missing.txt", "data", ".", "new/folder", "folder/deep/leaf.txt",
)  # fmt: skip
"""What code finds in its working folder, where a language offers files, and some names that are not there."""
FILES = (
    r"\bopen\s*\(|\bos\.(path|walk|listdir|mkdir|makedirs|remove|rename|stat|scandir)\b|\bshutil\.|\bglob\.|\bPath\("
)
SPOKEN: Sequence[tuple[str, Sequence[str]]] = (
    (FILES, FILE_NAMES),
    (r"date|month|year|day|strptime",
     ("2024-02-29", "2023-12-31", "1999-01-01", "29/02/2024", "12/31/1999", "2023-2-30")),
    (r"time|hour|minute|second|clock|duration|3600",
     ("12:30:45", "00:00", "7:05", "23:59:59", "1:05 PM", "23:59", "12:00AM", "1h30m", "90s", "45m")),
    (r"e-?mail|@", ("user@example.com", "a.b@c.org", "no-at.com", "@x.y", "a@b", "x@y@z.com")),
    (r"url|http|domain", ("http://example.com/a?b=1", "https://www.x.org", "ftp://h/p", "example.com")),
    (r"\bip\b|ipv4|address|octet", ("192.168.0.1", "256.1.1.1", "1.2.3", "0.0.0.0", "255.255.255.255", "01.2.3.4")),
    (r"bracket|paren|balanc|[\"'][(\[{][\"']", ("()", "([{}])", "(()", "([)]", "{[]}()", ")(", "((a+b)*c)", "[", "")),
    (r"json|dict|parse", ('{"a": 1}', "[1, 2]", "{}", '{"a": {"b": [1]}}', "null")),
    (r"roman|[\"']M?CM[\"']|[\"']XL[\"']", ("XIV", "MCMXCIV", "IX", "III", "LVIII", "XL", "MMXXIV", "CD")),
    (r"binary|0b|\bbin\b|bits?\b", ("1010", "0", "1", "0b101", "1111", "10000000", "0011")),
    (r"hex|0x|colou?r|rgb", ("ff", "0x1A", "#ffcc00", "DEADBEEF", "7f", "#FFF")),
    (r"csv|comma|[\"'],[\"']", ("a,b,c", "1,2,3", ",", "x, y ,z", "a,,b")),
    (r"[\"']=[\"']", ("a=1", "x = 2", "key=value", "a=1\nb=2", "a=1&b=2", "# c=3\nd= 4", "e==5", "=")),
    (r"isbn", ("0306406152", "080442957X", "0306406153", "9780306406157", "0-306-40615-2", "030640615X")),
    (r"luhn|card|checksum|isbn|% 10\b", ("79927398713", "18", "0", "59", "4539148803436467", "91", "1234567", "80")),
    (r"phone|digit", ("555-1234", "(123) 456-7890", "1234567890", "12a34", "007")),
    (r"version|[\"']\.[\"']", ("1.2.3", "1.10", "1.0.0", "2", "0.1.01")),
    (r"path|folder|[\"']/[\"']", ("/a/b/c", "a/../b", "/", "//x//", "./x", "/home/user/file.txt")),
    (r"xml|html|tag", ("<a>b</a>", "<br/>", "<a><b></a></b>", "a < b", "&amp;")),
    (r"\bint\(|float\(|isdigit|isnumeric|parseInt|number|atoi|stoi",
     ("12", "-7", "3.5", "0", "1e3", "+5", "0042", " 8 ")),
    (r"expr|calc|token|operator|[\"'][+*][\"']",
     ("1+2*3", "3 4 +", "2 * (3 + 4)", "10 / 2", "7", "1 - 2 - 3", "+ 1 2")),
    (r"code.?point|surrogate|charCount|\bord\(|charCodeAt",
     ("a\U0001f600b", "\U00010000", "\U0001f600\U0001f601", "\uffff", "x\uffff\U00010000", "é\U0001f600")),
    (r"Array\.from\(\s*\w+\s*[,)]|split\([\"']{2}\)|\[\.\.\.\w+\]|\[\](?:rune|byte)\(|\.reverse\(",
     ("a\U0001f600b", "\U0001f600\U0001f601", "né", "x\U0001f600y z")),
    (r"unicodedata|normali[sz]er?\b|\bcombining\b|\bNF(?:K?[CD])\b",
     ("Crème brûlée", "naïve x", "éa", "e\u0301a", "\u00c5ngstr\u00f6m", "\ufb01n\u00b2x", "\u212b")),
    (r"casefold|equalsIgnoreCase", ("Straße", "STRASSE", "ß", "ss", "\u017f", "S", "\u03c2", "\u03a3")),
    (r"palindrom", ("racecar", "abba", "Abba", "A man a plan", "noon!", "abca", "éxé")),
    (r"\bcomplex\b", ("1j", "1+2j", "j")),
    (r"pangram|alphabet|==\s*26\b",
     ("The quick brown fox jumps over the lazy dog", "abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrstuvwxy")),
    (r"anagram|permut", ("listen", "silent", "aab", "aba", "abc", "cab")),
    (r"vowel|consonant|aeiou", ("education", "rhythm", "AEIOU", "Why", "sky")),
    (r"word|sentence|split|capital|title",
     ("the quick brown fox", "Hello, World! Hello", "one  two", " a b ", "it's a test")),
    (r"caesar|cipher|shift|encode|decode|rot", ("xyz", "Hello, World!", "AbZ", "attack at dawn")),
    (r"camel|snake|underscore", ("helloWorld", "HelloWorldTest", "snake_case_name", "_x", "HTTPServer", "a_B")),
    (r"rle|run.?length|compress|groupby", ("aaabbc", "a", "aabbaa", "3a2b1c", "wwwwaaadexxxxxx")),
)  # fmt: skip
"""Texts of a kind, and what in the code mentions it."""
