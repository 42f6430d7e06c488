int fewest(vector<int> coins, int amount) {
    vector<int> steps(amount + 1, -1);
    queue<int> open;
    steps[0] = 0;
    open.push(0);
    while (!open.empty() && steps[amount] < 0) {
        int sum = open.front();
        open.pop();
        for (int coin : coins) {
            int next = sum + coin;
            if (next > amount || steps[next] >= 0) continue;
            steps[next] = steps[sum] + 1;
            open.push(next);
        }
    }
    return steps[amount];
}
