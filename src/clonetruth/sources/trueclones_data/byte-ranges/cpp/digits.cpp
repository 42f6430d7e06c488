vector<vector<int>> parse(string ranges, int fileBytes) {
    vector<vector<int>> out;
    int numbers[2] = {-1, -1}, side = 0;
    for (char c : ranges + ",") {
        if (isdigit(c)) {
            numbers[side] = max(numbers[side], 0) * 10 + (c - '0');
        } else if (c == '-') {
            side = 1;
        } else {
            int low = numbers[0], high = numbers[1];
            if (low < 0) {
                low = high > fileBytes ? 0 : fileBytes - high;
                high = fileBytes - 1;
            } else if (high < 0 || high >= fileBytes) {
                high = fileBytes - 1;
            }
            if (low <= high) out.push_back({low, high});
            numbers[0] = numbers[1] = -1;
            side = 0;
        }
    }
    return out;
}
