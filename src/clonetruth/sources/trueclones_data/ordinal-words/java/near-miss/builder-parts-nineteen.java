String words(int n) {
    String[] count = " one two three four five six seven eight nine".split(" ");
    String[] rank = (" first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth"
            + " fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth").split(" ");
    String[] stems = "twent thirt fort fift sixt sevent eight ninet".split(" ");
    StringBuilder text = new StringBuilder();
    int rest = n;
    if (rest >= 1000) {
        text.append(count[rest / 1000]).append(" thousand");
        rest %= 1000;
    }
    if (rest >= 100) {
        if (text.length() > 0) text.append(' ');
        text.append(count[rest / 100]).append(" hundred");
        rest %= 100;
    }
    if (rest == 0) return text.append("th").toString();
    if (text.length() > 0) text.append(' ');
    if (rest < 19) return text.append(rank[rest]).toString();
    text.append(stems[rest / 10 - 2]);
    return rest % 10 == 0 ? text.append("ieth").toString() : text.append("y-").append(rank[rest % 10]).toString();
}
