"""What programs read is inferred from their texts, and inputs follow it."""

from __future__ import annotations

import re
from random import Random

import pytest

from clonetruth.execution.inputs.grammar_texts import GrammarWriter, ValueRange, signature
from clonetruth.execution.inputs.stdin_grammar import infer_grammar

NUMBERS = {
    "python": "n = int(input())\na = list(map(int, input().split()))\nprint(sum(a))",
    "java": """import java.util.*;
public class Main { public static void main(String[] args) { Scanner in = new Scanner(System.in);
  int n = in.nextInt(); int[] a = new int[n]; for (int i = 0; i < n; i++) { a[i] = in.nextInt(); } } }""",
    "cpp": "int main() { int n; cin >> n; vector<int> a(n); for (int i = 0; i < n; i++) cin >> a[i]; }",
    "c": 'int main() { int n, a[100]; scanf("%d", &n); for (int i = 1; i <= n; ++i) scanf("%d", &a[i]); }',
    "csharp": """class P { static void Main() { int n = int.Parse(Console.ReadLine());
  var a = Console.ReadLine().Split(' ').Select(int.Parse).ToArray(); } }""",
}


@pytest.mark.parametrize("language", NUMBERS)
def test_the_same_input_is_inferred_in_every_language(language: str) -> None:
    grammar = infer_grammar(NUMBERS[language], language)
    assert signature(grammar) == "number 0×(number)"
    for size in range(1, 6):
        numbers = GrammarWriter(grammar, Random(size)).write(ValueRange.SMALL, size).text.split()
        assert len(numbers) == 1 + int(numbers[0])
        assert all(1 <= int(one) <= 10 for one in numbers)


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        (
            "python",
            "t = int(input())\nfor _ in range(t):\n    n, k = map(int, input().split())\n",
            "number 0×(number number)",
        ),
        (
            "python",
            "def ni(): return int(input())\nn = ni()\nfor i in range(n - 1):\n    x = ni()\n",
            "number 0-1×(number)",
        ),
        (
            "cpp",
            "int main() { int t; cin >> t; while (t--) { string s; int k; cin >> s >> k; } }",
            "number 0×(word number)",
        ),
        ("c", 'int main() { char s[9]; double d; scanf("%s %lf", s, &d); }', "word decimal number"),
        (
            "java",
            "class A { static int read() { return in.nextInt(); } public static void main(String[] a) { solve(); }\n"
            "static void solve() { int h = in.nextInt(), w = in.nextInt(); for (int i = 0; i < h; i++)"
            " for (int j = 0; j < w; j++) { g[i][j] = in.nextInt(); } } }",
            "number number 0×(1×(number))",
        ),
        ("cpp", 'int main() { /* cin >> n; */ puts("cin >> n"); }', ""),
        ("cpp", "int main() { string w; while (std::cin >> w) count[w]++; }", "*×(word)"),
        ("c", 'int main() { int n, k; while (scanf("%d %d", &n, &k) == 2) print(n); }', "*×(number number)"),
        ("c", 'int main() { int n; while (scanf("%d", &n), n) print(n); }', "?×(number)"),
        ("java", "void main() { while (in.hasNextInt()) { int a = in.nextInt(); } }", "*×(number)"),
        ("python", "for line in sys.stdin:\n    a, b = map(int, line.split())\n", "*×(number number)"),
        ("go", "func main() {\n\tfor s.Scan() {\n\t\tfmt.Println(s.Text())\n\t}\n}", "*×(word)"),
    ],
)
def test_loops_helpers_and_comments(language: str, text: str, expected: str) -> None:
    assert signature(infer_grammar(text, language)) == expected


@pytest.mark.parametrize(
    ("language", "text", "form"),
    [
        ("c", """int main() { scanf("%d", &n); while (n--) { scanf(" %c %d", &kind, &x);
  if (kind == 'D') b += x; else if (kind == 'W') b -= x; } }""", "n:number n × (kind:D|W x:number)"),
        ("csharp", """static void Main() { int n = int.Parse(Console.ReadLine()); for (int i = 0; i < n; i++) {
  var p = Console.ReadLine().Split(' '); if (p[0] == "push") s.Push(int.Parse(p[1])); else if (p[0] == "pop") s.Pop();
  } }""", "n:number / n × (push|pop number /)"),
        ("python", """n = int(input())
for _ in range(n):
    parts = input().split()
    if parts[0] == "push":
        stack.append(int(parts[1]))
    elif parts[0] == "pop":
        stack.pop()
""", "n:number / n × (push|pop number /)"),
        ("java", """void main() { int q = in.nextInt(); while (q-- > 0) { String op = in.next();
  switch (op) { case "add": a++; break; case "sub": a--; } } }""", "q:number q × (op:add|sub)"),
        ("cpp", 'int main() { string s; while (cin >> s) if (s == "#") break; }', "* × (s:word)"),
    ],
)  # fmt: skip
def test_words_that_decide_what_is_done(language: str, text: str, form: str) -> None:
    grammar = infer_grammar(text, language)
    assert str(grammar) == form
    commands = set(re.findall(r"\w+(?=\|)|(?<=\|)\w+", form))
    written = " ".join(GrammarWriter(grammar, Random(one)).write(ValueRange.SMALL, 5).text for one in range(9)).split()
    assert commands <= set(written)
    assert not commands or all(one in commands or one.isdecimal() for one in written)


def test_a_word_behind_a_number_has_that_length() -> None:
    grammar = infer_grammar("n = int(input())\ns = input()", "python")
    for seed in range(8):
        number, word = GrammarWriter(grammar, Random(seed)).write(ValueRange.SMALL, 4).text.split()
        assert len(word) == int(number)


def test_values_outside_of_the_likely_domain_are_marked() -> None:
    grammar = infer_grammar("int main() { int a; cin >> a; }", "cpp")
    writer = GrammarWriter(grammar, Random(0))
    assert writer.write(ValueRange.SMALL, 1).likely
    found = [writer.write(one, 1) for one in (ValueRange.NEGATIVE, ValueRange.HUGE)]
    assert not any(one.likely for one in found)
    assert int(found[1].text) >= 10**6
