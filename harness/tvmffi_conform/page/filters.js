// SPDX-License-Identifier: Apache-2.0
// What is shown of clauses and cases: by level, chapter, verdict, implementation and words.

// What is chosen now, as the address has it; and what it names beside that, which is shown whatever is chosen.
const filters = { ...NOTHING_CHOSEN };
const pinned = { cases: new Set(), clause: null };

function lowered(...texts) {
  return texts.join("\n").toLowerCase();
}

// What a search looks at is put together when something is searched for, each text once.
function once(make) {
  const made = new Map();
  return (key) => made.get(key) ?? made.set(key, make(key)).get(key);
}

const wordsOfDetail = once((number) => {
  const detail = data.details[number];
  const evidence = (detail.evidence || []).flatMap((entry) => Object.values(entry));
  const crash = detail.crash ? Object.values(detail.crash).filter(Boolean) : [];
  return lowered(detail.reason || "", ...evidence, ...crash);
});
const wordsOfClause = once((clause) => lowered(clause.id, clause.title, clause.text, clause.chapter));
const wordsOfCase = once((item) => lowered(item.id, item.title, ...item.clauses.map((c) => `${c.id} ${c.title}`)));
const detailsOf = (item) => new Set(runs.map((run) => run.details.get(item.number)).filter((d) => d !== undefined));

const wanted = () => filters.text.toLowerCase().split(/\s+/).filter(Boolean);
const shownRuns = () => (filters.run === "" ? runs : runs.filter((run) => run.label === filters.run));

function clauseFits(clause, words) {
  return clause === pinned.clause || ((!filters.level || clause.level === filters.level)
    && (!filters.chapter || clause.chapter === filters.chapter)
    && words.every((word) => wordsOfClause(clause).includes(word)));
}

function caseFits(item, words) {
  if (pinned.cases.has(item)) return true;
  return (!filters.level || item.level === filters.level)
    && (!filters.chapter || item.clauses.some((clause) => clause.chapter === filters.chapter))
    && shownRuns().some((run) => filters.verdicts.includes(run.verdicts[item.number]))
    && words.every((word) => wordsOfCase(item).includes(word)
      || [...detailsOf(item)].some((number) => wordsOfDetail(number).includes(word)));
}

function choose(name, label, options) {
  const select = el("select", { id: `filter-${name}` },
    options.map(([value, text]) => el("option", { value }, text)));
  select.addEventListener("change", () => go({ [name]: select.value }));
  return el("div.field", {}, el("label", { for: select.id }, label), select);
}

// The controls, as the filters are.
function showFilters() {
  for (const name of ["text", "level", "chapter", "run"]) {
    const control = document.getElementById(`filter-${name}`);
    if (control.value !== filters[name]) control.value = filters[name];
  }
  for (const box of document.querySelectorAll("#filters input[type=checkbox]")) {
    box.checked = filters.verdicts.includes(box.value);
  }
}

function drawFilters(form) {
  const search = el("input", { id: "filter-text", type: "search", autocomplete: "off", spellcheck: false });
  let pending = 0;
  search.addEventListener("input", () => {
    clearTimeout(pending);
    pending = setTimeout(() => go({ text: search.value }, "", true), 80);
  });
  const boxes = Object.entries(VERDICT_NAMES)
    .filter(([verdict]) => BAD_VERDICTS.includes(verdict) || cases.some(
      (item) => runs.some((run) => run.verdicts[item.number] === verdict)))
    .map(([verdict, name]) => {
      const box = el("input", { type: "checkbox", value: verdict, checked: filters.verdicts.includes(verdict) });
      box.addEventListener("change", () => {
        const boxes = [...form.querySelectorAll("input[type=checkbox]")].filter((other) => other.checked);
        go({ verdicts: Object.keys(VERDICT_WORDS).filter((letter) => boxes.some((other) => other.value === letter)).join("") });
      });
      return el("label.box", {}, box, name);
    });
  const clear = el("button.quiet", { type: "button", id: "filter-clear" }, "Clear");
  clear.addEventListener("click", () => { go({ ...NOTHING_CHOSEN, sort: filters.sort }); search.focus(); });
  fill(form, [
    el("div.field.wide", {}, el("label", { for: search.id }, "Search"), search),
    choose("level", "Level", [["", "all"], ...LEVELS.map((name) => [name, name])]),
    choose("chapter", "Chapter", [["", "all"], ...chapters.map((name) => [name, name])]),
    choose("run", "Implementation", [["", "all"], ...runs.map((run) => [run.label, run.label])]),
    clear,
    el("fieldset", {}, el("legend", {}, "Verdicts of cases"), boxes),
  ]);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
}
