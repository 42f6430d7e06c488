String decamelise(String s) {
    Deque<String> words = new ArrayDeque<>();
    String word = "";
    char right = ' ';
    for (int i = s.length() - 1; i >= 0; i--) {
        char c = s.charAt(i);
        boolean separator = " -_".indexOf(c) >= 0;
        boolean upperRight = right >= 'A' && right <= 'Z';
        boolean upper = c >= 'A' && c <= 'Z';
        // what stands to the right begins a word if it is a capital letter and this is none, or if it stands before a small one
        boolean cut = separator || upperRight && (!upper || word.length() > 1 && word.charAt(1) >= 'a');
        if (cut && !word.isEmpty()) {
            words.push(word.toLowerCase());
            word = "";
        }
        if (!separator) word = c + word;
        right = c;
    }
    if (!word.isEmpty()) words.push(word.toLowerCase());
    return String.join("_", words);
}
