"""Texts that are hard to scan, by language: `SAME` are those on which scanner and tree agree, `DOUBTFUL` those that the
scanner leaves to the parser."""

from __future__ import annotations

SAME: dict[str, tuple[str, ...]] = {
    "python": (
        "def f(): pass\n",
        "def f(): pass;\n",
        "def f(): pass; x=1 # c\n# d\nx\n",
        "def f():\n  pass\n  # a\n    # b\n # c\n  # d\n",
        "class A:\n  def f(self):\n    if x:\n      pass\n    # c\n\n    # d\n  # e\n  def g(self): pass\n",
        "@a\n# c\n@b(1,\n 2)\nasync def f(x:int=3)->int:\n    '''doc\n  x'''\n",
        "def f():\n\tif x:\n\t\treturn 1\n\t# x\n\n\n",
        "if a:\n  def f(): return 1\nelse:\n  def f():\n    def g(): pass\n    class B:\n"
        "      def h(self): pass\n    return g\n",
        "def f(x):\r\n  return x # e\r\n  # g\r\n",
        "def f():\n  x = [1,\n2]\n  return x\\\n  +1\n",
        "x = f'{a[\"b\"]}'\ndef f(): return f\"{x['a']}\"\n",
        "def f():\n  '''\n  '''\n\n\ndef g():\n    pass\n#",
        "def f(\n  a): # c\n  # d\n  return 1 # e",
        "def f():\n    x = 1 ; # a\n    # b\ny = 2\n",
        "match x:\n  case 1:\n    def f(): pass\n",
        "print 'a'\ndef f(): print x, y\n",
        "def f():\n    return 1\n\n  # odd\n\n    # in\nx=1\n",
        "class A: pass\ndef f(): return lambda x: x\n",
        "def f():\n  return 1\n\f\ndef g(): pass\n",
        "type X = int\ndef f[T](x: T) -> T: return x\n",
        "\n\n  # c\ndef f():\n      # first\n  return 2\n",
        's = """\ndef g(): pass\n"""\ndef f():\n  return r"\\n" + b\'#\' # )\n',
    ),
    "go": (
        "package a\nfunc f(a int, b func(x int) struct{}) (x int, e error) {\n return\n}\n// c\nvar h = func() {\n}\n"
        "func asm(x int)\nfunc (T) k() map[string]struct{ A int } {\n}\ntype I interface {\n\tM()\n}\n",
        "package a; func f() {}\n",
        "package a\nfunc main() { x := `\n{` + '{' \n}\n",
        "package a\nfunc _() {}\nfunc (_ *b) s() func() error { return nil }\n"
        "func x[T interface{ ~int }](a T) (<-chan int) {\n}\n",
        "// +build x\n\npackage a\nfunc (r *T[K, V]) string() {}\nfunc new() {}\n",
    ),
    "c": (
        "FOO int f(void) { }\n",
        "int f() MACRO { }\nint g() MACRO(x) { }\n",
        "int f(a, b) int a; char *b; { }\n",
        "int f(void) __attribute__((noreturn)) { }\n__attribute__((x)) int g(void) { }\n",
        "static __attribute__((x)) int f(void) { }\n",
        "LUA_API int lua_x (int a) { }\nFOO static int f(int x) { }\n",
        "typedef struct x { int a; } y; y *f(y *a) { return a; }\n",
        "ngx_int_t\nngx_f(ngx_log_t *log)\n{\n}\nint **g() {}\n",
        'const struct a *const *f(void) {}\nextern "C" {\nint g(void) {}\n}\nextern "C" int h(void) {}\n',
        "int f(void) {}; int g(void) {}\nenum a h(void) { } union b i(void) { }\n",
        "#define A(x) do { \\\n  x } \\\n while\nint f(void)\n{\n#ifdef A\n  g();\n#else\n  h();\n#endif\n}\n",
        "int a[] = { 1, f(2) };\nstatic struct x y = { .f = g, };\n"
        "int f(int (*g)(int), char c) { char d = '{'; return '\"'; }\nenum { A, B };\n"
        "typedef struct { int (*f)(void); } s;\ns *g(s *a) { do { } while (0); return a; }\n",
        "/* a { */ // b { \\\n c {\nint f(void) { }\n",
        "struct a { int x; };\nstruct a *f(struct a *x, ...) { return x; }\nint g(a) struct a *a; { return 1; }\n"
        "int h(a, b)\n  char *a;\n  int b;\n{ return 1; }\n",
        "int x; int f(void) { } int y;\n#error don't do it\nint g(void) { }\n",
    ),
    "cpp": (
        "int f() { return 1; }\n"
        "[[nodiscard]] static constexpr auto g(int x) noexcept(true) -> decltype(x) { return x; }\n",
        "template <class T, int N = (1 > 0)> struct A<T*> final : B<T>, public c::D {\n A() noexcept : b{1}, c(2) {}\n"
        " explicit A(int x) try : B<T>(x) { } catch (...) { }\n ~A() override {}\n"
        " operator bool() const { return a < b; }\n"
        " T operator()(int a) const & { return a; }\n private: A(A&&) = default; friend int h(A a) { return 1; }\n};\n",
        'namespace a::b { inline namespace c { namespace { int f() {} } } }\nextern "C" { int g() {} }\n'
        'extern "C" int h() {}\n',
        "void A::f() const { g(); }\nA::A() : x(1), B<int>{2} {}\nA::~A() {}\n"
        "std::vector<std::vector<int>> a::B<T>::g(int) {}\n"
        "bool operator==(const A& a, const A& b) { return a.x == b.x; }\nA& A::operator=(const A&) { return *this; }\n",
        "TEST_F(Suite, name) { int x(); }\nTEST(A, b) {}\nTYPED_TEST(C, d) { struct E { int k() { return 1; } }; }\n",
        "void f() { auto l = [&](int x) { struct B { int k() {} }; return [x] { return x; }; }; }\n"
        "int a[] = {1, 2};\nstd::vector<int> v{1, 2};\nenum class E : int { A, B };\nint g() { }\n",
        'const char* s = R"x(}"{ int f() {)x";\nint f() { return R"({)"[0] + u8R"y(\n})y"[0]; }\n'
        "char c = '{'; int n = 1'000;\n",
        'MATCHER_P(a, b, "text") { return x; }\nTEST_CASE("text") { f(); }\nint f() { return 1; }\n',
        "template <class K, class C>\nstruct S<K, C>::Node {\n explicit Node(const K& k) : key(k) {}\n Node() {}\n};\n",
        "#define A(x) { \\\n x\n#ifdef B\nint f() { return 1; }\n#else\nint f() { return 2; }\n#endif\n",
        "class A { void f() EXCLUSIVE_LOCKS_REQUIRED(mu_) { x(); }\n void g() ASSERT_EXCLUSIVE_LOCK() {}\n"
        " int x GUARDED_BY(mu_); };\n",
        "template <typename T> T f(T a) { return a; }\ntemplate <> int f<int>(int a) { return a; }\n"
        "template <class... T> void g(T&&... t) {}\n",
        "int f() try { g(); } catch (const E& e) { h(); } catch (...) { }\nstruct { int g() { return 1; } } x;\n",
        "typedef struct A { int x; int f() { return x; } } A;\nunion U { int i; U() {} };\n"
        "unsigned long long const *g(void) { return 0; }\n",
        "using F = int (*)(int);\nauto f = [](int x) { return x; };\n"
        "struct alignas(8) A { A* next = nullptr; int g{3}; int h() { return g; } };\n",
    ),
    "javascript": (
        "export default function () { }\nexport const f = async (a) => { return 1 };\n",
        "const f = x => x + 1\nconst g = (a) =>\n  a\n  .b()\nfoo()\n",
        "a.b.c = function d() { }\nexports.a = exports.b = function () { }\n",
        "var a = { b: function () { }, c() { }, async *d() { }, get e() { return 1 }, 'f': () => 1, [g]: () => 2, "
        "['h']() { }, 3() {} }\n",
        "class A extends B { static a = () => { }; #p() { } static async b() { } constructor() { } get [x]() { } "
        "f = function() {}\n g = 1; static { } }\n",
        "const A = class { m() { } }\nfoo(function bar() { })\nnew (class Foo { m() { } })\n",
        "let a = 1, B = class { m() { } }, C = class { n() { } }\nf(a, D = class { o() { } })\n"
        "let e = 2\ng = 1, E = class { p() { } }\n",
        "a(() => {" * 40 + "function f() { }" + "})" * 40,
        "function f() { return () => { class A { m() { x(() => { }) } } } }\n",
        "(function () {\n  function f() { return () => 1 }\n  class A { m() { } }\n"
        "  it(async (t) => { t.f(x => x) })\n})()\n",
        "(function () { function a() { } class C { m() { } } })()\n",
        "this.x = () => ({ y() { } })\na[b].c(d).e = function* () { }\na['b'] = function () { }\n",
        "let f = function () { } || g\nlet h = async function () { }, i = () => 1, j\n"
        "x = y ? function () { } : () => 2\n",
        "function* gen(a, b = () => 1, { c }) { }\nif (a) { function b() { } }\na.b ||= function () { }\n",
        "const f = (a) => b, c\na = b => c => d\nlet g = (x) => { }\n(1)\n",
        "const f = () => a ? b : c\n, g = 1\nconst h = () => a\n? b\n: c; i = () => a; // c\n",
        "const {a = () => 1} = b;\nfunction f(a = function g() {}) { }\ndelete a.b, c = () => 2\n",
        "a().b = () => 1\n;(a || b).c = () => 1\nnew X().c = () => 1\n",
        "var o = { get: function() { }, set() { }, async: 1, static() { }, async foo() { }, async() { } }\n",
        "var r = /[/'\"]{/g, t = `a${b ? `{${c}` : '}'}`;\nfunction f() { return x / 2 / y; }\n"
        "const g = s => /\\/{/.test(s)\nf()\n",
        "#!/usr/bin/env node\n'use strict'\n"
        "module.exports = { a, b: async function () { }, c: async () => { await x }, "
        "catch() { }, delete(a) { if (a) { } } }\n",
        "export class A { a() { if (x) { y() } for (;;) { } switch (x) { case 1: { } } while (1) { } "
        "try { } catch (e) { } } get b() { return { c() { }, d: () => 1 } } }\n"
        "export const h = { f: x => ({ a: 1 }), g: function g() { } }\n",
        "var f = function () { }.bind(this)\nvar g = (function () { return 1 })()\n",
        "const a = b\n  ? c => d\n  : e => f\nconst g = h => i\n++j\n",
        "let x = y\n/foo/g.exec(z)\nfunction f() { return `\n}` }\nfunction g() { }\n",
        "const { a, b = function () { } } = c\nconst [d = () => 1] = e\nfoo(g = () => 1)\n",
        "export default { data() { return {} }, methods: { a() { }, async b() { } } }\n",
        "class A { x = 1\n y = () => { }\n static z = function () { }\n 'w'() { }\n async *v() { } }\n",
        "if (x) f = () => 1; else g = () => 2\nfor (const x of y) { z.w = () => x }\n",
    ),
    "typescript": (
        "export const f = <T,>(x: T): Array<Map<A, B>> => x as T[];\nconst g = async <T extends A = B>(x?: T) => x!\n",
        "class A<T> extends B<T> implements C, D<E> {\n  private readonly foo?: (a: B) => C = (a) => a!;\n"
        "  baz?(x?: T): asserts x is T { return }\n  [k: string]: any;\n  get q(): number { return 1 }\n"
        "  #p<U>(this: A<T>, ...r: U[]): void { }\n  static { }\n  declare x: T; y!: T\n  set z(v) { }\n}\n",
        "namespace A.B { export function z(): { a: T } { } }\ndeclare module 'm' { function f(): void }\n"
        "declare global { interface Window { f(): void } }\nmodule M { class C { m() { } } }\n",
        "function o(a: string): void;\nfunction o(a: number): void\nfunction o(a: any): void { }\n"
        "declare function d(f: () => void): () => void\n",
        "abstract class A { abstract m(): void\n  abstract get x(): { y: () => void };\n  m2(): void;\n  m2(a?) { }\n"
        "  protected abstract readonly p: (a: A) => void\n  async *g(): AsyncGenerator<A, void> { } }\n",
        "interface X<T = {}> extends Y<T>, Z { f(): () => void; new (a: A): B; (b): c; readonly [k: string]: () => T "
        "}\n"
        "type T1<U> = U extends (infer V)[] ? (a: V) => U : { a: () => U }\ntype T2 = | 'a' | `b${string}`\n"
        "type T3 = { [K in keyof U]-?: (a: U[K]) => void }; enum E { A = 1, B = A << 2 }\nconst enum F { X }\n"
        "function f() { }\n",
        "@Component({ data() { return 1 }, f: () => 2 })\nexport class A {\n  @Input() x: () => void = () => { }\n"
        "  @a.b<T>(c) @d private m(@Inject(X) y: Y) { }\n  constructor(private readonly a: A, public b?: B) { }\n}\n",
        "const a = <any>b, c = <T>(d: T) => <U>d\nconst e = f<A, B>(g), h = i < j && k > (l)\n"
        "for (let i: number = 0; i<n; i++) { }\nnew Map<string, () => void>()\nconst m = () => new Set<A>\nm()\n",
        "const o = { a<T>(x: T): T { return x }, get b(): B { return 1 }, c: (d): e is F => d ? e : f, async *g(): H "
        "{ } }"
        " satisfies I as J\nconst k = { l: (x as any) ? y : z, m: () => n as O\n}\n",
        "switch (a) { case b ? c : d: { break } case e(f): g(); default: { const h = (i: I): J => i } }\n"
        "label: for (;;) { }\nlet p: { a: B }, [q]: C[] = r, { s }: D = t\n",
        "const f: (a: A) => B = (a) => a\nlet g: typeof f | (new () => C)[] = function (): void { }\n"
        "x.y = function <T>(this: T): asserts this is U { }\nexport default function <T>(a: T): void { }\n",
        "const f = (a): ((b: T) => R) => { return 1 }\nconst g = (a): (b: T) => R => h\nconst h = (): void => { }\n",
        "class A { readonly get: B\n  commit() { }\n  namespace(a) { } type: string\n  module = 1\n  get = x?.get\n"
        "  foo() { }\n"
        "  public static async bar(): Promise<void> { }\n  override readonly = () => 1; declare() { } static<T>(a: T) "
        "{ } }\n",
        "export { a as catch, b as function, type c as d }\nimport type { T } from 't'\nimport * as ns from 'n'\n"
        "const as = 1, type = 2, is = 3\nconst k = () => a.await\nconst l = () => p.delete!\n"
        "some(x, module => module)\n",
        "const f = (a: A): a is `${number}x` | `${B}` => { }\nfoo(() => { const C = class { m() { } } as any })\n",
        "class X extends (y as any) { z() { } }\nreturn_ = (x: T) => { return a! as B }\nif (a) !b\n"
        "const c = d! < e!\n",
        "try { } catch (e: unknown) { }\nconst f = (x: A<B<C<D>>>, y = x ? 1 : 2): D | undefined => x?.y ?? z\n",
        "let a = b as unknown as { c: () => void }\nconst d = (e: E) => e as F<G, H>\n"
        "let u: unique symbol; let v: readonly A[]\n"
        "function assertIsString(val: any): asserts val is string { }\nconst w = (x: abstract new () => Y) => x\n",
    ),
    "tsx": (
        'const A = (p: P) => <div className="x" on={() => 1} {...p}>it\'s {a ? <b/> : null} // </div>;\n'
        "function f() { }\n",
        "const g = <T,>(x: T): JSX.Element => { return (<><A.B<T> render={(y: T) => <i>{y}</i>} /></>) }\n"
        "function h() { }\n",
        "class A extends React.Component<P, S> { state: S = { a: 1 }\n"
        "  render() { return <Foo a='{' b={`}`}>{/* } */}</Foo> }\n"
        "  private f = (e: E<H>) => this.setState({ a: e.b < 2 }) }\n",
        "export default function F({ a, b }: { a: A; b?: () => void }) { return a < b && <p>&lt; {\n b } don't</p> }\n",
        'const h = <T extends U>(x: T) => x\nconst i = a ? <b>c</b> : <d e="f > g" />\nconst j = k as L\n'
        "function m() { }\n",
    ),
}

