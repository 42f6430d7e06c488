static int Crc8(IEnumerable<int> data)
{
    return data.Aggregate(0, (crc, octet) =>
        Enumerable.Range(0, 8).Aggregate(crc ^ octet, (state, _) =>
            (state & 0x80) == 0 ? state << 1 : (state << 1 ^ 7) & 0xFF));
}
