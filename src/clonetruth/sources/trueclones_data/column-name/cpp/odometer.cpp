#include <string>

// Counts up from A as an odometer does.
std::string column(int number) {
    std::string name = "A";
    while (--number > 0) {
        int place = name.size() - 1;
        while (place >= 0 && name[place] == 'Z') name[place--] = 'A';
        if (place < 0)
            name.insert(name.begin(), 'A');
        else
            ++name[place];
    }
    return name;
}
