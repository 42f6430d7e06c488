static int compute(String text) {
    // for each open bracket: the sum so far, the product so far, and the number being read
    Deque<int[]> outer = new ArrayDeque<>();
    int sum = 0, product = 1, number = 0;
    for (char c : text.toCharArray()) {
        switch (c) {
            case '(':
                outer.push(new int[] {sum, product});
                sum = 0;
                product = 1;
                break;
            case ')':
                number = sum + product * number;
                sum = outer.peek()[0];
                product = outer.pop()[1];
                break;
            case '*':
                product *= number;
                number = 0;
                break;
            case '+':
            case '-':
                sum += product * number;
                product = c == '+' ? 1 : -1;
                number = 0;
                break;
            default:
                number = number * 10 + (c - '0');
        }
    }
    return sum + product * number;
}
