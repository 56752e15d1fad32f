// SPDX-License-Identifier: Apache-2.0
// Puts the page together: theme, sections, deep links, print.

const systemDark = matchMedia("(prefers-color-scheme: dark)");

// Storage is refused to some pages that are opened from disk; the choice then lasts as long as the page.
function stored(value) {
  try {
    if (value === undefined) return localStorage.getItem("tvmffi-conform-theme");
    localStorage.setItem("tvmffi-conform-theme", value);
  } catch { /* not kept */ }
  return null;
}

function drawTheme(button) {
  const root = document.documentElement;
  const dark = () => (root.dataset.theme ? root.dataset.theme === "dark" : systemDark.matches);
  const label = () => { button.textContent = dark() ? "Light theme" : "Dark theme"; };
  const known = stored();
  if (known === "dark" || known === "light") root.dataset.theme = known;
  button.addEventListener("click", () => {
    root.dataset.theme = dark() ? "light" : "dark";
    stored(root.dataset.theme);
    label();
  });
  systemDark.addEventListener("change", label);
  label();
  button.hidden = false;
}

function reveal(node, focus = node) {
  node.scrollIntoView({ block: "start" });
  focus.focus({ preventScroll: true });
}

let drawn = "";

// Shows what the address says.
function follow() {
  const { place, chosen } = readAddress(location.hash);
  const [, kind, id] = PLACE.exec(place) || [];
  const named = kind === "case" ? casesOf(id) : [];
  const clause = kind === "clause" ? byId.clause.get(id) : null;
  Object.assign(filters, chosen);
  pinned.cases = new Set(named);
  pinned.clause = clause;
  const now = addressOf(filters, named.length || clause ? place : "");
  if (now !== drawn) draw();
  drawn = now;
  if (named.length) showCases(named);
  else if (clause) showClause(clause);
  else if (place) goTo(document.getElementById(place));
}

function goTo(target) {
  if (!target || !target.closest("main")) return;
  if (target.matches("details")) target.open = true;
  reveal(target);
}

function drawSections(nav) {
  const shown = [...document.querySelectorAll("main > section")].filter((section) => !section.hidden);
  fill(nav, shown.map((section) => el("a", { href: `#${section.id}` }, section.querySelector("h2").textContent)));
  nav.hidden = shown.length < 2;
}

function readyForPrint() {
  const opened = [];
  addEventListener("beforeprint", () => {
    for (const node of document.querySelectorAll("details.trophy:not([open])")) {
      node.open = true;
      opened.push(node);
    }
    for (const { node, open } of list.nodes.values()) {
      if (node.open) continue;
      open();
      node.open = true;
      opened.push(node);
    }
  });
  addEventListener("afterprint", () => { for (const node of opened.splice(0)) node.open = false; });
}

function draw() {
  list.limit = STEP;
  if (runs.length) showFilters();
  drawMatrix(document.getElementById("matrix"));
  drawCases(document.getElementById("cases"));
  sortTables();
  markRelease();
}

document.getElementById("scriptless").remove();
drawTheme(document.getElementById("theme"));
if (runs.length) drawFilters(document.getElementById("filters"));
drawFiles(document.getElementById("files"));
nameRoles();
drawSorting();
foldBoards();
readyForPrint();
addEventListener("hashchange", follow);
addEventListener("click", followLink);
follow();
drawSections(document.getElementById("sections"));
