public int Passed(string events) {
    // The state is 4 * alarms + credit; 12 means blocked.
    var afterCoin = new int[13];
    var afterPush = new int[13];
    for (int state = 0; state < 12; state++) {
        bool hasCredit = state % 4 > 0;
        afterCoin[state] = state % 4 < 3 ? state + 1 : state;
        afterPush[state] = hasCredit ? state % 4 - 1 : state + 4;
    }
    afterCoin[12] = afterPush[12] = 12;

    int now = 0, passed = 0;
    foreach (char letter in events) {
        if (letter == 'r') now = 0;
        else if (letter == 'c') now = afterCoin[now];
        else {
            if (now < 12 && now % 4 > 0) passed++;
            now = afterPush[now];
        }
    }
    return passed;
}
