public static String format(long bytes) {
    String[] units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    int i = 0;
    long unit = 1;
    while (i < units.length - 1 && bytes / unit > 1024) {
        unit *= 1024;
        i++;
    }
    long whole = bytes / unit;
    long tenth = bytes % unit * 10 / unit;
    return tenth == 0 ? whole + " " + units[i] : whole + "." + tenth + " " + units[i];
}
