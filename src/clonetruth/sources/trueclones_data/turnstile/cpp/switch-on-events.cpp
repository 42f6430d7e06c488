int countPassed(const std::string& events) {
    const int limit = 3;
    int credit = 0, alarms = 0, passed = 0;
    for (const char event : events) {
        if (event == 'r') {
            credit = alarms = 0;
            continue;
        }
        if (alarms == limit) continue;  // blocked
        switch (event) {
            case 'c':
                credit = std::min(credit + 1, limit);
                break;
            case 'p':
                if (credit == 0) {
                    ++alarms;
                } else {
                    --credit;
                    ++passed;
                    alarms = 0;
                }
                break;
        }
    }
    return passed;
}
