function inSubnet(address, network) {
  const toNumber = (text) => {
    const parts = text.split('.');
    if (parts.length !== 4 || !parts.every((p) => /^(0|[1-9]\d{0,2})$/.test(p) && Number(p) < 256)) return -1;
    return parts.reduce((sum, p) => sum * 256 + Number(p), 0);
  };
  const [base, prefix, ...extra] = network.split('/');
  if (prefix === undefined || extra.length > 0) return false;
  if (!/^(0|[1-9]|[12]\d|3[0-2])$/.test(prefix)) return false;
  const a = toNumber(address);
  const b = toNumber(base);
  if (a < 0 || b < 0) return false;
  const bits = Number(prefix);
  return bits === 0 || a >>> (32 - bits) === b >>> (32 - bits);
}
