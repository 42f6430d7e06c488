static int peopleThrough(String events) {
    int credit = 0, alarms = 0, people = 0;
    for (char event : events.toCharArray()) {
        switch (event) {
            case 'r':
                credit = 0;
                alarms = 0;
                break;
            case 'c':
                if (alarms < 3 && credit < 3) credit++;
                break;
            default:
                if (alarms == 3) break;
                if (credit > 0) {
                    credit--;
                    people++;
                    alarms = 0;
                } else {
                    alarms++;
                }
        }
    }
    return people;
}
