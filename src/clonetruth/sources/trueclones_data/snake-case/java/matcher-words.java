String underscore(String name) {
    Matcher word = Pattern.compile("[A-Z]*[a-z0-9]+|[A-Z]+").matcher(name);
    List<String> parts = new ArrayList<>();
    while (word.find()) {
        String found = word.group();
        // capital letters before a small one: the last of them begins the next word
        int capitals = 0;
        while (capitals < found.length() && Character.isUpperCase(found.charAt(capitals))) capitals++;
        boolean small = capitals < found.length() && Character.isLowerCase(found.charAt(capitals));
        if (capitals > 1 && small) {
            parts.add(found.substring(0, capitals - 1));
            found = found.substring(capitals - 1);
        }
        parts.add(found);
    }
    return String.join("_", parts).toLowerCase();
}
