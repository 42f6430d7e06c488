String nth(int n) {
    char[] wheel = {'@', '@', '@', '@'};
    for (int step = 0; step < n; step++) {
        int at = wheel.length - 1;
        while (wheel[at] == 'Z') wheel[at--] = 'A';
        wheel[at]++;
    }
    return new String(wheel).replace("@", "");
}
