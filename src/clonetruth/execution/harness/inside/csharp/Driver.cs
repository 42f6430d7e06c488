// Runs inside the sandbox, compiled together with one fragment: says how the fragment can be called, and calls it.
// The job comes on standard input, what happened goes to descriptor 3, a line for each call that begins with the nonce.
using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Numerics;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Text;
using System.Threading;

namespace ClonetruthDriver {
    static class Program {
        const BindingFlags All = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static
            | BindingFlags.DeclaredOnly;
        const int Stack = 4 << 20;
        const int Channel = 3;
        const int Patience = 5;
        static string nonce;

        static int Main() {
            CultureInfo.DefaultThreadCurrentCulture = CultureInfo.InvariantCulture;
            Thread.CurrentThread.CurrentCulture = CultureInfo.InvariantCulture;
            var job = (Dictionary<string, object>) Json.Parse(new StreamReader(Console.OpenStandardInput(), Encoding.UTF8).ReadToEnd());
            nonce = (string) job["nonce"];
            var own = Assembly.GetExecutingAssembly().GetTypes().Where(one => one.Namespace != "ClonetruthDriver"
                && !one.Name.Contains("<")).OrderBy(one => one.MetadataToken).ToList();
            if (!job.ContainsKey("owner")) {
                Say(new Dictionary<string, object> {{"methods", own.SelectMany(Described).ToList()}});
                return 0;
            }
            var owner = Types.Closed(own.First(one => one.FullName == (string) job["owner"]));
            var maker = owner.GetConstructors(All).FirstOrDefault(one => one.MetadataToken.ToString() == (string) job["maker"]);
            var token = int.Parse((string) job["token"]);
            var method = owner.GetMethods(All).First(one => one.MetadataToken == token);
            var stdins = (List<object>) job["stdins"];
            var seconds = int.Parse((string) job["milliseconds"]);
            var calls = (List<object>) job["calls"];
            for (int at = 0; at < calls.Count; at++) {
                var found = new Dictionary<string, object>();
                var output = new Capped();
                Console.SetOut(output);
                Console.SetError(TextWriter.Null);
                Console.SetIn(new StringReader((string) stdins[at]));
                var thread = new Thread(() => Call(owner, maker, (List<object>) job["settable"], method, (List<object>) calls[at], found), Stack);
                thread.CurrentCulture = CultureInfo.InvariantCulture;
                thread.IsBackground = true;
                if (!Ended(thread, seconds)) {
                    // A thread that does not end would go on beside the next call.
                    Say(new Dictionary<string, object> {{"ended", "timed out"}, {"output", output.Text()}});
                    return 0;
                }
                found["output"] = output.Text();
                Say(found);
            }
            return 0;
        }

        // A call has its time on the processor, which others use, too: by the clock it may take some times as long, unless
        // it does nothing but wait.
        static bool Ended(Thread thread, int milliseconds) {
            long started = (long) clock(), before = started;
            thread.Start();
            for (int turn = 0; turn < Patience; turn++) {
                if (thread.Join(milliseconds)) return true;
                long used = (long) clock();
                if (used - started >= milliseconds * 1000L || used - before < 1000) return false;
                before = used;
            }
            return false;
        }

        static void Say(object said) {
            var bytes = Encoding.ASCII.GetBytes(nonce + " " + Json.Write(said) + "\n");
            for (int done = 0; done < bytes.Length;) {
                var rest = done == 0 ? bytes : bytes.Skip(done).ToArray();
                int count = (int) write(Channel, rest, (IntPtr) rest.Length);
                if (count <= 0) Environment.Exit(1);
                done += count;
            }
        }

        // Mono opens only the descriptors that it made itself.
        [DllImport("libc")]
        static extern IntPtr write(int descriptor, byte[] bytes, IntPtr count);

        // Microseconds of the processor that this process has used.
        [DllImport("libc")]
        static extern IntPtr clock();

