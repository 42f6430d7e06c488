vector<int> simulate(vector<int> needs, int quantum) {
    list<int> queue;
    for (int job = 0; job < (int)needs.size(); job++)
        if (needs[job] > 0) queue.push_back(job);
    vector<int> finished(needs.size(), 0);
    int time = 0, slice = 0;
    while (!queue.empty()) {
        int job = queue.front();
        time++;
        slice++;
        needs[job]--;
        if (needs[job] > 0 && slice < quantum) continue;
        slice = 0;
        queue.pop_front();
        if (needs[job] > 0) queue.push_back(job);
        else finished[job] = time;
        // the switch to another job takes one unit
        if (!queue.empty() && queue.front() != job) time++;
    }
    return finished;
}
