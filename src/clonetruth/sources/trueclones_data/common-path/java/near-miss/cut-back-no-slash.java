String base(String[] paths) {
    if (paths.length == 0) return "";
    String common = paths[0] + "/";
    for (String path : paths) {
        while (!(path + "/").startsWith(common.substring(0, common.length() - 1))) {
            int slash = common.lastIndexOf('/', common.length() - 2);
            if (slash < 0) return "";
            common = common.substring(0, slash + 1);
        }
    }
    // a lone slash is the root, if all paths begin there
    boolean root = common.equals("/") && Arrays.stream(paths).allMatch(p -> p.startsWith("/"));
    return root ? "/" : common.substring(0, common.length() - 1);
}