        static IEnumerable<object> Described(Type owner) {
            if (owner.IsInterface || owner.IsEnum || typeof(Delegate).IsAssignableFrom(owner)) yield break;
            var fields = Types.Fields(owner).Select(one => (object) Forms.Name(one)).Distinct().ToList();
            var settable = owner.GetFields(All).Where(one => one.IsPublic && !one.IsStatic && !one.IsInitOnly)
                .Select(one => (object) new List<object> {one.Name, Types.Written(one.FieldType, 1, new List<Type> {owner})})
                .Concat(owner.GetProperties(All).Where(one => one.GetIndexParameters().Length == 0 && one.GetSetMethod(false) != null && !one.GetSetMethod(false).IsStatic)
                .Select(one => (object) new List<object> {one.Name, Types.Written(one.PropertyType, 1, new List<Type> {owner})})).ToList();
            var shown = owner.GetProperties(All).Where(one => one.GetIndexParameters().Length == 0 && one.GetGetMethod(false) != null
                && !one.GetGetMethod(false).IsStatic).Select(one => (object) one.Name).ToList();
            foreach (var method in owner.GetMethods(All).Cast<MethodBase>().Concat(owner.GetConstructors(All)).OrderBy(one => one.MetadataToken)) {
                if (method.IsAbstract || method.IsSpecialName && !method.IsConstructor || method.Name.Contains("<")) continue;
                if (method.IsConstructor && method.IsStatic) continue;
                yield return new Dictionary<string, object> {
                    {"owner", owner.FullName}, {"name", method.Name}, {"static", method.IsStatic},
                    {"token", method.MetadataToken.ToString()}, {"open", method.IsPublic || method.IsAssembly},
                    {"says", method is MethodInfo && ((MethodInfo) method).ReturnType != typeof(void)}, {"fields", fields}, {"shown", shown}, {"settable", settable},
                    {"parameters", method.GetParameters().Select(one => (object) new List<object> {
                        one.Name, Types.Written(one.ParameterType, 0, new List<Type>()), one.IsOptional}).ToList()}};
            }
        }

        // A method, or something that is read like a field, of an object, by name and number of arguments.
        static object Further(object self, List<object> one) {
            var given = one.Count > 1 ? (List<object>) one[1] : new List<object>();
            var property = one.Count == 1 ? self.GetType().GetProperty((string) one[0], All) : null;
            if (property != null) return property.GetValue(self, null);
            var method = self.GetType().GetMethods(All).FirstOrDefault(each => each.Name == (string) one[0] && each.GetParameters().Length == given.Count);
            if (method == null) throw new InvalidCastException("no method " + one[0]);
            if (method.ContainsGenericParameters) {
                method = method.MakeGenericMethod(method.GetGenericArguments().Select(each => Types.Standing(each, given)).ToArray());
            }
            var parameters = method.GetParameters();
            return method.Invoke(self, given.Select((each, at) => Arguments.Make(each, Types.Plain(parameters[at].ParameterType))).ToArray());
        }

        static object Receiver(Type owner, ConstructorInfo maker, List<object> settable, Dictionary<string, object> history) {
            var made = history == null ? new List<object>() : (List<object>) history["made"];
            object self;
            if (maker == null || made.Count == 0) self = Arguments.Created(owner);
            else {
                var taken = maker.GetParameters();
                self = maker.Invoke(made.Select((one, at) => Arguments.Make(one, Types.Plain(taken[at].ParameterType))).ToArray());
            }
            for (int at = 0; maker == null && at < made.Count && at < settable.Count; at++) {
                var property = owner.GetProperty((string) settable[at], All);
                var field = owner.GetField((string) settable[at], All);
                if (property != null) property.SetValue(self, Arguments.Make(made[at], property.PropertyType), null);
                else field.SetValue(self, Arguments.Make(made[at], field.FieldType));
            }
            if (history != null) foreach (List<object> one in (List<object>) history["before"]) Further(self, one);
            return self;
        }

        static void Call(Type owner, ConstructorInfo maker, List<object> settable, MethodInfo method, List<object> forms, Dictionary<string, object> found) {
            try {
                var first = forms.Count > 0 ? forms[0] as Dictionary<string, object> : null;
                var history = first != null && first.ContainsKey("receiver") ? (Dictionary<string, object>) first["receiver"] : null;
                if (history != null) forms = forms.Skip(1).ToList();
                if (method.ContainsGenericParameters) {
                    method = method.MakeGenericMethod(method.GetGenericArguments().Select(one => Types.Standing(one, forms)).ToArray());
                }
                var parameters = method.GetParameters();
                var values = new object[parameters.Length];
                for (int at = 0; at < values.Length; at++) {
                    values[at] = at < forms.Count ? Arguments.Make(forms[at], Types.Plain(parameters[at].ParameterType)) : parameters[at].DefaultValue;
                }
                var receiver = method.IsStatic ? null : Receiver(owner, maker, settable, history);
                var before = Json.Write(values.Select(one => Forms.Of(one)).ToList());
                object returned = method.Invoke(receiver, values);
                if (history != null && history["after"] != null) returned = Further(receiver, (List<object>) history["after"]);
                found["returned"] = Forms.Of(returned);
                var after = values.Select(one => Forms.Of(one)).ToList();
                if (Json.Write(after) != before) found["changed"] = after;
            } catch (TargetInvocationException error) {
                Raised(error.InnerException, found);
            } catch (OutOfMemoryException) {
                found["ended"] = "out of memory";
            } catch (ThreadAbortException) {
                found["raised"] = "ThreadAbortException";
            } catch (Exception error) {
                Raised(error, found);
            }
        }

