// SPDX-License-Identifier: Apache-2.0
// Implementations side by side: a row a chapter, below it a row a clause, below that the clause. Runtimes and
// modules are judged by different clauses, so each profile has a table of its own.

// From so many columns on they are narrow, that a page as wide as this one's shows more of them.
const FITS_A_PHONE = 6, MANY = 20, VERY_MANY = 36;
const matrix = { open: new Set(), shown: new Set(), bodies: new Map(), rows: new Map() };

function toggle(text, open, flip, ...more) {
  const button = el("button.toggle", { type: "button", "aria-expanded": String(open) }, text, ...more);
  button.addEventListener("click", () => flip(button.getAttribute("aria-expanded") !== "true"));
  return button;
}

function cell(state, text, says, act) {
  const look = STANDING[state];
  const content = [el("span", { "aria-hidden": "true" }, text), hidden(says)];
  if (!act) return el(`td.cell.${look.tone}`, { title: says }, content);
  const button = el("button", { type: "button" }, content);
  button.addEventListener("click", act);
  return el(`td.cell.${look.tone}`, { title: says }, button);
}

const goToCases = (values) => go({ level: "", text: "", chapter: "", verdicts: BAD_VERDICTS, ...values }, "cases");

// The worst that a chapter shows in a run, and how many clauses of it.
function chapterCell(name, listed, run) {
  const counts = { h: 0, b: 0, a: 0, r: 0, w: 0, n: 0, l: 0, e: 0, " ": 0 };
  for (const clause of listed) counts[standing(clause, run)] += 1;
  const worst = ["b", "a", "r", "w", "h", "n", "l", "e"].find((state) => counts[state]) || "n";
  const judged = counts.h + counts.b + counts.a + counts.r + counts.w;
  const says = !judged ? `${run.label}: nothing judged`
    : `${run.label}: ${counts.h} of ${several(judged, "clause")} hold`
      + (counts.b ? `, ${counts.b} MUST broken` : "") + (counts.a ? `, ${counts.a} SHOULD broken` : "")
      + (counts.r ? `, ${counts.r} HARDENING broken` : "")
      + (counts.w ? `, ${counts.w} waived` : "");
  const number = judged > 0 && el("span.of-cell", {}, ` ${counts[worst]}`);
  const act = "barw".includes(worst)
    ? () => goToCases({ chapter: name, run: run.label }) : null;
  return cell(worst, [STANDING[worst].mark, number], says, act);
}

function clauseCell(clause, run) {
  const state = standing(clause, run);
  const look = STANDING[state];
  const act = "barw".includes(state)
    ? () => goToCases({ text: clause.id, run: run.label }) : null;
  return cell(state, look.mark, `${run.label}: ${standingSays(clause, state)}`, act);
}

function clauseRow(clause, group) {
  const open = matrix.shown.has(clause.id);
  const flip = (now) => {
    matrix.shown[now ? "add" : "delete"](clause.id);
    row.nextSibling.hidden = !now;
    if (now && !row.nextSibling.firstChild) row.nextSibling.append(clauseText(clause, group));
    row.querySelector(".toggle").setAttribute("aria-expanded", String(now));
  };
  const first = !matrix.rows.has(clause.id);
  const row = el("tr.clause-row", { id: first ? `clause-${clause.id}` : null, tabindex: "-1" },
    el("th", { scope: "row" },
      toggle(el("span.id", {}, clause.id), open, flip,
        el("span.title", {}, clause.title, clause.level !== "MUST" && [" ", levelMark(clause.level)],
          group.runs.some((run) => standing(clause, run) === "l")
            && [" ", el("span.since", {}, `since ${clause.since}`)]))),
    group.runs.map((run) => clauseCell(clause, run)));
  const text = el("tr.clause-text", { hidden: !open }, open && clauseText(clause, group));
  if (first) matrix.rows.set(clause.id, { row, flip });
  return [row, text];
}

function clauseText(clause, group) {
  const judged = clause.cases.map((item) => el("li", {}, link("case", item.id, item.id)));
  return el("td", { colspan: String(group.runs.length + 1) },
    el("div.sheet", {}, el("p.name", {}, levelMark(clause.level)), prose(clause.text), clauseMeta(clause),
      judged.length > 0 && el("details", {},
        el("summary", {}, `Judged by ${several(judged.length, "case")}`), el("ul.plain", {}, judged))));
}

