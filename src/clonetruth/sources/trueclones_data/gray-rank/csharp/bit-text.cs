static int Decode(int word)
{
    var bits = Convert.ToString(word, 2).Select(c => c == '1');
    bool last = false;
    var plain = bits.Select(bit => last ^= bit).ToArray();
    return plain.Aggregate(0, (number, bit) => number * 2 + (bit ? 1 : 0));
}
