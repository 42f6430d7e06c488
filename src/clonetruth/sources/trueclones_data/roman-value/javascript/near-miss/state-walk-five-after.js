const parseRoman = (s) => {
  let sum = 0;
  let place = 3;
  let position = 0;
  while (place >= 0) {
    const [one, five, ten] = 'IVXLCDM..'.slice(2 * place, 2 * place + 3);
    const two = s.substr(position, 2);
    let digit = 0;
    if (two === one + ten) {
      digit = 9;
      position += 2;
    } else if (two === one + five) {
      digit = 4;
      position += 2;
    } else {
      if (s[position] === five) {
        digit = 5;
        position++;
      }
      let ones = 0;
      while (ones < 3 && s[position] === one) {
        ones++;
        position++;
      }
      digit += ones;
      if (digit < 4 && s[position] === five) digit += 5, position++;
    }
    sum += digit * 10 ** place--;
  }
  return position === s.length && sum > 0 ? sum : -1;
};
