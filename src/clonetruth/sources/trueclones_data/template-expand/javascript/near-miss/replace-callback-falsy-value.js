function expand(template, names, values) {
  return template.replace(/\{\{|\}\}|\{([a-z]+)\}/g, (whole, name) => {
    if (name === undefined) return whole[0];
    const index = names.indexOf(name);
    return (index >= 0 && values[index]) || whole;
  });
}
