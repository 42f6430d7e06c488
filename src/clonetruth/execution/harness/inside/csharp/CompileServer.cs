// Runs inside the sandbox: mcs, loaded once, since its start takes longer than what it compiles.
//
// The arguments are those of mcs. A byte on standard input lets it compile; a byte on standard output says how that ended:
// '0' well, '1' not. The first one, 'R', says that it is ready. It compiles, and never runs or loads what it compiled.
using System;
using System.IO;
using System.Reflection;
using System.Runtime.InteropServices;

static class CompileServer {
    const int SetDumpable = 4;

    static int Main(string[] arguments) {
        // Programs that run later have the same user: none of them can look into this process, or write to it.
        if (prctl(SetDumpable, IntPtr.Zero, IntPtr.Zero, IntPtr.Zero, IntPtr.Zero) != 0) return 1;
        var asked = Console.OpenStandardInput();
        var answers = Console.OpenStandardOutput();
        Console.SetOut(TextWriter.Null);
        Console.SetError(TextWriter.Null);
        var compiler = Path.Combine(Path.GetDirectoryName(typeof(object).Assembly.Location), "mcs.exe");
        var invoke = (Func<string[], TextWriter, bool>) Delegate.CreateDelegate(typeof(Func<string[], TextWriter, bool>),
            Assembly.LoadFrom(compiler).GetType("Mono.CSharp.CompilerCallableEntryPoint", true).GetMethod("InvokeCompiler"));
        for (byte answer = (byte) 'R';;) {
            answers.WriteByte(answer);
            answers.Flush();
            if (asked.ReadByte() < 0) return 0;
            bool done = false;
            try {
                done = invoke((string[]) arguments.Clone(), TextWriter.Null);
            } catch (Exception) {
                // The plain command says what is wrong.
            }
            answer = (byte) (done ? '0' : '1');
        }
    }

    [DllImport("libc")]
    static extern int prctl(int option, IntPtr second, IntPtr third, IntPtr fourth, IntPtr fifth);
}
