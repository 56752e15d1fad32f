// SPDX-License-Identifier: Apache-2.0
// The list of cases, worst first, then in the order of the specification; each opens to its details.

const STEP = 60, MOST_SQUARES = 48;
const list = { limit: STEP, nodes: new Map() };

// The runs that a case is for: those of the other profile do not list it.
const listing = (item) => runs.filter((run) => run.verdicts[item.number] !== " ");
const isOfModules = (item) => item.ofFunction || runs.every((run) => run.profile === "module" || run.verdicts[item.number] === " ");

// One small square a run, in the order of the matrix: shows where a failure comes and goes.
function strip(item) {
  return el(`span.strip.${item.level.toLowerCase()}`, { "aria-hidden": "true" }, listing(item).map((run) => (
    el(`i.${run.verdicts[item.number]}`, { title: `${run.label}: ${VERDICT_NAMES[run.verdicts[item.number]]}` }))));
}

function verdictOf(item) {
  const shown = shownRuns().map((run) => run.verdicts[item.number]);
  return [...Object.keys(VERDICT_NAMES)].find((verdict) => shown.includes(verdict)) || "s";
}

function tally(item, verdict) {
  const listed = listing(item);
  const count = listed.filter((run) => run.verdicts[item.number] === verdict).length;
  return listed.length === 1 ? "" : `${count} of ${listed.length}`;
}

// A case whose title stands right above it, at its sibling, shows its id only.
function caseNode(item, index, shown) {
  const same = index > 0 && shown[index - 1].title === item.title;
  const verdict = verdictOf(item);
  const squares = listing(item).length;
  const tone = verdict === "f" ? FAILED[item.level] : verdict;
  const summary = el("summary", {},
    el(`span.chip.${tone}`, {}, VERDICT_NAMES[verdict]),
    el("span.case-name", {}, el("span.id", {}, item.id), el(same ? "span.title.same" : "span.title", {}, item.title)),
    el("span.case-side", {},
      el("span.tally", {}, tally(item, verdict)), squares > 1 && squares <= MOST_SQUARES && strip(item), levelMark(item.level)));
  const node = el("details.case", { id: `case-${item.id}`, tabindex: "-1" }, summary);
  const open = () => {
    if (node.childElementCount > 1) return;
    node.append(el("div.case-body", {},
      item.clauses.map(drawClause), drawKnown(item), drawOutcomes(item), drawOthers(item),
      el("p.muted", {}, link("case", item.id, "Link to this case"))));
  };
  node.addEventListener("toggle", () => { if (node.open) open(); });
  list.nodes.set(item.id, { node, open });
  return node;
}

const urgency = (item) => {
  if (pinned.cases.has(item)) return item.number - 1e6;
  const rank = "fiuxps".indexOf(verdictOf(item));
  return item.ofModules * 1e8 + (rank < 3 ? 3 * LEVELS.indexOf(item.level) : rank + 6) * 1e6 + item.number;
};

for (const item of cases) item.ofModules = isOfModules(item);

function drawCases(section) {
  const words = wanted();
  const found = cases.filter((item) => caseFits(item, words));
  const rank = new Map(found.map((item) => [item, urgency(item)]));
  found.sort((a, b) => rank.get(a) - rank.get(b));
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
  const also = pinned.cases.size;
  const apart = new Set(found.map((item) => item.ofModules)).size > 1;
  section.replaceChildren(section.querySelector("h2"),
    also > 0 && found.length > also ? el("p.lead", {}, `First the ${also === 1 ? "case" : several(also, "case")} of the address.`) : "",
    el("p.lead", { role: "status" }, found.length
      ? `${several(found.length, "case")} of ${cases.length.toLocaleString("en")}.` : none),
    ...found.slice(0, list.limit).flatMap((item, i, shown) => [
      apart && !pinned.cases.has(item) && (i === also || item.ofModules !== shown[i - 1].ofModules)
        ? el("h3", {}, item.ofModules ? "Modules" : "Runtimes") : "",
      caseNode(item, i, shown)]),
    found.length > list.limit ? more : "");
  section.hidden = runs.length === 0;
}

// The case of an id, or all rows of it: "any.one" has the rows "any.one.first" and "any.one@function".
function casesOf(id) {
  const only = byId.case.get(id);
  return only ? [only] : cases.filter((item) => item.id.startsWith(id) && ".@".includes(item.id[id.length]));
}

// Brings cases that the address names into view; one alone opens, of several the first that failed.
function showCases(named) {
  const listed = named.filter((one) => list.nodes.has(one.id));
  const item = listed.find((one) => BAD_VERDICTS.includes(verdictOf(one))) || listed[0];
  const { node, open } = list.nodes.get(item.id);
  open();
  node.open = true;
  reveal(node);
}
