String walk(String time, int from, int to) {
    int hour = Integer.parseInt(time.substring(0, 2)), minute = Integer.parseInt(time.substring(3, 5)), day = 0;
    int step = Integer.signum(to - from);
    for (int offset = from; offset != to; offset += step) {
        minute += step;
        if (minute == 60 || minute == -1) {
            minute = step > 0 ? 0 : 59;
            hour += step;
        }
        if (hour == 24 || hour == -1) {
            hour = step > 0 ? 0 : 23;
            day = step;
        }
    }
    StringBuilder out = new StringBuilder();
    out.append(hour / 10).append(hour % 10).append(':').append(minute / 10).append(minute % 10);
    if (day != 0) out.append(' ').append(day > 0 ? "+" : "-").append(Math.abs(day));
    return out.toString();
}
