static int faults(int size, int[] keys) {
    int[] slots = new int[size];
    int filled = 0, faults = 0;
    for (int key : keys) {
        int at = 0;
        while (at < filled && slots[at] != key) at++;
        if (at == filled) {
            faults++;
            if (filled < size) filled++;
            else at--;
        }
        // everything before the place moves back by one, the key goes to the front
        for (int i = at; i > 0; i--) slots[i] = slots[i - 1];
        if (size > 0) slots[0] = key;
    }
    return faults;
}
