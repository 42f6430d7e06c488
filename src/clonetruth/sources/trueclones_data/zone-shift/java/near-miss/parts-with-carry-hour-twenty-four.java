String there(String time, int from, int to) {
    String[] parts = time.split(":");
    int difference = to - from;
    int minute = Integer.parseInt(parts[1]) + difference % 60;
    int hour = Integer.parseInt(parts[0]) + difference / 60;
    if (minute < 0) {
        minute += 60;
        hour--;
    } else if (minute > 59) {
        minute -= 60;
        hour++;
    }
    int day = 0;
    for (; hour < 0; hour += 24) day--;
    for (; hour > 24; hour -= 24) day++;
    String result = two(hour) + ":" + two(minute);
    if (day > 0) result += " +" + day;
    if (day < 0) result += " " + day;
    return result;
}

private String two(int number) {
    return number < 10 ? "0" + number : "" + number;
}