        static void Raised(Exception error, Dictionary<string, object> found) {
            while (error is TypeInitializationException && error.InnerException != null) error = error.InnerException;
            found.Remove("returned");
            if (error is OutOfMemoryException) found["ended"] = "out of memory";
            else found["raised"] = error.GetType().Name;
        }
    }

    class Capped : TextWriter {
        const int Most = 100000;
        readonly StringBuilder kept = new StringBuilder();
        public Capped() : base(CultureInfo.InvariantCulture) { CoreNewLine = new[] {'\n'}; }
        public override Encoding Encoding { get { return Encoding.UTF8; } }
        public override void Write(char one) { lock (kept) if (kept.Length < Most) kept.Append(one); }
        public override void Write(string text) {
            lock (kept) if (text != null && kept.Length < Most) kept.Append(text, 0, Math.Min(text.Length, Most - kept.Length));
        }
        public string Text() { lock (kept) return kept.ToString(); }
    }

    static class Types {
        static readonly Dictionary<Type, string> Scalars = new Dictionary<Type, string> {
            {typeof(int), "int32"}, {typeof(long), "int64"}, {typeof(short), "int16"}, {typeof(sbyte), "int8"}, {typeof(uint), "uint32"},
            {typeof(ulong), "uint64"}, {typeof(ushort), "uint16"}, {typeof(byte), "uint8"}, {typeof(double), "float64"},
            {typeof(float), "float32"}, {typeof(decimal), "decimal"}, {typeof(bool), "bool"}, {typeof(string), "str"}, {typeof(char), "char"},
            {typeof(BigInteger), "int"}, {typeof(StringBuilder), "str"}, {typeof(object), "int32"}, {typeof(IComparable), "int32"},
            {typeof(DateTime), "datetime"}, {typeof(TimeSpan), "duration"}};

        // A class that takes types, with the one that stands for them.
        public static Type Closed(Type type) {
            return type.ContainsGenericParameters ? type.MakeGenericType(type.GetGenericArguments().Select(one => typeof(int)).ToArray()) : type;
        }

        public static Type Plain(Type type) { return type.IsByRef ? type.GetElementType() : type; }

        // A type in the notation of the host; "none" if no value can be made.
        public static string Written(Type type, int depth, List<Type> above) {
            type = Plain(type);
            if (type.IsGenericParameter) return "int32";
            if (Scalars.ContainsKey(type)) return Scalars[type];
            var inner = Nullable.GetUnderlyingType(type);
            if (inner != null) return Written(inner, depth, above) + "?";
            if (type.IsEnum) return Enum.GetNames(type).Length == 0 ? "none" : Simple(type) + "<" + string.Join(", ", Enum.GetNames(type)) + ">";
            if (type.IsArray && type.GetArrayRank() == 1) return Around("list", depth, above, type.GetElementType());
            if (type.IsGenericType) {
                var given = type.GetGenericArguments();
                var name = type.Name.Substring(0, type.Name.IndexOf('`'));
                if (name.Contains("Dictionary") && given.Length == 2) return Around("map", depth, above, given);
                if (name.Contains("Set")) return Around("set", depth, above, given);
                if (name == "KeyValuePair" || name == "Tuple" || name == "ValueTuple") return Around("tuple", depth, above, given);
                if (new[] {"List", "IList", "ICollection", "IEnumerable", "IReadOnlyList", "IReadOnlyCollection", "Queue", "Stack",
                    "LinkedList", "Collection"}.Contains(name)) return Around("list", depth, above, given);
            }
            if (typeof(Delegate).IsAssignableFrom(type)) return Function(type, depth, above);
            if (type == typeof(IEnumerable) || type == typeof(ArrayList) || type == typeof(IList)) return "list[int32]";
            if (type.Assembly != typeof(Types).Assembly || type.IsAbstract || depth > 3) return "none";
            if (above.Contains(type)) return Simple(type) + "?";
            var fields = Fields(type).Select(one => new {one, written = Written(one.FieldType, depth + 1, above.Concat(new[] {type}).ToList())})
                .Where(one => one.written != "none").Select(one => Forms.Name(one.one) + ": " + one.written).ToList();
            var links = Fields(type).Any(one => one.FieldType == type);
            return Simple(type) + "{" + string.Join(", ", fields) + "}" + (links ? "?" : "");
        }

