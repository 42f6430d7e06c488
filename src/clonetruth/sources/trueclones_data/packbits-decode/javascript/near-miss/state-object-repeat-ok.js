function decompress(input) {
  const state = { mode: 'header', count: 0 };
  const output = [];
  const modes = {
    header(byte) {
      if (byte === 128) return;
      state.mode = byte < 128 ? 'copy' : 'repeat';
      state.count = byte < 128 ? byte + 1 : 257 - byte;
    },
    copy(byte) {
      output.push(byte);
      state.count -= 1;
      if (state.count === 0) state.mode = 'header';
    },
    repeat(byte) {
      for (; state.count > 0; state.count -= 1) output.push(byte);
      state.mode = 'header';
    },
  };
  input.forEach((byte) => modes[state.mode](byte));
  return state.mode !== 'copy' ? output : [-1];
}
