const separate = (n, sep) => String(n).replace(/\d(?=(?:\d{3})+$)/g, '$&' + sep)
