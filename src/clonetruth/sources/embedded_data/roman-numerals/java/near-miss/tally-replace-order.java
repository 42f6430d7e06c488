static String fromTally(int count) {
    char[] tally = new char[count];
    Arrays.fill(tally, 'I');
    return new String(tally)
            .replace("IIIII", "V").replace("VV", "X")
            .replace("XXXXX", "L").replace("LL", "C")
            .replace("CCCCC", "D").replace("DD", "M")
            // four of a kind become a subtraction, the ninth of a decade first
            .replace("CCCC", "CD").replace("DCCCC", "CM")
            .replace("LXXXX", "XC").replace("XXXX", "XL")
            .replace("VIIII", "IX").replace("IIII", "IV");
}