        static string Around(string kind, int depth, List<Type> above, params Type[] inner) {
            var written = inner.Select(one => Written(one, depth + 1, above)).ToList();
            return written.Contains("none") ? "none" : kind + "[" + string.Join(", ", written) + "]";
        }

        // A function that is passed: its result, and what it takes, of which the host decides what the function does.
        static string Function(Type type, int depth, List<Type> above) {
            var invoke = type.GetMethod("Invoke");
            if (invoke == null || invoke.GetParameters().Length > 3) return "none";
            var taken = invoke.GetParameters().Select(one => one.ParameterType.IsByRef ? "none" : Written(one.ParameterType, depth + 1, above)).ToList();
            var result = invoke.ReturnType == typeof(void) ? "none" : Written(invoke.ReturnType, depth + 1, above);
            if (taken.Contains("none") || result == "none" && invoke.ReturnType != typeof(void)) return "none";
            return "union[" + string.Join(", ", new[] {"function[" + result + "]"}.Concat(taken)) + "]";
        }

        public static string Simple(Type type) { return type.Name.Split('`')[0]; }

        public static IEnumerable<FieldInfo> Fields(Type type) {
            for (; type != null && type.Assembly == typeof(Types).Assembly; type = type.BaseType) {
                foreach (var one in type.GetFields(BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.DeclaredOnly)) yield return one;
            }
        }

        // What stands for a type variable: what its argument looks like.
        public static Type Standing(Type variable, List<object> forms) {
            return Json.Write(forms).Contains("\"int\"") ? typeof(int) : typeof(string);
        }
    }

    static class Arguments {
        static readonly Type[] Whole = {typeof(int), typeof(long), typeof(short), typeof(sbyte), typeof(uint), typeof(ulong), typeof(ushort),
            typeof(byte), typeof(BigInteger)};

        public static object Make(object form, Type type) {
            if (type.IsByRef) type = type.GetElementType();
            var inner = Nullable.GetUnderlyingType(type);
            if (inner != null) return form == null ? null : Make(form, inner);
            if (form == null) {
                if (type.IsValueType) throw new InvalidCastException("null is not a " + type.Name);
                return null;
            }
            var tagged = form as Dictionary<string, object>;
            string kind = tagged == null ? "" : tagged.Keys.First();
            object content = tagged == null ? form : tagged[kind];
            if (type.IsEnum) {
                if (kind != "enum" || !Enum.IsDefined(type, ((List<object>) content)[1])) throw new InvalidCastException("no constant of " + type.Name);
                return Enum.Parse(type, (string) ((List<object>) content)[1]);
            }
            if (type == typeof(DateTime)) {
                if (kind != "datetime") throw new InvalidCastException("no " + type.Name + " of " + kind);
                return DateTime.Parse((string) content, CultureInfo.InvariantCulture, DateTimeStyles.RoundtripKind);
            }
            if (type == typeof(TimeSpan)) {
                if (kind != "duration") throw new InvalidCastException("no " + type.Name + " of " + kind);
                return TimeSpan.FromTicks((long) (Exact((string) content) * TimeSpan.TicksPerSecond));
            }
            if (kind == "function" && typeof(Delegate).IsAssignableFrom(type)) return StandIn.Made((List<object>) content, type);
            if (kind == "int") {
                var value = BigInteger.Parse((string) content);
                if (type == typeof(BigInteger)) return value;
                if (type == typeof(object) || type == typeof(IComparable)) return value >= int.MinValue && value <= int.MaxValue ? (object) (int) value : (object) (long) value;
                try {
                    if (type == typeof(double)) return (double) value;
                    if (type == typeof(float)) return (float) value;
                    if (type == typeof(decimal)) return (decimal) value;
                    if (type == typeof(ulong)) return (ulong) value;
                    return Convert.ChangeType((long) value, type, CultureInfo.InvariantCulture);
                } catch (OverflowException) {
                    throw new InvalidCastException("out of range");
                }
            }
            // What is rounded is another number, which the other side would not get.
            if (kind == "float" && Whole.Contains(type) && Real((string) content) % 1 != 0) throw new InvalidCastException("a fraction");
            if (kind == "float") return Convert.ChangeType(Real((string) content), type == typeof(object) ? typeof(double) : type, CultureInfo.InvariantCulture);
            if (kind == "decimal") return Convert.ChangeType(Exact((string) content), type == typeof(object) ? typeof(decimal) : type, CultureInfo.InvariantCulture);
            var text = content as string;
            if (text != null && kind != "bytes") {
                if (type == typeof(StringBuilder)) return new StringBuilder(text);
                if (type == typeof(char)) {
                    if (text.Length != 1) throw new InvalidCastException("not one character");
                    return text[0];
                }
                if (kind == "char" && type == typeof(object)) return text[0];
                if (type == typeof(string) || type.IsAssignableFrom(typeof(string))) return text;
            }
            if (content is bool && type.IsAssignableFrom(typeof(bool))) return content;
            if (kind == "object") return MadeObject((List<object>) content, type);
            var list = content as List<object>;
            if (list != null) return Collection(kind, list, type);
            throw new InvalidCastException("no " + type.Name + " of " + kind);
        }

