// SPDX-License-Identifier: Apache-2.0
// Tables that stand in the page from the start: the order of their rows, and which release is shown alone.

// A narrow screen lays the rows of these tables out as blocks, of which a browser would tell no table any more.
const ROLES = { TABLE: "table", THEAD: "rowgroup", TBODY: "rowgroup", TR: "row", TD: "cell" };
const SCOPES = { col: "columnheader", row: "rowheader", rowgroup: "rowheader" };

function nameRoles() {
  for (const table of document.querySelectorAll("table.board, table.sortable")) {
    for (const node of [table, ...table.querySelectorAll("thead, tbody, tr, th, td")]) {
      node.setAttribute("role", ROLES[node.tagName] || SCOPES[node.getAttribute("scope")]);
    }
  }
}

// What a cell is ordered by: its key, else the number that it begins with, else its text.
function keyOf(row, column) {
  const cell = row.cells[column];
  if (!cell) return "";
  const text = cell.dataset.key || cell.textContent.trim();
  const number = parseFloat(text.replaceAll(",", ""));
  return Number.isNaN(number) || /^\d+\.\d+\.\d/.test(text) ? text : number;
}

function compare(a, b) {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), "en", { numeric: true });
}

const orders = (text) => new Map(text.split(",").map((part) => part.split(".")).filter((pair) => pair.length === 2)
  .map(([name, column]) => [name, Number(column) || 0]));

// A click orders by a column, the largest number or the first word first; the next turns it round; the third is as at first.
function nextOrder(name, column, falls) {
  const order = orders(filters.sort);
  const first = falls ? -column : column;
  const now = order.get(name);
  if (now === first) order.set(name, -first);
  else if (now === -first) order.delete(name);
  else order.set(name, first);
  return [...order].map((pair) => pair.join(".")).join(",");
}

// The heads that a click orders by: of a table of releases all but the one that has a link for each.
const sortedHeads = (table) => [...[...table.tHead.rows[0].cells].entries()].filter(([, head]) => !head.matches(".heads"));

// The line of a level stays above its rows.
const sortedRows = (body) => [...body.rows].filter((row) => !row.matches(".level-row"));

function drawSorting() {
  for (const table of document.querySelectorAll("table[data-sort]")) {
    table.original = [...table.tBodies].map(sortedRows);
    for (const [number, head] of sortedHeads(table)) {
      const button = el("button.sort", { type: "button" }, [...head.childNodes]);
      button.addEventListener("click", () => (
        go({ sort: nextOrder(table.dataset.sort, number + 1, head.matches(".number, .spread")) })));
      head.append(button);
    }
  }
}

function sortTables() {
  const order = orders(filters.sort);
  for (const table of document.querySelectorAll("table[data-sort]")) {
    const chosen = order.get(table.dataset.sort) || 0;
    const column = Math.abs(chosen) - 1;
    if (chosen === (table.chosen || 0)) continue;
    table.chosen = chosen;
    for (const [number, original] of table.original.entries()) {
      const rows = [...original];
      if (chosen) rows.sort((a, b) => Math.sign(chosen) * compare(keyOf(a, column), keyOf(b, column)));
      table.tBodies[number].append(...rows);
    }
    for (const [number, head] of sortedHeads(table)) {
      if (number === column) head.setAttribute("aria-sort", chosen > 0 ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
    }
  }
}

// From so many deviations of one level on they are folded, but for MUST and SHOULD.
const FOLDED = 8;

function foldBoards() {
  for (const body of document.querySelectorAll(".board tbody.hardening")) {
    if (body.rows.length <= FOLDED) continue;
    const head = body.rows[0].cells[0];
    const flip = (open) => {
      body.classList.toggle("folded", !open);
      button.setAttribute("aria-expanded", String(open));
    };
    const button = toggle(`show ${several(body.rows.length - 1, "deviation")}`, false, flip);
    head.append(" ", button);
    flip(false);
  }
}

// Of a release that is shown alone: what it breaks, in the place of all that any release breaks.
function markRelease() {
  let told = null;
  for (const board of document.querySelectorAll("#releases .board")) {
    const links = [...board.querySelectorAll(".heads a")];
    const column = links.findIndex((anchor) => anchor.dataset.run === filters.run);
    for (const [number, anchor] of links.entries()) {
      if (number === column) anchor.setAttribute("aria-current", "true");
      else anchor.removeAttribute("aria-current");
    }
    let left = 0;
    for (const row of board.querySelectorAll("tbody tr:not(.level-row)")) {
      const marks = row.querySelector(".course").children;
      row.hidden = column >= 0 && !/^[bo]/.test(marks[column].className);
      left += !row.hidden;
    }
    for (const strip of board.querySelectorAll(".course")) {
      for (const [number, mark] of [...strip.querySelectorAll(":scope > :is(a, b, i)")].entries()) {
        mark.classList.toggle("here", number === column);
      }
    }
    if (column >= 0) told = `${several(left, "deviation")} of ${filters.run}. `;
  }
  const note = document.getElementById("only-one");
  if (!note) return;
  note.hidden = told === null;
  const all = el("a", { href: "#releases" }, "Show all releases");
  all.dataset.run = filters.run;
  note.replaceChildren(...(told === null ? [] : [told, all]));
}
