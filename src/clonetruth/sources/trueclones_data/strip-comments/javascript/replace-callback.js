function stripComments(program) {
  return program.replace(/("(?:\\[^]|[^"\\])*"?)|\/\/.*|\/\*[^]*?(?:\*\/|$)/g, (token, string) => {
    if (string) return string;
    return token[1] === '/' ? '' : ' ';
  });
}
