public int result(String infix) {
    Map<String, Integer> rank = Map.of("+", 1, "-", 1, "*", 1, "(", 0);
    List<String> postfix = new ArrayList<>();
    Deque<String> operators = new ArrayDeque<>();
    Matcher tokens = Pattern.compile("[0-9]+|[-+*()]").matcher(infix);
    while (tokens.find()) {
        String token = tokens.group();
        if (Character.isDigit(token.charAt(0))) {
            postfix.add(token);
        } else if (token.equals("(")) {
            operators.push(token);
        } else if (token.equals(")")) {
            while (!operators.peek().equals("(")) postfix.add(operators.pop());
            operators.pop();
        } else {
            while (!operators.isEmpty() && rank.get(operators.peek()) >= rank.get(token)) {
                postfix.add(operators.pop());
            }
            operators.push(token);
        }
    }
    while (!operators.isEmpty()) postfix.add(operators.pop());
    Deque<Integer> stack = new ArrayDeque<>();
    for (String token : postfix) {
        if (rank.containsKey(token)) {
            int b = stack.pop(), a = stack.pop();
            stack.push(token.equals("+") ? a + b : token.equals("-") ? a - b : a * b);
        } else {
            stack.push(Integer.valueOf(token));
        }
    }
    return stack.pop();
}
