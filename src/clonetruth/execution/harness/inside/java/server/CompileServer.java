package server;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import com.sun.tools.javac.api.JavacTaskPool;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.TypeParameterElement;
import javax.lang.model.element.VariableElement;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/**
 * Runs inside the sandbox, in a process in which no code of a fragment runs: compiles texts in memory.
 *
 * A job is a line with candidates, of which the first that parses is compiled; the answer is a line with its classes
 * and what they declare, or with what the compiler says.
 */
public final class CompileServer {
    private static final List<String> OPTIONS = List.of("-proc:none", "-nowarn", "-Xlint:none", "-g:source,lines", "-cp", "points.jar",
        "-XDshould-stop.ifError=FLOW", "-XDstringConcat=inline", "-Xmaxerrs", "60");
    private static final int MAX_TYPE = 400;

    /** A text to compile; javac may call its class what it likes. */
    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String text) {
            super(URI.create("string:///Fragment.java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignored) {
            return text;
        }

        @Override
        public boolean isNameCompatible(String name, Kind kind) {
            return true;
        }
    }

    /** A file around the text, by the name of its class. */
    private static final class Neighbour extends SimpleJavaFileObject {
        private final String name;
        private final String text;

        Neighbour(String name, String text) {
            super(URI.create("string:///" + name.replace('.', '/') + ".java"), Kind.SOURCE);
            this.name = name;
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignored) {
            return text;
        }
    }

    /** Keeps classes in memory, and finds the files around a text there. */
    private static final class Memory extends ForwardingJavaFileManager<StandardJavaFileManager> {
        private final Map<String, ByteArrayOutputStream> made = new TreeMap<>();
        private final Map<String, List<JavaFileObject>> around = new TreeMap<>();
        private boolean isWhole;

        void take(Map<?, ?> texts) {
            around.clear();
            texts.forEach((key, text) -> {
                String name = (String) key;
                String folder = name.contains(".") ? name.substring(0, name.lastIndexOf('.')) : "";
                if (!name.matches("[\\w.$]+")) return;
                around.computeIfAbsent(folder, unused -> new ArrayList<>()).add(new Neighbour(name, (String) text));
            });
        }

        @Override
        public Iterable<JavaFileObject> list(JavaFileManager.Location place, String folder, Set<JavaFileObject.Kind> kinds, boolean recurse)
            throws java.io.IOException {
            Iterable<JavaFileObject> others = super.list(place, folder, kinds, recurse);
            if (!isWhole || place != StandardLocation.CLASS_PATH || !kinds.contains(JavaFileObject.Kind.SOURCE)) return others;
            List<JavaFileObject> found = new ArrayList<>(around.getOrDefault(folder, List.of()));
            others.forEach(found::add);
            return found;
        }

        @Override
        public String inferBinaryName(JavaFileManager.Location place, JavaFileObject file) {
            return file instanceof Neighbour ? ((Neighbour) file).name : super.inferBinaryName(place, file);
        }

        @Override
        public boolean isSameFile(FileObject one, FileObject other) {
            if (one instanceof Neighbour || other instanceof Neighbour) return one == other;
            return super.isSameFile(one, other);
        }

        Memory(StandardJavaFileManager manager) {
            super(manager);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(JavaFileManager.Location place, String name, JavaFileObject.Kind kind, FileObject near) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            made.put(name, bytes);
            return new SimpleJavaFileObject(URI.create("memory:///" + name.replace('.', '/') + ".class"), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return bytes;
                }
            };
        }
    }

    public static void main(String[] given) throws Exception {
        Enclosure.require();
        Channel channel = new Channel();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        // What the compiler knows of the JDK stays; what it learnt of a fragment does not.
        JavacTaskPool pool = new JavacTaskPool(1);
        Memory files = new Memory(compiler.getStandardFileManager(null, Locale.ENGLISH, null));
        for (Map<?, ?> next = channel.next(); next != null; next = channel.next()) {
            Map<?, ?> job = next;
            Map<String, Object> answer = new LinkedHashMap<>();
            if (job.get("around") != null) files.take((Map<?, ?>) job.get("around"));
            files.isWhole = Boolean.TRUE.equals(job.get("whole"));
            // What it learns of the files around a text would stay, too: they get a compiler of their own.
            JavacTaskPool tasks = files.isWhole ? new JavacTaskPool(1) : pool;
            Thread thread = new Thread(null, () -> work(tasks, files, (List<?>) job.get("candidates"), answer), "compile", 16L << 20);
            thread.start();
            thread.join();
            channel.say((String) job.get("nonce"), answer);
        }
    }

    private static void work(JavacTaskPool pool, Memory files, List<?> candidates, Map<String, Object> answer) {
        try {
            compile(pool, files, candidates, answer);
        } catch (Throwable error) {
            // A compiler that is used again may stumble over what is left of another text, such as a record of the same name.
            try {
                answer.clear();
                compile(new JavacTaskPool(1), files, candidates, answer);
            } catch (Throwable again) {
                answer.clear();
                answer.put("crashed", again.getClass().getSimpleName());
            }
        }
    }

    private static void compile(JavacTaskPool pool, Memory files, List<?> candidates, Map<String, Object> answer) throws Exception {
        List<Object> first = null;
        for (int at = 0; at < candidates.size(); at++) {
            String text = (String) candidates.get(at);
            DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
            Points points = pool.getTask(null, files, said, OPTIONS, null, List.of(new Source(text)), task -> {
                CompilationUnitTree unit = parsed(task);
                return errors(said).isEmpty() ? new Points(unit, Trees.instance(task).getSourcePositions(), text) : null;
            });
            if (points == null) {
                first = first == null ? errors(said) : first;
                continue;
            }
            answer.put("candidate", (long) at);
            answer.put("points", (long) points.count);
            answer.put("methods", points.methods);
            generate(pool, files, points.instrumented(), answer);
            return;
        }
        answer.put("parse", first == null ? List.of() : first);
    }

    private static void generate(JavacTaskPool pool, Memory files, String text, Map<String, Object> answer) throws Exception {
        DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
        files.made.clear();
        pool.getTask(null, files, said, OPTIONS, null, List.of(new Source(text)), task -> {
            CompilationUnitTree unit = parsed(task);
            generate((JavacTask) task, unit, said, answer);
            return null;
        });
        if (answer.containsKey("errors")) return;
        Map<String, byte[]> bytes = new TreeMap<>();
        Map<String, Object> classes = new TreeMap<>();
        files.made.forEach((name, one) -> bytes.put(name, one.toByteArray()));
        bytes.forEach((name, one) -> classes.put(name, Base64.getEncoder().encodeToString(one)));
        answer.put("classes", classes);
        answer.put("harmful", Harmless.offence(bytes));
    }

    private static void generate(
        JavacTask task, CompilationUnitTree unit, DiagnosticCollector<JavaFileObject> said, Map<String, Object> answer) {
        try {
            task.analyze();
            List<Object> errors = errors(said);
            if (errors.isEmpty()) {
                Object declared = declared(unit, Trees.instance(task));
                task.generate();
                errors = errors(said);
                answer.put("declared", declared);
            }
            if (!errors.isEmpty()) answer.put("errors", errors);
        } catch (java.io.IOException error) {
            throw new java.io.UncheckedIOException(error);
        }
    }

    private static CompilationUnitTree parsed(JavacTask task) {
        try {
            return task.parse().iterator().next();
        } catch (java.io.IOException error) {
            throw new java.io.UncheckedIOException(error);
        }
    }

    private static List<Object> errors(DiagnosticCollector<JavaFileObject> said) {
        List<Object> found = new ArrayList<>();
        for (Diagnostic<? extends JavaFileObject> one : said.getDiagnostics()) {
            if (one.getKind() != Diagnostic.Kind.ERROR) continue;
            Map<String, Object> error = new LinkedHashMap<>();
            error.put("code", one.getCode());
            error.put("line", one.getLineNumber());
            String message = one.getMessage(Locale.ENGLISH);
            error.put("message", message.substring(0, Math.min(600, message.length())));
            String source = "";
            try {
                String text = one.getSource().getCharContent(true).toString();
                int start = (int) Math.max(0, one.getStartPosition());
                source = text.substring(start, (int) Math.min(text.length(), Math.max(start, one.getEndPosition())));
            } catch (Exception ignored) {
                source = "";
            }
            error.put("source", source.substring(0, Math.min(200, source.length())));
            found.add(error);
        }
        return found;
    }

    /** The classes that a text declares, with their members. */
    private static Object declared(CompilationUnitTree unit, Trees trees) {
        List<Object> found = new ArrayList<>();
        new TreePathScanner<Void, Void>() {
            @Override
            public Void visitClass(ClassTree tree, Void unused) {
                Element element = trees.getElement(getCurrentPath());
                if (element instanceof TypeElement && !element.getSimpleName().toString().isEmpty()
                    && element.getEnclosingElement().getKind() != ElementKind.METHOD) {
                    found.add(type((TypeElement) element, tree));
                }
                return super.visitClass(tree, null);
            }
        }.scan(unit, null);
        return found;
    }

    private static Object type(TypeElement element, ClassTree tree) {
        Map<String, Object> found = described(element);
        String binary = element.getSimpleName().toString();
        Element around = element.getEnclosingElement();
        for (; around instanceof TypeElement; around = around.getEnclosingElement()) binary = around.getSimpleName() + "$" + binary;
        String folder = around.toString().equals("unnamed package") ? "" : around.toString() + ".";
        found.put("binary", folder + binary);
        found.put("qualified", element.getQualifiedName().toString());
        found.put("kind", element.getKind().toString());
        found.put("variables", variables(element.getTypeParameters()));
        List<Object> parents = new ArrayList<>();
        parents.add(written(element.getSuperclass().toString()));
        element.getInterfaces().forEach(one -> parents.add(written(one.toString())));
        found.put("parents", parents);
        List<Object> constants = new ArrayList<>();
        List<Object> fields = new ArrayList<>();
        List<Object> methods = new ArrayList<>();
        for (Element one : element.getEnclosedElements()) {
            if (one.getKind() == ElementKind.FIELD) {
                Map<String, Object> field = described(one);
                field.put("type", written(one.asType().toString()));
                fields.add(field);
            } else if (one.getKind() == ElementKind.ENUM_CONSTANT) {
                constants.add(one.getSimpleName().toString());
            } else if (one instanceof ExecutableElement) {
                ExecutableElement method = (ExecutableElement) one;
                Map<String, Object> said = described(one);
                List<Object> parameters = new ArrayList<>();
                for (VariableElement parameter : method.getParameters()) {
                    parameters.add(List.of(parameter.getSimpleName().toString(), written(parameter.asType().toString())));
                }
                said.put("parameters", parameters);
                said.put("returns", written(method.getReturnType().toString()));
                said.put("variables", variables(method.getTypeParameters()));
                said.put("calls", new ArrayList<Object>(calls(tree, method)));
                methods.add(said);
            }
        }
        found.put("constants", constants);
        found.put("fields", fields);
        found.put("methods", methods);
        return found;
    }

    private static String written(String type) {
        String plain = type.replaceAll("@\\S+ ?", "");
        return plain.length() > MAX_TYPE ? "java.lang.Object" : plain;
    }

    private static Map<String, Object> described(Element element) {
        Map<String, Object> found = new LinkedHashMap<>();
        found.put("name", element.getSimpleName().toString());
        List<Object> modifiers = new ArrayList<>();
        element.getModifiers().forEach(one -> modifiers.add(one.toString()));
        found.put("modifiers", modifiers);
        return found;
    }

    private static Map<String, Object> variables(List<? extends TypeParameterElement> all) {
        Map<String, Object> found = new LinkedHashMap<>();
        for (TypeParameterElement one : all) {
            found.put(one.getSimpleName().toString(), one.getBounds().isEmpty() ? "java.lang.Object" : written(one.getBounds().get(0).toString()));
        }
        return found;
    }

    /** The names of methods that a method calls or refers to. */
    private static Set<String> calls(ClassTree tree, ExecutableElement method) {
        Set<String> found = new LinkedHashSet<>();
        for (var member : tree.getMembers()) {
            if (!(member instanceof MethodTree)) continue;
            MethodTree one = (MethodTree) member;
            if (!one.getName().contentEquals(method.getSimpleName()) || one.getParameters().size() != method.getParameters().size()) continue;
            new com.sun.source.util.TreeScanner<Void, Void>() {
                @Override
                public Void visitMethodInvocation(MethodInvocationTree call, Void unused) {
                    if (call.getMethodSelect() instanceof IdentifierTree) found.add(call.getMethodSelect().toString());
                    if (call.getMethodSelect() instanceof MemberSelectTree) {
                        found.add(((MemberSelectTree) call.getMethodSelect()).getIdentifier().toString());
                    }
                    return super.visitMethodInvocation(call, null);
                }

                @Override
                public Void visitMemberReference(MemberReferenceTree reference, Void unused) {
                    found.add(reference.getName().toString());
                    return super.visitMemberReference(reference, null);
                }
            }.scan(one, null);
        }
        return found;
    }
}
