"use strict";
(() => {
  const body = document.querySelector("#rows tbody");
  const heads = [...document.querySelectorAll("#rows th")];
  const rows = [...body.rows];
  const failed = document.querySelector("#failed"), find = document.querySelector("#find"), count = document.querySelector("#count");
  const collator = new Intl.Collator(undefined, { numeric: true });
  const texts = new Map(rows.map(r => [r, r.textContent.toLowerCase()]));

  // A cell over several columns is the reason why there are no numbers.
  const text = (row, i) => {
    for (const cell of row.cells) {
      if (i < cell.colSpan) return cell.colSpan > 1 ? "" : cell.textContent;
      i -= cell.colSpan;
    }
  };

  // Only rows that can be seen, and some more, are in the table: laying out
  // thousands takes seconds.
  const some = 200;
  let order = rows, shown = rows, listed = 0;
  const list = upTo => {
    const next = document.createDocumentFragment();
    for (; listed < Math.min(upTo, shown.length); listed++) next.append(shown[listed]);
    body.append(next);
  };
  const filter = () => {
    const words = find.value.toLowerCase().split(/\s+/);
    shown = order.filter(r => (!failed?.checked || r.classList.contains("failed")) && words.every(w => texts.get(r).includes(w)));
    count.textContent = shown.length < rows.length ? `${shown.length} of ${rows.length}` : "";
    body.replaceChildren();
    listed = 0;
    list(some);
  };
  const wide = document.querySelector(".wide");
  wide.addEventListener("scroll", () => {
    if (wide.scrollTop + 3 * wide.clientHeight > wide.scrollHeight) list(listed + some);
  });
  addEventListener("beforeprint", () => list(shown.length));

  // Empty cells come last in either direction; equal ones stay in their order.
  const sort = (i, number, sign) => {
    const keys = new Map(rows.map(r => {
      const t = text(r, i);
      return [r, t && number ? +t : t];
    }));
    order = [...rows].sort((a, b) => {
      const x = keys.get(a), y = keys.get(b);
      if (x === "" || y === "") return (x === "") - (y === "");
      return sign * (number ? x - y : collator.compare(x, y));
    });
    wide.scrollTop = 0;
    filter();
  };
  heads.forEach((th, i) => th.firstChild.addEventListener("click", () => {
    const down = th.getAttribute("aria-sort") === "ascending";
    for (const h of heads) h.setAttribute("aria-sort", "none");
    th.setAttribute("aria-sort", down ? "descending" : "ascending");
    sort(i, th.classList.contains("n"), down ? -1 : 1);
  }));

  find.addEventListener("input", filter);
  failed?.addEventListener("change", filter);
  filter();
})();
