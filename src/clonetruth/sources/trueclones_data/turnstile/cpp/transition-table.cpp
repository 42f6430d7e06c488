#include <string>

// Rows are alarms, columns credits; a fourth row is the blocked gate.
int throughGate(const std::string& events) {
    int alarms = 0, credit = 0, people = 0;
    static const int afterCoin[] = {1, 2, 3, 3};
    for (std::size_t i = 0; i < events.size(); ++i) {
        const char e = events[i];
        if (e == 'r') {
            alarms = 0;
            credit = 0;
        } else if (alarms == 3) {
            // waits for the staff
        } else if (e == 'c') {
            credit = afterCoin[credit];
        } else if (credit > 0) {
            ++people;
            --credit;
            alarms = 0;
        } else {
            ++alarms;
        }
    }
    return people;
}
