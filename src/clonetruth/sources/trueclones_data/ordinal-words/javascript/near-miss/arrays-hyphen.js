function ordinalWords(number) {
  const ones = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
  const ordinals = [
    '', 'first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth', 'eleventh',
    'twelfth', 'thirteenth', 'fourteenth', 'fifteenth', 'sixteenth', 'seventeenth', 'eighteenth', 'nineteenth',
  ];
  const tens = ['twent', 'thirt', 'fort', 'fift', 'sixt', 'sevent', 'eight', 'ninet'];
  const words = [];
  const thousands = Math.floor(number / 1000);
  const hundreds = Math.floor(number / 100) % 10;
  const rest = number % 100;
  if (thousands) words.push(ones[thousands], 'thousand');
  if (hundreds) words.push(ones[hundreds], 'hundred');
  if (rest === 0) return words.join(' ') + 'th';
  if (rest < 20) words.push(ordinals[rest]);
  else if (rest % 10 === 0) words.push(tens[rest / 10 - 2] + 'yth');
  else words.push(tens[Math.floor(rest / 10) - 2] + 'y-' + ordinals[rest % 10]);
  return words.join(' ');
}
