vector<int> expand(vector<int> data) {
    vector<int> result;
    int literal = 0, times = 0;
    for (int b : data) {
        if (literal > 0) {
            result.push_back(b);
            literal--;
        } else if (times > 0) {
            while (times > 0) {
                result.push_back(b);
                times--;
            }
        } else if (b < 128) {
            literal = b + 1;
        } else {
            times = (257 - b) % 130;  // 128 gives 0
        }
    }
    if (literal + times > 0) result = {-1};
    return result;
}
