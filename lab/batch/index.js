"use strict";
(() => {
  const body = document.querySelector("#rows tbody");
  const heads = [...document.querySelectorAll("#rows th")];
  const rows = [...body.rows];
  const text = (row, i) => row.cells[i].textContent;

  // Empty cells come last in either direction.
  const compare = (i, number, sign) => (a, b) => {
    const x = text(a, i), y = text(b, i);
    if (!x || !y) return (x ? 0 : 1) - (y ? 0 : 1);
    return sign * (number ? x - y : x.localeCompare(y, undefined, { numeric: true }));
  };
  heads.forEach((th, i) => th.firstChild.addEventListener("click", () => {
    const down = th.getAttribute("aria-sort") === "ascending";
    for (const h of heads) h.setAttribute("aria-sort", "none");
    th.setAttribute("aria-sort", down ? "descending" : "ascending");
    rows.sort(compare(i, th.classList.contains("n"), down ? -1 : 1));
    body.append(...rows);
  }));

  const find = document.querySelector("#find"), count = document.querySelector("#count");
  find.addEventListener("input", () => {
    const words = find.value.toLowerCase().split(/\s+/);
    let shown = 0;
    for (const r of rows) {
      const all = r.textContent.toLowerCase();
      r.hidden = !words.every(w => all.includes(w));
      shown += !r.hidden;
    }
    count.textContent = find.value ? `${shown} of ${rows.length}` : "";
  });
})();
