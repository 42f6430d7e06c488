static String shift(String time, int fromOffset, int toOffset) {
    int minutes = Integer.parseInt(time.substring(0, 2)) * 60 + Integer.parseInt(time.substring(3));
    minutes += toOffset - fromOffset;
    int days = Math.floorDiv(minutes, 1440);
    int rest = Math.floorMod(minutes, 1440);
    String text = String.format("%02d:%02d", rest / 60, rest % 60);
    return days == 0 ? text : text + String.format(" %+d", days);
}