function chapterBody(name, listed, open, group) {
  const key = `${group.profile} ${name}`;
  const flip = (now) => {
    matrix.open[now ? "add" : "delete"](name);
    for (const clause of listed) matrix.rows.delete(clause.id);
    body.replaceWith(chapterBody(name, listed, now, group));
    matrix.bodies.get(key).body.querySelector(".toggle").focus();
  };
  const body = el("tbody", {},
    el("tr.chapter-row", {},
      el("th", { scope: "rowgroup" },
        toggle(name, open, flip), el("span.muted.count", {}, several(listed.length, "clause"))),
      group.runs.map((run) => chapterCell(name, listed, run))),
    open && listed.map((clause) => clauseRow(clause, group)));
  matrix.bodies.set(key, { body, flip });
  return body;
}

function legend() {
  const used = new Set(runs.flatMap((run) => [...run.standings]));
  const entries = ["h", "b", "a", "r", "w", "l", "n"].filter((state) => state !== "l" || used.has("l")).map((state) => (
    el("li", {}, el(`span.cell.${STANDING[state].tone}`, {}, STANDING[state].mark), ` ${STANDING[state].says}`)));
  return el("ul.legend", { "aria-label": "Legend" }, entries);
}

const isJudged = (clause, run) => "hb".includes(run.standings[clause.number]);

// The table of one profile: the chapters that some run of it was judged by, as far as the filters let them.
function profileTable(group, found, words, unjudged) {
  const judged = new Set(clauses.filter((clause) => group.all.some((run) => isJudged(clause, run)))
    .map((clause) => clause.chapter));
  const bodies = chapters.filter((name) => judged.has(name)
    || (group.first && unjudged.includes(name) && matrix.open.has(name))).map((name) => {
    const listed = found.filter((clause) => clause.chapter === name);
    const open = matrix.open.has(name) || (words.length > 0 && found.length <= 40);
    return listed.length > 0 && chapterBody(name, listed, open, group);
  });
  const heads = group.runs.map((run) => el("th.run", { scope: "col", title: run.label },
    el("span.turned", {}, run.label, !run.complete && " (incomplete)")));
  return el("div.scroll", { role: "group", "aria-label": `Matrix of the ${group.profile} profile`, tabindex: "0" },
    el(`table.matrix${group.runs.length > MANY ? ".many" : ""}${group.runs.length > VERY_MANY ? ".very-many" : ""}`, {},
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, group.alone ? "clauses" : `${group.profile} profile`), heads)),
      bodies));
}

// Draws the matrix for the filters as they are. Chapters that were judged nowhere are named below it.
function drawMatrix(section) {
  const words = wanted();
  const shown = shownRuns();
  const found = clauses.filter((clause) => clauseFits(clause, words));
  const unjudged = chapters.filter((name) => !clauses.some(
    (clause) => clause.chapter === name && runs.some((run) => isJudged(clause, run))));
  matrix.bodies.clear();
  matrix.rows.clear();
  // What could not be read has none, and no clause to show.
  const profiles = [...new Set(shown.map((run) => run.profile))].filter((name) => name !== "none");
  const groups = profiles.map((profile, i) => ({
    profile,
    first: i === 0,
    alone: profiles.length === 1,
    all: runs.filter((run) => run.profile === profile),
    runs: shown.filter((run) => run.profile === profile),
  }));
  section.replaceChildren(section.querySelector("h2"),
    el("p.lead", {}, `${several(found.length, "clause")}, ${several(shown.length, "implementation")}. `
      + "Open a chapter for its clauses; a broken cell leads to its cases."),
    shown.length > FITS_A_PHONE ? el("p.muted.sideways", {}, "Scroll the tables sideways, or choose an implementation above.") : "",
    ...groups.map((group) => profileTable(group, found, words, unjudged)),
    legend(),
    unjudged.length ? el("p.muted", {}, `Judged in none of these runs: ${unjudged.join(", ")}.`) : "");
  section.hidden = runs.length === 0;
}

// Brings a clause into view, open.
function showClause(clause) {
  if (!matrix.rows.has(clause.id)) {
    matrix.open.add(clause.chapter);
    drawMatrix(document.getElementById("matrix"));
  }
  const { row, flip } = matrix.rows.get(clause.id);
  flip(true);
  reveal(row);
}
