const positions = (ranges, size) =>
  [...ranges.matchAll(/(\d*)-(\d*)/g)]
    .map(([, a, b]) => {
      if (a === '') return [size - Math.min(size, +b), size - 1];
      return [+a, b === '' ? size - 1 : +b];
    })
    .map(([low, high]) => [low, high < size ? high : size - 1])
    .filter(([low, high]) => low <= high);
