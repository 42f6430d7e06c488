public static String canonical(String text) {
    int[] at = {0};
    String value = value(text, at);
    return value == null || at[0] < text.length() ? "error" : value;
}

// Returns null if there is no value at the position; spaces around the value are passed over.
static String value(String s, int[] at) {
    skip(s, at);
    if (at[0] >= s.length()) return null;
    char c = s.charAt(at[0]);
    String result;
    if (c == '[') {
        result = array(s, at);
    } else if (c == '{') {
        result = object(s, at);
    } else if (c == '"') {
        result = string(s, at);
    } else {
        int start = at[0];
        while (at[0] < s.length() && Character.isLetterOrDigit(s.charAt(at[0]))) at[0]++;
        String word = s.substring(start, at[0]);
        result = word.matches("0|[1-9]\\d*|true|false|null") ? word : null;
    }
    if (result != null) skip(s, at);
    return result;
}

static String array(String s, int[] at) {
    at[0]++;
    skip(s, at);
    if (eat(s, at, ']')) return "[]";
    StringBuilder out = new StringBuilder("[");
    do {
        String item = value(s, at);
        if (item == null) return null;
        out.append(out.length() > 1 ? "," : "").append(item);
    } while (eat(s, at, ','));
    return eat(s, at, ']') ? out.append(']').toString() : null;
}

static String object(String s, int[] at) {
    at[0]++;
    skip(s, at);
    if (eat(s, at, '}')) return "{}";
    TreeMap<String, String> members = new TreeMap<>();
    do {
        skip(s, at);
        if (at[0] >= s.length() || s.charAt(at[0]) != '"') return null;
        String key = string(s, at);
        if (key == null) return null;
        skip(s, at);
        if (!eat(s, at, ':')) return null;
        String value = value(s, at);
        if (value == null) return null;
        members.put(key.substring(1, key.length() - 1), value);
    } while (eat(s, at, ','));
    if (!eat(s, at, '}')) return null;
    StringJoiner out = new StringJoiner(",", "{", "}");
    members.forEach((key, value) -> out.add("\"" + key + "\":" + value));
    return out.toString();
}

static String string(String s, int[] at) {
    int end = s.indexOf('"', at[0] + 1);
    if (end < 0) return null;
    String whole = s.substring(at[0], end + 1);
    at[0] = end + 1;
    return whole;
}

static void skip(String s, int[] at) {
    while (at[0] < s.length() && s.charAt(at[0]) == ' ') at[0]++;
}

static boolean eat(String s, int[] at, char wanted) {
    if (at[0] >= s.length() || s.charAt(at[0]) != wanted) return false;
    at[0]++;
    return true;
}
