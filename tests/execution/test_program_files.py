"""Programs that read and write files use standard input and output instead."""

from __future__ import annotations

import pytest

from clonetruth.execution.harness import CallInput, Code, Harnesses
from clonetruth.execution.harness.program_files import with_standard_streams
from clonetruth.execution.sandbox import Bubblewrap
from tests.execution.sandboxed import needs_sandbox

JAVA = """import java.io.*;
import java.util.Scanner;
public class Main {
  public static void main(String args[]) throws IOException {
    Scanner in = new Scanner(new File("A-small.in"));
    PrintWriter out = new PrintWriter(new FileWriter(new File(args[1])));
    int n = in.nextInt();
    System.out.println("working");
    out.println(n * 2);
    out.close();
  }
}"""
PYTHON = 'f = open("a.in")\ng = open("a.out", "w")\nprint("working")\ng.write(str(int(f.readline()) * 2))\ng.close()\n'
C = """#include <stdio.h>
int main() { int n; FILE *f = fopen("a.in", "r"), *g = fopen("a.out", "w");
  fscanf(f, "%d", &n); printf("working"); fprintf(g, "%d", n * 2); fclose(g); return 0; }"""
CPP = """#include <fstream>
#include <iostream>
using namespace std;
int main() { ifstream in("a.in"); ofstream out("a.out"); int n; in >> n; cout << "working";
  out << n * 2; out.close(); }"""
CSHARP = """using System; using System.IO;
class P { static void Main() { using (StreamReader r = new StreamReader("a.in"))
  using (var w = new StreamWriter("a.out")) { int n = int.Parse(r.ReadLine()); Console.WriteLine("working");
  w.WriteLine(n * 2); } } }"""
PROGRAMS = {"java": JAVA, "python": PYTHON, "c": C, "cpp": CPP, "csharp": CSHARP}

JAVA_REDIRECTED = """import java.io.*;
import java.util.Scanner;
public class Main {
  public static void main(String[] args) throws IOException {
    System.setIn(new FileInputStream(new File("A.in")));
    System.setOut(new PrintStream(new FileOutputStream(new File("A.out"))));
    System.out.println(new Scanner(System.in).nextInt() * 2);
  }
}"""

JAVA_CAUGHT = """import java.io.*;
public class Main {
  static class Scanner {
    final BufferedReader from;
    Scanner(Reader reader) { from = new BufferedReader(reader); }
    int nextInt() throws IOException { return Integer.parseInt(from.readLine()); }
  }
  static void solve(String name) throws FileNotFoundException, IOException {
    PrintStream log = new PrintStream(new ByteArrayOutputStream());
    Scanner in = new Scanner(new FileReader("A.in"));
    PrintWriter out = new PrintWriter(new File(name));
    out.println(in.nextInt() * 2);
    out.close();
  }
  static PrintWriter opened() {
    try { return new PrintWriter("A.out"); } catch (FileNotFoundException e) { return null; }
  }
  public static void main(String[] args) throws IOException { solve("A.out"); }
}"""


@needs_sandbox
@pytest.mark.parametrize(("language", "text"), [*PROGRAMS.items(), ("java", JAVA_REDIRECTED), ("java", JAVA_CAUGHT)])
def test_a_file_is_the_input_and_the_other_the_output(language: str, text: str) -> None:
    code = with_standard_streams(Code(text, language))
    with Harnesses(Bubblewrap()) as harnesses:
        harness = harnesses.get(language)
        assert harness is not None
        run = harness.run(code, [CallInput(stdin="21\n")])
    assert run.undecided is None, run.detail
    assert run.observations[0].output.strip() == "42"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("python", "def load(path):\n    return open(path).read()\n"),
        ("java", 'class A { int size() { return (int) new File("a").length(); } }'),
        ("c", "int twice(int n) { return 2 * n; }"),
    ],
)
def test_functions_are_left_alone(language: str, text: str) -> None:
    code = Code(text, language)
    assert with_standard_streams(code) is code
