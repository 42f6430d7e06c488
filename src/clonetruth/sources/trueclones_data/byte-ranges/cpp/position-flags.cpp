static int number(const string& digits, int missing) {
    return digits.empty() ? missing : stoi(digits);
}

vector<vector<int>> ranges(string text, int fileBytes) {
    vector<vector<int>> out;
    istringstream in(text);
    for (string one; getline(in, one, ',');) {
        string left = one.substr(0, one.find('-')), right = one.substr(one.find('-') + 1);
        // looks at every position of the file
        int low = -1, high = -1;
        for (int p = 0; p < fileBytes; p++) {
            bool inside = left.empty() ? fileBytes - p <= number(right, 0) : p >= number(left, 0) && p <= number(right, 99);
            if (!inside) continue;
            if (low < 0) low = p;
            high = p;
        }
        if (low >= 0) out.push_back({low, high});
    }
    return out;
}
