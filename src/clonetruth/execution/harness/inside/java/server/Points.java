package server;

import com.sun.source.tree.BlockTree;
import com.sun.source.tree.CaseTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.DoWhileLoopTree;
import com.sun.source.tree.EnhancedForLoopTree;
import com.sun.source.tree.ForLoopTree;
import com.sun.source.tree.IfTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.StatementTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.WhileLoopTree;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Inserts counters at the start of blocks and branches, replaces generators of chance by ones with a seed, and exits by errors. */
final class Points extends TreeScanner<Void, Void> {
    private static final String REACHED = "clonetruth_points.Reached.";

    private static final Set<String> EXITS = Set.of("System.exit", "java.lang.System.exit", "Runtime.getRuntime().exit",
        "Runtime.getRuntime().halt");

    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private final String text;
    private final TreeMap<Integer, StringBuilder> insertions = new TreeMap<>();
    private final TreeMap<Integer, int[]> removals = new TreeMap<>();
    int count;

    /** The name of each method, its first counter and the one behind its last. */
    final List<Object> methods = new ArrayList<>();

    Points(CompilationUnitTree unit, SourcePositions positions, String text) {
        this.unit = unit;
        this.positions = positions;
        this.text = text;
        scan(unit, null);
    }

    String instrumented() {
        StringBuilder out = new StringBuilder();
        int at = 0;
        for (Map.Entry<Integer, StringBuilder> one : insertions.entrySet()) {
            if (one.getKey() < at) continue;
            out.append(text, at, one.getKey()).append(one.getValue());
            at = one.getKey();
            int[] removal = removals.get(at);
            if (removal != null) at = removal[0];
        }
        return out.append(text.substring(at)).toString();
    }

    private void insert(long place, String what, boolean first) {
        if (place < 0) return;
        StringBuilder here = insertions.computeIfAbsent((int) place, one -> new StringBuilder());
        if (first) here.insert(0, what);
        else here.append(what);
    }

    private String hit() {
        return REACHED + "hit(" + count++ + ");";
    }

    private long start(Tree tree) {
        return positions.getStartPosition(unit, tree);
    }

    private long end(Tree tree) {
        return positions.getEndPosition(unit, tree);
    }

    private void branch(StatementTree body) {
        if (body == null || body instanceof BlockTree || end(body) < 0) return;
        insert(start(body), "{" + hit(), false);
        insert(end(body), "}", true);
    }

    @Override
    public Void visitMethod(MethodTree tree, Void unused) {
        // A compact or ordinary constructor must start with its call of another one.
        if (tree.getReturnType() == null) {
            for (StatementTree one : tree.getBody() == null ? List.<StatementTree>of() : tree.getBody().getStatements()) {
                scan(one, null);
            }
            return null;
        }
        long first = count;
        super.visitMethod(tree, null);
        methods.add(List.of(tree.getName().toString(), first, (long) count));
        return null;
    }

    @Override
    public Void visitBlock(BlockTree tree, Void unused) {
        if (end(tree) > 0 && text.charAt((int) start(tree)) == '{') insert(start(tree) + 1, hit(), false);
        return super.visitBlock(tree, null);
    }

    @Override
    public Void visitIf(IfTree tree, Void unused) {
        branch(tree.getThenStatement());
        if (!(tree.getElseStatement() instanceof IfTree)) branch(tree.getElseStatement());
        return super.visitIf(tree, null);
    }

    @Override
    public Void visitWhileLoop(WhileLoopTree tree, Void unused) {
        branch(tree.getStatement());
        return super.visitWhileLoop(tree, null);
    }

    @Override
    public Void visitDoWhileLoop(DoWhileLoopTree tree, Void unused) {
        branch(tree.getStatement());
        return super.visitDoWhileLoop(tree, null);
    }

    @Override
    public Void visitForLoop(ForLoopTree tree, Void unused) {
        branch(tree.getStatement());
        return super.visitForLoop(tree, null);
    }

    @Override
    public Void visitEnhancedForLoop(EnhancedForLoopTree tree, Void unused) {
        branch(tree.getStatement());
        return super.visitEnhancedForLoop(tree, null);
    }

    @Override
    public Void visitCase(CaseTree tree, Void unused) {
        if (tree.getStatements() != null && !tree.getStatements().isEmpty() && tree.getBody() == null) {
            insert(start(tree.getStatements().get(0)), hit(), false);
        }
        return super.visitCase(tree, null);
    }

    @Override
    public Void visitMethodInvocation(MethodInvocationTree tree, Void unused) {
        String called = tree.getMethodSelect().toString();
        if (called.equals("Math.random") && tree.getArguments().isEmpty()) {
            replace(tree, REACHED + "random()");
            return null;
        }
        if (EXITS.contains(called) && tree.getArguments().size() == 1) {
            replace(tree.getMethodSelect(), REACHED + "exit");
            scan(tree.getArguments(), null);
            return null;
        }
        if (called.equals("Collections.shuffle") && tree.getArguments().size() == 1 && end(tree) > 0) {
            insert(end(tree) - 1, ", " + REACHED + "seeded()", true);
        }
        return super.visitMethodInvocation(tree, null);
    }

    @Override
    public Void visitNewClass(NewClassTree tree, Void unused) {
        String made = tree.getIdentifier().toString();
        if ((made.equals("Random") || made.equals("java.util.Random")) && tree.getArguments().isEmpty()
            && tree.getClassBody() == null) {
            replace(tree, REACHED + "seeded()");
            return null;
        }
        return super.visitNewClass(tree, null);
    }

    private void replace(Tree tree, String by) {
        if (end(tree) < 0) return;
        insert(start(tree), by, false);
        removals.put((int) start(tree), new int[] {(int) end(tree)});
    }
}
