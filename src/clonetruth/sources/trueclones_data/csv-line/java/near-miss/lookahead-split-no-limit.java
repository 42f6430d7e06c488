static String[] fieldsOf(String line) {
    // a comma separates when an even number of quotes follows it
    String[] parts = line.split(",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)");
    for (int i = 0; i < parts.length; i++) {
        String part = parts[i];
        if (part.startsWith("\"")) {
            parts[i] = part.substring(1, part.length() - 1).replace("\"\"", "\"");
        }
    }
    return parts;
}