        static object Collection(string kind, List<object> forms, Type type) {
            if (type.IsArray) {
                var element = type.GetElementType();
                var array = Array.CreateInstance(element, forms.Count);
                for (int at = 0; at < forms.Count; at++) array.SetValue(Make(forms[at], element), at);
                return array;
            }
            if (!type.IsGenericType) {
                var plain = new ArrayList();
                foreach (var one in forms) plain.Add(Make(one, typeof(object)));
                return plain;
            }
            var given = type.GetGenericArguments();
            if (kind == "map") {
                var made = type.IsInterface ? typeof(Dictionary<,>).MakeGenericType(given) : type;
                var map = (IDictionary) Activator.CreateInstance(made);
                foreach (List<object> one in forms) map[Make(one[0], given[0])] = Make(one[1], given[1]);
                return map;
            }
            if (kind == "tuple") return Activator.CreateInstance(type, forms.Select((one, at) => Make(one, given[at])).ToArray());
            var listType = typeof(List<>).MakeGenericType(given[0]);
            var list = (IList) Activator.CreateInstance(listType);
            foreach (var one in forms) list.Add(Make(one, given[0]));
            if (type.IsAssignableFrom(listType)) return list;
            if (type.IsInterface && kind == "set") return Activator.CreateInstance(typeof(HashSet<>).MakeGenericType(given), list);
            return Activator.CreateInstance(type, list);
        }

        // Also one that is written with an exponent.
        static decimal Exact(string text) { return decimal.Parse(text, NumberStyles.Float, CultureInfo.InvariantCulture); }

        public static double Real(string text) {
            if (text == "nan") return double.NaN;
            if (text.EndsWith("inf")) return text.StartsWith("-") ? double.NegativeInfinity : double.PositiveInfinity;
            bool negative = text.StartsWith("-");
            var parts = text.TrimStart('-').Substring(2).Split('p');
            var digits = parts[0].Split('.');
            double value = 0;
            foreach (var one in digits[0] + (digits.Length > 1 ? digits[1] : "")) value = value * 16 + Convert.ToInt32(one.ToString(), 16);
            int power = int.Parse(parts[1].TrimStart('+')) - 4 * (digits.Length > 1 ? digits[1].Length : 0);
            // In two steps, so that neither leaves the range of numbers.
            value = value * Math.Pow(2, power / 2) * Math.Pow(2, power - power / 2);
            return negative ? -value : value;
        }

        static object MadeObject(List<object> content, Type type) {
            var known = Types.Fields(type).Select(one => Forms.Name(one)).ToList();
            // An object with other fields is one of another class.
            if (((List<object>) content[1]).Any(one => !known.Contains((string) ((List<object>) one)[0]))) throw new InvalidCastException("another class");
            var made = Created(type);
            foreach (List<object> one in (List<object>) content[1]) {
                foreach (var field in Types.Fields(type)) {
                    if (Forms.Name(field) != (string) one[0] || (one[1] == null && field.FieldType.IsValueType)) continue;
                    field.SetValue(made, Make(one[1], field.FieldType));
                }
            }
            return made;
        }

        // An object by the constructor with the fewest parameters, with plain values.
        public static object Created(Type type) {
            type = Types.Closed(type);
            if (type.IsAbstract) throw new MissingMethodException(type.Name);
            if (type.IsValueType) return Activator.CreateInstance(type);
            var constructor = type.GetConstructors(BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance)
                .OrderBy(one => one.GetParameters().Length).First();
            return constructor.Invoke(constructor.GetParameters().Select(one => Ordinary(one.ParameterType)).ToArray());
        }

        static object Ordinary(Type type) {
            if (type == typeof(string)) return "abc";
            if (type == typeof(int) || type == typeof(long) || type == typeof(double)) return Convert.ChangeType(4, type);
            return type.IsValueType ? Activator.CreateInstance(type) : null;
        }
    }

