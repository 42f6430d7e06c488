#include <cctype>
#include <string>

class Parser {
public:
    explicit Parser(const std::string& text) : p(text.c_str()) {}

    int sum() {
        int value = product();
        while (*p == '+' || *p == '-') {
            const bool minus = *p++ == '-';
            const int operand = product();
            value = minus ? value - operand : value + operand;
        }
        return value;
    }

private:
    const char* p;

    int product() {
        int value = factor();
        while (*p == '*') {
            ++p;
            value *= factor();
        }
        return value;
    }

    int factor() {
        if (*p == '(') {
            ++p;
            const int value = sum();
            ++p;
            return value;
        }
        int number = 0;
        while (std::isdigit(*p)) number = number * 10 + (*p++ - '0');
        return number;
    }
};

int evaluate(const std::string& expression) {
    return Parser(expression).sum();
}
