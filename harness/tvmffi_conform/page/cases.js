// SPDX-License-Identifier: Apache-2.0
// The list of cases, worst first, then in the order of the specification; each opens to its details.

const STEP = 120, MOST_SQUARES = 48;
const list = { limit: STEP, nodes: new Map() };

// One small square a run, in the order of the matrix: shows where a failure comes and goes.
function strip(item) {
  return el(`span.strip.${item.level.toLowerCase()}`, { "aria-hidden": "true" }, runs.map((run) => (
    el(`i.${run.verdicts[item.number] === " " ? "none" : run.verdicts[item.number]}`,
      { title: `${run.label}: ${VERDICT_NAMES[run.verdicts[item.number]] || "not listed"}` }))));
}

function verdictOf(item) {
  const shown = shownRuns().map((run) => run.verdicts[item.number]);
  return [...Object.keys(VERDICT_NAMES)].find((verdict) => shown.includes(verdict)) || "s";
}

function tally(item, verdict) {
  const count = runs.filter((run) => run.verdicts[item.number] === verdict).length;
  return runs.length === 1 ? "" : `${count} of ${runs.length}`;
}

// A case whose title stands right above it, at its sibling, shows its id only.
function caseNode(item, index, shown) {
  const same = index > 0 && shown[index - 1].title === item.title;
  const verdict = verdictOf(item);
  const tone = verdict === "f" ? FAILED[item.level] : verdict;
  const summary = el("summary", {},
    el(`span.chip.${tone}`, {}, VERDICT_NAMES[verdict]),
    el("span.case-name", {}, el("span.id", {}, item.id), el(same ? "span.title.same" : "span.title", {}, item.title)),
    el("span.case-side", {},
      el("span.tally", {}, tally(item, verdict)), runs.length > 1 && runs.length <= MOST_SQUARES && strip(item), levelMark(item.level)));
  const node = el("details.case", { id: `case-${item.id}`, tabindex: "-1" }, summary);
  const open = () => {
    if (node.childElementCount > 1) return;
    node.append(el("div.case-body", {},
      item.clauses.map(drawClause), drawOutcomes(item), drawOthers(item),
      el("p.muted", {}, link("case", item.id, "Link to this case"))));
  };
  node.addEventListener("toggle", () => { if (node.open) open(); });
  list.nodes.set(item.id, { node, open });
  return node;
}

const urgency = (item) => {
  const rank = "fiuxps".indexOf(verdictOf(item));
  return (rank < 3 ? 3 * LEVELS.indexOf(item.level) : rank + 6) * 1e6 + item.number;
};

function drawCases(section) {
  const words = wanted();
  const found = cases.filter((item) => caseFits(item, words));
  found.sort((a, b) => urgency(a) - urgency(b));
  list.nodes.clear();
  const more = el("button", { type: "button" }, `Show ${Math.min(STEP, found.length - list.limit)} more`);
  more.addEventListener("click", () => {
    const next = found[list.limit];
    list.limit += STEP;
    drawCases(section);
    list.nodes.get(next.id).node.querySelector("summary").focus();
  });
  const none = cases.some((item) => runs.some((run) => BAD_VERDICTS.includes(run.verdicts[item.number])))
    ? "No case matches these filters." : "Every case that applies passed. Tick a verdict above to list cases.";
  section.replaceChildren(section.querySelector("h2"),
    el("p.lead", { role: "status" }, found.length
      ? `${several(found.length, "case")} of ${cases.length.toLocaleString("en")}.` : none),
    ...found.slice(0, list.limit).map(caseNode),
    found.length > list.limit ? more : "");
  section.hidden = runs.length === 0;
}

// Brings a case into view, open, whatever the filters were.
function showCase(item) {
  const listed = () => list.nodes.get(item.id);
  if (!listed()) {
    list.limit = STEP;
    setFilters({ text: item.id, level: "", chapter: "", run: "", verdicts: new Set(Object.keys(VERDICT_NAMES)) });
  }
  if (!listed()) return;
  listed().open();
  listed().node.open = true;
  reveal(listed().node);
}
