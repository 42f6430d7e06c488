"use strict";
/* Sorting and filtering of tables. Everything on the page can be read without this script: it adds its
   controls itself, so that no dead button remains where it does not run. */
(() => {
  const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

  const keyOf = (row, index) => {
    const cell = row.cells[index];
    const number = cell.dataset.sort;
    if (number === undefined) return cell.textContent.trim();
    return number === "" ? null : Number(number);
  };

  /* Unknown values stay at the end in either direction. */
  const compare = (a, b, sign) => {
    if (a === null || b === null) return (a === null) - (b === null);
    if (typeof a === "number" && typeof b === "number") return sign * (a - b);
    return sign * collator.compare(String(a), String(b));
  };

  const sortBy = (table, header) => {
    const index = header.cellIndex;
    const descending = header.getAttribute("aria-sort") === "ascending";
    const body = table.tBodies[0];
    const keyed = Array.from(body.rows, (row) => [keyOf(row, index), row]);
    keyed.sort((a, b) => compare(a[0], b[0], descending ? -1 : 1));
    body.append(...keyed.map((entry) => entry[1]));
    for (const other of header.parentElement.cells) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", descending ? "descending" : "ascending");
  };

  const makeSortable = (table) => {
    if (table.tBodies[0].rows.length < 2) return;
    for (const header of table.tHead.rows[0].cells) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...header.childNodes);
      button.addEventListener("click", () => sortBy(table, header));
      header.append(button);
    }
  };

  const makeFilterable = (block, table) => {
    const textOf = (row) => Array.from(row.cells, (cell) => cell.textContent).join(" ").toLowerCase();
    const rows = Array.from(table.tBodies[0].rows, (row) => [row, textOf(row)]);
    const tools = document.createElement("div");
    const label = document.createElement("label");
    const field = document.createElement("input");
    const status = document.createElement("span");
    tools.className = "table-tools";
    field.type = "search";
    field.placeholder = "words, in any order";
    field.autocomplete = "off";
    label.append("Filter rows ", field);
    status.setAttribute("role", "status");
    const update = () => {
      const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const [row, text] of rows) {
        row.hidden = !words.every((word) => text.includes(word));
        if (!row.hidden) shown += 1;
      }
      status.textContent = `${shown.toLocaleString("en")} of ${rows.length.toLocaleString("en")} rows`;
    };
    field.addEventListener("input", update);
    tools.append(label, status);
    block.prepend(tools);
    update();
  };

  for (const block of document.querySelectorAll(".table-block")) {
    const table = block.querySelector("table");
    if (block.classList.contains("sortable")) makeSortable(table);
    if (block.classList.contains("filterable")) makeFilterable(block, table);
  }
})();