    // Stands for an unknown function: equal arguments give the same of a few results, in every language.
    class StandIn {
        const int MaxCalls = 1000;
        readonly string role;
        readonly List<object> results;
        public readonly List<object> Calls = new List<object>();

        StandIn(List<object> content) {
            role = (string) content[0];
            results = (List<object>) content[1];
        }

        public bool KeepsCalls { get { return role == "procedure"; } }

        public static Delegate Made(List<object> content, Type type) {
            var invoke = type.GetMethod("Invoke");
            var types = invoke.GetParameters().Select(one => one.ParameterType).ToList();
            bool says = invoke.ReturnType != typeof(void);
            var method = typeof(StandIn).GetMethod((says ? "Function" : "Procedure") + types.Count);
            if (says) types.Add(invoke.ReturnType);
            if (types.Count > 0) method = method.MakeGenericMethod(types.ToArray());
            var made = new StandIn(content);
            if (says && made.role == "function") foreach (var one in made.results) Arguments.Make(one, invoke.ReturnType);
            return Delegate.CreateDelegate(type, made, method);
        }

        public R Function0<R>() { return Result<R>(); }
        public R Function1<A, R>(A a) { return Result<R>(a); }
        public R Function2<A, B, R>(A a, B b) { return Result<R>(a, b); }
        public R Function3<A, B, C, R>(A a, B b, C c) { return Result<R>(a, b, c); }
        public void Procedure0() { Note(); }
        public void Procedure1<A>(A a) { Note(a); }
        public void Procedure2<A, B>(A a, B b) { Note(a, b); }
        public void Procedure3<A, B, C>(A a, B b, C c) { Note(a, b, c); }

        void Note(params object[] given) {
            if (Calls.Count >= MaxCalls) throw new InvalidOperationException("too many calls");
            Calls.Add(new Dictionary<string, object> {{"tuple", given.Select(Forms.Of).ToList()}});
        }

        R Result<R>(params object[] given) {
            if (role != "function") {
                int order = Compared(given[0], given[1]);
                if (results.Count > 0 && results[0] is bool && !(bool) results[0]) order = -order;
                bool holds = role == "equality" ? order == 0 : order < 0;
                object said = typeof(R) == typeof(bool) ? (object) holds : Convert.ChangeType(role == "comparison" ? order : holds ? 1 : 0, typeof(R));
                return (R) said;
            }
            if (results.Count == 0) return default(R);
            var written = Written(given.Select(Forms.Of).ToList());
            return (R) Arguments.Make(results[(int) (Checksum(Encoding.ASCII.GetBytes(written)) % (uint) results.Count)], typeof(R));
        }

        // By the size of numbers, and by the texts of all else.
        static int Compared(object one, object other) {
            if (one is ValueType && one is IComparable) return Math.Sign(((IComparable) one).CompareTo(other));
            var text = one as string;
            if (text != null && other is string) return Math.Sign(string.CompareOrdinal(text, (string) other));
            return Math.Sign(string.CompareOrdinal(Written(Forms.Of(one)), Written(Forms.Of(other))));
        }

        // JSON as Python writes it, with numbers by value, characters as texts, and sequences by content.
        static string Written(object form) {
            var all = form as List<object>;
            if (all != null) return "[" + string.Join(", ", all.Select(Written)) + "]";
            var tagged = form as Dictionary<string, object>;
            if (tagged == null) return form is string ? Quoted((string) form) : Json.Write(form);
            string kind = tagged.Keys.First();
            object content = tagged[kind];
            if (kind == "int") return "{\"number\": \"" + content + "\"}";
            if (kind == "float") return "{\"number\": \"" + Number((string) content) + "\"}";
            if (kind == "char") return Quoted((string) content);
            var inner = content as List<object>;
            if (kind == "list" || kind == "tuple" || kind == "iterator") return "{\"list\": " + Written(inner) + "}";
            if (kind == "object") return "{\"object\": " + Written(inner[1]) + "}";
            if (kind == "set" || kind == "map") {
                return "{\"" + kind + "\": [" + string.Join(", ", inner.Select(Written).OrderBy(one => one, StringComparer.Ordinal)) + "]}";
            }
            return "{" + Quoted(kind) + ": " + (content is string ? Quoted((string) content) : Written(content)) + "}";
        }

        static string Number(string said) {
            double value;
            if (said == "nan" || said.EndsWith("inf")) return said;
            value = Arguments.Real(said);
            if (value == Math.Truncate(value)) return new BigInteger(value).ToString();
            int power = said.IndexOf('p') + 1;
            return said[power] == '-' ? said : said.Insert(power, "+");
        }