DOUBTFUL: dict[str, tuple[str, ...]] = {
    "python": (
        "def f(:\n  pass\n",
        "This is a text, not a program.\n",
        "def f():\n    a\n  b\n",
        "def f():\n  a = 'b\n",
        "x = 1\n    y = 2\n",
        "@a\nx = 1\n",
    ),
    "go": ("func f() {}\n", "package a\nfunc (r *T) g[X any](a X) {}\n", "package a\nfunc f() {\n"),
    "c": (
        "main() { return 1; }\n",
        "FOO(x)\nstatic int f() { }\n",
        "TEST_F(Suite, name) { x(); }\n",
        "int (*f(int a))(int) { }\nint (g)(int a) { }\n",
        "int f(void)\n#ifdef A\n{ }\n#else\n{ }\n#endif\n",
        "#if A\nint f(int a) {\n#else\nint f(long a) {\n#endif\n return 1; }\n",
        "A B C f() { }\n",
        "int f(void) { \n",
    ),
    "cpp": (
        "MATCHER_P(a, b) { return x; }\n",
        'TEST_CASE("text") { CAPTURE(x) { f(); } }\n',
        "END_NAMESPACE\n\nTEST(a, b) { f(); }\n",
        "template <class T> requires C<T> int f() { }\n",
        "int f() MACRO(x) { }\n",
        "MACRO class A : B { int f() { } };\n",
        "int f()\n#ifdef A\n{ }\n#else\n{ }\n#endif\n",
        "#if A\nint f(int a) {\n#else\nint f(long a) {\n#endif\n return 1; }\n",
        "template <int N = a < b> int f() { }\n",
        "int (*f(int a))(int) { }\n",
        "static const T x[] {\n#define A(x) {x},\n};\n",
        "int f() { \n",
        "A B C f() { }\n",
    ),
    "javascript": (
        "class A { @dec() m() { } }\n",
        "const f = () => <div>it's</div>\n",
        "function f() {\n",
        "x = `a${\nfunction f() { }\n",
    ),
    "typescript": (
        "const a = b ? (c) : d => e;\n",
        "function f(): void {\n",
        "const x: = 1;\nfunction f() { }\n",
        "x = a < b > (c)\n",
    ),
    "tsx": ("const f = () => <div>\n", "const a = <any>b\n", "const f = <a>{</a>\n"),
}
