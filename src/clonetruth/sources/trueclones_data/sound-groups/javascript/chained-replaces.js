const alike = (names) => {
  const codes = names.map((name) => {
    const [head, ...rest] = name.toUpperCase();
    const text = head + rest.join('').replace(/[HW]/g, '');
    const digits = text
      .replace(/[BFPV]/g, 1)
      .replace(/[CGJKQSXZ]/g, 2)
      .replace(/[DT]/g, 3)
      .replace(/L/g, 4)
      .replace(/[MN]/g, 5)
      .replace(/R/g, 6)
      .replace(/(\d)\1+/g, '$1')
      .slice(1)
      .replace(/\D/g, '');
    return head + digits.concat('000').substring(0, 3);
  });
  return codes.map((code) => codes.indexOf(code));
};