        static string Quoted(string text) {
            var found = new StringBuilder("\"");
            foreach (char one in text) {
                int place = "\n\r\t\b\f\"\\".IndexOf(one);
                if (place >= 0) found.Append('\\').Append("nrtbf\"\\"[place]);
                else if (one < ' ' || one > 126) found.Append("\\u").Append(((int) one).ToString("x4"));
                else found.Append(one);
            }
            return found.Append('"').ToString();
        }

        static uint Checksum(byte[] data) {
            uint found = ~0u;
            foreach (byte one in data) {
                found ^= one;
                for (int bit = 0; bit < 8; bit++) found = found >> 1 ^ 0xedb88320u * (found & 1);
            }
            return ~found;
        }
    }

    class Forms {
        const int MaxItems = 10000, MaxText = 200000, MaxDepth = 22, MaxFromIterator = 1000;
        readonly List<object> above = new List<object>();
        int left = MaxItems;

        public static object Of(object value) { return new Forms().Form(value); }

        public static string Name(FieldInfo field) {
            return field.Name.StartsWith("<") ? field.Name.Substring(1, field.Name.IndexOf('>') - 1) : field.Name;
        }

        static object Tag(string kind, object content) { return new Dictionary<string, object> {{kind, content}}; }

        object Form(object value) {
            left--;
            if (value == null || value is bool) return value;
            var text = value as string;
            if (text != null || value is StringBuilder) return Text(value.ToString());
            if (value is char) return Tag("char", value.ToString());
            if (value is Enum) return value.ToString();
            if (value is int || value is long || value is short || value is sbyte || value is byte || value is uint || value is ulong || value is ushort) {
                return Tag("int", Convert.ToString(value, CultureInfo.InvariantCulture));
            }
            if (value is BigInteger) return BigInteger.Abs((BigInteger) value) < BigInteger.Pow(10, 9000) ? Tag("int", value.ToString()) : Tag("cut", "int");
            if (value is double) return Real((double) value);
            if (value is float) return Real((float) value);
            if (value is decimal) return Tag("decimal", ((decimal) value).ToString(CultureInfo.InvariantCulture));
            for (int at = 0; at < above.Count; at++) if (ReferenceEquals(above[at], value)) return Tag("cycle", (long) (above.Count - at));
            if (left < 0 || above.Count >= MaxDepth) return Tag("cut", value.GetType().Name);
            above.Add(value);
            var found = Container(value);
            above.RemoveAt(above.Count - 1);
            return found;
        }

        static object Text(string value) { return value.Length > MaxText ? Tag("cut", "str") : (object) value; }

        // Seventeen digits say which number it is; the host reads hexadecimal or decimal ones alike.
        static object Real(double value) {
            if (double.IsNaN(value)) return Tag("float", "nan");
            if (double.IsInfinity(value)) return Tag("float", value > 0 ? "inf" : "-inf");
            if (value == 0) return Tag("float", "0x0.0p+0");
            long bits = BitConverter.DoubleToInt64Bits(value);
            int power = (int) ((bits >> 52) & 0x7FF);
            long digits = bits & 0xFFFFFFFFFFFFFL;
            string sign = bits < 0 ? "-" : "";
            return Tag("float", sign + (power == 0 ? "0x0." : "0x1.") + digits.ToString("x13") + "p" + (power == 0 ? -1022 : power - 1023));
        }

        object Container(object value) {
            var type = value.GetType();
            var map = value as IDictionary;
            if (map != null) {
                var entries = new List<object>();
                foreach (DictionaryEntry one in map) {
                    if (left < 0) return Tag("cut", "map");
                    entries.Add(new List<object> {Form(one.Key), Form(one.Value)});
                }
                return Tag("map", entries);
            }
            var values = value as IEnumerable;
            if (values != null) {
                bool many = value is ICollection || value is Array || type.IsGenericType && type.Name.Contains("Set");
                string kind = type.IsGenericType && type.Name.Contains("Set`") ? "set" : many ? "list" : "iterator";
                return Tag(kind, Drawn(values, many ? MaxItems : MaxFromIterator));
            }
            if (type.IsGenericType && (type.Name.StartsWith("KeyValuePair") || type.Name.StartsWith("Tuple`") || type.Name.StartsWith("ValueTuple`"))) {
                var names = type.Name.StartsWith("KeyValuePair") ? new[] {"Key", "Value"} : Enumerable.Range(1, type.GetGenericArguments().Length).Select(one => "Item" + one).ToArray();
                return Tag("tuple", names.Select(one => Form(type.GetProperty(one) != null ? type.GetProperty(one).GetValue(value, null) : type.GetField(one).GetValue(value))).ToList());
            }
            if (value is DateTime) return Tag("datetime", ((DateTime) value).ToString("yyyy-MM-ddTHH:mm:ss.fffffff", CultureInfo.InvariantCulture));
            if (value is TimeSpan) return Tag("duration", (((TimeSpan) value).Ticks / (decimal) TimeSpan.TicksPerSecond).ToString(CultureInfo.InvariantCulture));
            if (value is Guid) return Convert.ToString(value, CultureInfo.InvariantCulture);
            var function = value as Delegate;
            var known = function == null ? null : function.Target as StandIn;
            if (known != null) return known.KeepsCalls ? Tag("list", known.Calls.ToList()) : Tag("opaque", "function");
            if (type.Assembly != typeof(Forms).Assembly || function != null) return Tag("opaque", type.Name);
            var fields = new List<object>();
            foreach (var one in Types.Fields(type).OrderBy(one => Name(one), StringComparer.Ordinal)) {
                if (left < 0) return Tag("cut", type.Name);
                fields.Add(new List<object> {Name(one), Form(one.GetValue(value))});
            }
            return Tag("object", new List<object> {Types.Simple(type), fields});
        }

