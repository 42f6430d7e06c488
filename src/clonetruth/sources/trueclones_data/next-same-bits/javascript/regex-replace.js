function successor(number) {
  const text = `0${number.toString(2)}`;
  const moved = text.replace(/01(1*)(0*)$/, (_, ones, zeros) => '10' + zeros + ones);
  return parseInt(moved, 2);
}
