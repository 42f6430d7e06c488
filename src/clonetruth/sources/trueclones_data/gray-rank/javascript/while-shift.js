function grayRank(word) {
  let number = 0;
  while (word > 0) {
    number ^= word;
    word = Math.floor(word / 2);
  }
  return number;
}
