#include <string>
#include <vector>

std::vector<std::string> parseLine(const std::string& line) {
    enum State { START, PLAIN, QUOTED, QUOTE };
    State state = START;
    std::vector<std::string> fields;
    std::string field;
    for (char c : line) {
        switch (state) {
            case START:
                if (c == '"') {
                    state = QUOTED;
                    break;
                }
                state = PLAIN;
                // fall through
            case PLAIN:
                if (c == ',') {
                    fields.push_back(field);
                    field.clear();
                    state = START;
                } else {
                    field += c;
                }
                break;
            case QUOTED:
                if (c == '"') state = QUOTE;
                else field += c;
                break;
            case QUOTE:
                // the second of two quotes, or the comma behind the field
                if (c == '"') {
                    field += '"';
                    state = QUOTED;
                } else {
                    fields.push_back(field);
                    field.clear();
                    state = START;
                }
        }
    }
    fields.push_back(field);
    return fields;
}
