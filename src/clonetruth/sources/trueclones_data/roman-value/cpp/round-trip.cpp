static int letter(char c) {
    switch (c) {
        case 'M': return 1000;
        case 'D': return 500;
        case 'C': return 100;
        case 'L': return 50;
        case 'X': return 10;
        case 'V': return 5;
    }
    return 1;
}

int parse(string text) {
    int sum = 0;
    for (size_t i = 0; i < text.size(); i++) {
        bool minus = i + 1 < text.size() && letter(text[i]) < letter(text[i + 1]);
        sum += minus ? -letter(text[i]) : letter(text[i]);
    }
    if (sum < 1 || sum > 3999) return -1;
    string again;
    const string marks = "MDCLXVI";
    int unit = 1000;
    for (size_t m = 0; m < marks.size(); m += 2, unit /= 10) {
        int d = sum / unit % 10;
        if (d == 9) again += {marks[m], marks[m - 2]};
        else if (d == 4) again += {marks[m], marks[m - 1]};
        else {
            if (d >= 5) again += marks[m - 1];
            again.append(d % 5, marks[m]);
        }
    }
    return again == text ? sum : -1;
}
