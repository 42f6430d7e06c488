int steps(const std::vector<std::string>& rows) {
    int width = rows[0].size(), height = rows.size();
    std::string maze;
    for (std::string row : rows) {
        row.resize(width, '#');
        maze += row;
    }
    std::vector<int> distance(maze.size(), -1);
    std::queue<int> queue;
    if (maze[0] != '#') {
        distance[0] = 0;
        queue.push(0);
    }
    while (!queue.empty()) {
        int at = queue.front();
        queue.pop();
        for (int to = 0; to < width * height; to++) {
            if (maze[to] == '#' || distance[to] >= 0) continue;
            bool near = std::abs(to / width - at / width) + std::abs(to % width - at % width) == 1;
            if (near || (maze[at] != '.' && maze[at] == maze[to])) {
                distance[to] = distance[at] + 1;
                queue.push(to);
            }
        }
    }
    return distance.back();
}
