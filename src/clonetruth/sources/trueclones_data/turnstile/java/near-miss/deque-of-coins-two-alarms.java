public int visitors(String events) {
    int sum = 0;
    for (String shift : events.split("r", -1)) {
        Deque<Character> tray = new ArrayDeque<>();
        StringBuilder row = new StringBuilder();
        for (int i = 0; i < shift.length() && row.length() < 2; i++) {
            if (shift.charAt(i) == 'c') {
                if (tray.size() < 3) tray.push('c');
            } else if (tray.isEmpty()) {
                row.append('!');
            } else {
                tray.pop();
                row.setLength(0);
                sum++;
            }
        }
    }
    return sum;
}
