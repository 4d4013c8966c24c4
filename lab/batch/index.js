"use strict";
(() => {
  const body = document.querySelector("#rows tbody");
  const heads = [...document.querySelectorAll("#rows th")];
  const rows = [...body.rows];
  const failed = document.querySelector("#failed"), find = document.querySelector("#find"), count = document.querySelector("#count");
  const collator = new Intl.Collator(undefined, { numeric: true });
  const texts = rows.map(r => r.textContent.toLowerCase());

  // Empty cells come last in either direction; equal ones stay in their order.
  const sort = (i, number, sign) => {
    const keys = new Map(rows.map(r => {
      const text = r.cells[i].textContent;
      return [r, text && number ? +text : text];
    }));
    const order = [...rows].sort((a, b) => {
      const x = keys.get(a), y = keys.get(b);
      if (x === "" || y === "") return (x === "") - (y === "");
      return sign * (number ? x - y : collator.compare(x, y));
    });
    const sorted = document.createDocumentFragment();
    for (const r of order) sorted.append(r);
    body.append(sorted);
  };
  heads.forEach((th, i) => th.firstChild.addEventListener("click", () => {
    const down = th.getAttribute("aria-sort") === "ascending";
    for (const h of heads) h.setAttribute("aria-sort", "none");
    th.setAttribute("aria-sort", down ? "descending" : "ascending");
    sort(i, th.classList.contains("n"), down ? -1 : 1);
  }));

  const filter = () => {
    const words = find.value.toLowerCase().split(/\s+/);
    let shown = 0;
    rows.forEach((r, k) => {
      r.hidden = failed?.checked && !r.classList.contains("failed") || !words.every(w => texts[k].includes(w));
      shown += !r.hidden;
    });
    count.textContent = shown < rows.length ? `${shown} of ${rows.length}` : "";
  };
  find.addEventListener("input", filter);
  failed?.addEventListener("change", filter);
})();
