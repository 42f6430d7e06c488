String romanNumeral(int n) {
    String ones = ",I,II,III,IV,V,VI,VII,VIII,IX";
    String tens = ",X,XX,XXX,XL,L,LX,LXX,LXXX,XC";
    String hundreds = ",C,CC,CCC,CD,D,DC,DCC,DCCC,CM";
    return "M".repeat(n / 1000)
            + hundreds.split(",")[n / 100 % 10]
            + tens.split(",")[n / 10 % 10]
            + ones.split(",")[n % 10];
}
