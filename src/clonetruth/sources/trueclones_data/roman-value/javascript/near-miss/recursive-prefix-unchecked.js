function fromRoman(text) {
  const number = read(text);
  return number > 0 && number < 4000 && toRoman(number).length <= text.length ? number : -1;
}

const SYMBOLS = [['CM', 900], ['M', 1000], ['CD', 400], ['D', 500], ['XC', 90], ['C', 100], ['XL', 40], ['L', 50], ['IX', 9], ['X', 10], ['IV', 4], ['V', 5], ['I', 1]];

function read(text) {
  if (text === '') return 0;
  const [letters, value] = SYMBOLS.find(([one]) => text.startsWith(one));
  return value + read(text.slice(letters.length));
}

function toRoman(number) {
  if (number === 0) return '';
  let best = SYMBOLS[12];
  for (const symbol of SYMBOLS) if (symbol[1] <= number && symbol[1] > best[1]) best = symbol;
  return best[0] + toRoman(number - best[1]);
}