        List<object> Drawn(IEnumerable values, int limit) {
            var found = new List<object>();
            foreach (var one in values) {
                if (found.Count >= limit || left < 0) {
                    found.Add(Tag("cut", "values"));
                    break;
                }
                found.Add(Form(one));
            }
            return found;
        }
    }

    class Json {
        readonly string text;
        int at;
        Json(string text) { this.text = text; }
        public static object Parse(string text) { return new Json(text).Value(); }
        char Skip() { while (text[at] <= ' ') at++; return text[at]; }

        object Value() {
            switch (Skip()) {
                case '{': {
                    var found = new Dictionary<string, object>();
                    at++;
                    while (Skip() != '}') {
                        if (text[at] == ',') { at++; Skip(); }
                        var key = String();
                        Skip();
                        at++;
                        found[key] = Value();
                    }
                    at++;
                    return found;
                }
                case '[': {
                    var found = new List<object>();
                    at++;
                    while (Skip() != ']') {
                        if (text[at] == ',') at++;
                        found.Add(Value());
                    }
                    at++;
                    return found;
                }
                case '"': return String();
                case 't': at += 4; return true;
                case 'f': at += 5; return false;
                default: at += 4; return null;
            }
        }

        string String() {
            var found = new StringBuilder();
            at++;
            for (char one = text[at]; one != '"'; one = text[++at]) {
                if (one != '\\') { found.Append(one); continue; }
                char escaped = text[++at];
                if (escaped == 'u') {
                    found.Append((char) Convert.ToInt32(text.Substring(at + 1, 4), 16));
                    at += 4;
                } else {
                    int place = "nrtbf".IndexOf(escaped);
                    found.Append(place < 0 ? escaped : "\n\r\t\b\f"[place]);
                }
            }
            at++;
            return found.ToString();
        }

        public static string Write(object value) { var made = new StringBuilder(); Write(value, made); return made.ToString(); }

        static void Write(object value, StringBuilder made) {
            var text = value as string;
            if (value == null) made.Append("null");
            else if (value is bool) made.Append((bool) value ? "true" : "false");
            else if (value is long) made.Append(value);
            else if (text != null) Quote(text, made);
            else if (value is Dictionary<string, object>) {
                made.Append('{');
                foreach (var one in (Dictionary<string, object>) value) {
                    if (made[made.Length - 1] != '{') made.Append(',');
                    Quote(one.Key, made);
                    made.Append(':');
                    Write(one.Value, made);
                }
                made.Append('}');
            } else {
                made.Append('[');
                bool first = true;
                foreach (var one in (IEnumerable) value) {
                    if (!first) made.Append(',');
                    first = false;
                    Write(one, made);
                }
                made.Append(']');
            }
        }

        static void Quote(string text, StringBuilder made) {
            made.Append('"');
            for (int at = 0; at < text.Length; at++) {
                char one = text[at];
                bool half = char.IsSurrogate(one) && !(char.IsHighSurrogate(one) && at + 1 < text.Length && char.IsLowSurrogate(text[at + 1]))
                    && !(char.IsLowSurrogate(one) && at > 0 && char.IsHighSurrogate(text[at - 1]));
                if (half) made.Append("\\\\u").Append(((int) one).ToString("x4"));
                else if (one == '"' || one == '\\') made.Append('\\').Append(one);
                else if (one < ' ' || one > '~') made.Append("\\u").Append(((int) one).ToString("x4"));
                else made.Append(one);
            }
            made.Append('"');
        }
    }
}
