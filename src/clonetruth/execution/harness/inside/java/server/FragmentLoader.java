package server;

import java.util.Map;

/** Loads the classes of one fragment, or what they count with; of this server it knows nothing. */
final class FragmentLoader extends ClassLoader {
    private final Map<String, byte[]> classes;

    FragmentLoader(Map<String, byte[]> classes, ClassLoader parent) {
        super(parent);
        this.classes = classes;
    }

    /** The name that a class has here: of one within another, that of the other one is part of it. */
    String nameOf(String simple) {
        for (String name : classes.keySet()) {
            if (name.equals(simple) || name.endsWith("$" + simple) || name.endsWith("." + simple)) return name;
        }
        return simple;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] found = classes.get(name);
        if (found == null) throw new ClassNotFoundException(name);
        return defineClass(name, found, 0, found.length);
    }
}
