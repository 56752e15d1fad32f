// SPDX-License-Identifier: Apache-2.0
// The data, and how elements are made. Texts become text nodes, never markup.

const data = JSON.parse(document.getElementById("data").textContent);

const VERDICT_NAMES = {
  f: "fail", i: "inconclusive", u: "unexpected pass", x: "waived", p: "pass", s: "not applicable",
};
const STANDING = {
  h: { mark: "✓", tone: "good", says: "holds" },
  b: { mark: "✗", tone: "bad", says: "broken" },
  a: { mark: "△", tone: "warn", says: "SHOULD broken" },
  r: { mark: "▽", tone: "rough", says: "HARDENING broken" },
  w: { mark: "◇", tone: "waived", says: "broken, waived" },
  n: { mark: "–", tone: "none", says: "not judged" },
  l: { mark: "·", tone: "none", says: "not applicable, added later" },
  e: { mark: "·", tone: "none", says: "not applicable, removed before" },
  " ": { mark: "", tone: "none", says: "not in the clauses of this run" },
};
// A broken clause by its level, from the strictest on.
const BROKEN = { MUST: "b", SHOULD: "a", HARDENING: "r" };
const LEVELS = Object.keys(BROKEN);
// A case that failed: the same, as a look.
const FAILED = { MUST: "f", SHOULD: "fs", HARDENING: "fh" };

const clauses = data.clauses.map(([id, level, chapter, title, text, source, since, until], number) => (
  { number, id, level, chapter, title, text, source, since, until, cases: [] }
));
const cases = data.cases.map(([shape, name], number) => {
  const [base, title, level, cited] = data.shapes[shape];
  const id = name ? `${base}@${data.functions[name]}` : base;
  return { number, id, ofFunction: name > 0, title: data.titles[title], level, clauses: cited.map((n) => clauses[n]) };
});
for (const item of cases) for (const clause of item.clauses) clause.cases.push(item);
const chapters = [...new Set(clauses.map((clause) => clause.chapter))];
const byId = {
  case: new Map(cases.map((item) => [item.id, item])),
  clause: new Map(clauses.map((clause) => [clause.id, clause])),
};

function eachOf(pairs, visit) {
  for (let i = 0; i < pairs.length; i += 2) {
    for (let n = pairs[i]; n < pairs[i] + pairs[i + 1]; ++n) visit(n);
  }
}

// Of each run: the verdict on every case ("p" unless something else is said), and what was seen.
const runs = data.runs.map((run, number) => {
  const verdicts = new Array(cases.length).fill("p");
  const details = new Map(), reasons = new Map(), often = new Map();
  eachOf(run.absent, (n) => { verdicts[n] = " "; });
  for (const [reason, pairs] of run.skips) {
    eachOf(pairs, (n) => { verdicts[n] = "s"; reasons.set(n, reason); });
  }
  for (const [n, verdict, detail, times] of run.verdicts) {
    verdicts[n] = verdict;
    details.set(n, detail);
    if (times) often.set(n, times);
  }
  return { ...run, number, verdicts, details, reasons, often };
});

// How a clause stands in a run: as in the report, told apart by level and by waivers.
function standing(clause, run) {
  const state = run.standings[clause.number];
  if (state !== "b") return state;
  const bad = clause.cases.filter((item) => "fiux".includes(run.verdicts[item.number]));
  if (bad.length && bad.every((item) => run.verdicts[item.number] === "x")) return "w";
  return BROKEN[clause.level];
}

// The same in words. What does not apply comes with the version that it came with, or went.
function standingSays(clause, state) {
  if (state === "l") return `not applicable, came with ${clause.since}`;
  if (state === "e") return `not applicable, of ${clause.until} and before`;
  return STANDING[state].says;
}

function fill(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) node.append(child);
  }
  return node;
}

const ATTRIBUTES = new Set(["colspan", "for", "role", "scope", "tabindex", "type"]);

// An element. Keys of `properties` are properties of the node, attributes of the list above, or aria-*.
function el(name, properties = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const node = document.createElement(tag);
  if (classes.length) node.className = classes.join(" ");
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (ATTRIBUTES.has(key) || key.startsWith("aria-")) node.setAttribute(key, value);
    else node[key] = value;
  }
  return fill(node, children);
}

function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return fill(node, children);
}

const hidden = (text) => el("span.hidden", {}, text);
const link = (kind, id, text) => el("a", { href: `#${kind}-${encodeURIComponent(id)}` }, text);
const clauseLink = (clause) => link("clause", clause.id, clause.id);
const levelMark = (level) => el(`span.level.${level.toLowerCase()}`, {}, level);
const several = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;

// Backticks mark code.
const marked = (text) => text.split("`").map((part, i) => (i % 2 ? el("code", {}, part) : part));

// A text of the specification: empty lines part paragraphs.
const prose = (text) => text.split(/\n\s*\n/).map((paragraph) => el("p", {}, marked(paragraph)));
