// credit in the two low bits, alarms in the next two
static int count(String events) {
    int state = 0;
    int through = 0;
    for (int i = 0; i < events.length(); i++) {
        char c = events.charAt(i);
        int alarms = state >> 2;
        if (c == 'r') {
            state = 0;
        } else if (alarms != 3) {
            if (c == 'c') {
                if ((state & 3) != 3) state++;
            } else if ((state & 3) != 0) {
                state = (state & 3) - 1;
                through++;
            } else {
                state += 4;
            }
        }
    }
    return through;
}
