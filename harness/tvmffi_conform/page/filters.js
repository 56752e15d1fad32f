// SPDX-License-Identifier: Apache-2.0
// What is shown of clauses and cases: by level, chapter, verdict, implementation and words.

const BAD_VERDICTS = "fiux";
const filters = { text: "", level: "", chapter: "", run: "", verdicts: new Set(BAD_VERDICTS) };
let changed = () => {};

function lowered(...texts) {
  return texts.join("\n").toLowerCase();
}

const wordsOfDetail = data.details.map((detail) => {
  const evidence = (detail.evidence || []).flatMap((entry) => Object.values(entry));
  const crash = detail.crash ? Object.values(detail.crash).filter(Boolean) : [];
  return lowered(detail.reason || "", ...evidence, ...crash);
});
for (const clause of clauses) {
  clause.words = lowered(clause.id, clause.title, clause.text, clause.chapter);
}
for (const item of cases) {
  item.words = lowered(item.id, item.title, ...item.clauses.map((c) => `${c.id} ${c.title}`));
  item.details = new Set(runs.map((run) => run.details.get(item.number)).filter((d) => d !== undefined));
}

const wanted = () => filters.text.toLowerCase().split(/\s+/).filter(Boolean);
const shownRuns = () => (filters.run === "" ? runs : [runs[Number(filters.run)]]);

function clauseFits(clause, words) {
  return (!filters.level || clause.level === filters.level)
    && (!filters.chapter || clause.chapter === filters.chapter)
    && words.every((word) => clause.words.includes(word));
}

function caseFits(item, words) {
  return (!filters.level || item.level === filters.level)
    && (!filters.chapter || item.clauses.some((clause) => clause.chapter === filters.chapter))
    && shownRuns().some((run) => filters.verdicts.has(run.verdicts[item.number]))
    && words.every((word) => item.words.includes(word)
      || [...item.details].some((number) => wordsOfDetail[number].includes(word)));
}

function choose(name, label, options) {
  const select = el("select", { id: `filter-${name}` },
    options.map(([value, text]) => el("option", { value }, text)));
  select.addEventListener("change", () => { filters[name] = select.value; changed(); });
  return el("div.field", {}, el("label", { for: select.id }, label), select);
}

// Sets filters from elsewhere on the page, and their controls with them.
function setFilters(values) {
  Object.assign(filters, values);
  for (const name of ["text", "level", "chapter", "run"]) {
    document.getElementById(`filter-${name}`).value = filters[name];
  }
  for (const box of document.querySelectorAll("#filters input[type=checkbox]")) {
    box.checked = filters.verdicts.has(box.value);
  }
  changed();
}

function clearFilters() {
  setFilters({ text: "", level: "", chapter: "", run: "", verdicts: new Set(BAD_VERDICTS) });
}

function drawFilters(form) {
  const search = el("input", { id: "filter-text", type: "search", autocomplete: "off", spellcheck: false });
  let pending = 0;
  search.addEventListener("input", () => {
    clearTimeout(pending);
    pending = setTimeout(() => { filters.text = search.value; changed(); }, 80);
  });
  const boxes = Object.entries(VERDICT_NAMES)
    .filter(([verdict]) => BAD_VERDICTS.includes(verdict) || cases.some(
      (item) => runs.some((run) => run.verdicts[item.number] === verdict)))
    .map(([verdict, name]) => {
      const box = el("input", { type: "checkbox", value: verdict, checked: filters.verdicts.has(verdict) });
      box.addEventListener("change", () => {
        filters.verdicts[box.checked ? "add" : "delete"](verdict);
        changed();
      });
      return el("label.box", {}, box, name);
    });
  const clear = el("button.quiet", { type: "button", id: "filter-clear" }, "Clear");
  clear.addEventListener("click", () => { clearFilters(); search.focus(); });
  fill(form, [
    el("div.field.wide", {}, el("label", { for: search.id }, "Search"), search),
    choose("level", "Level", [["", "all"], ...LEVELS.map((name) => [name, name])]),
    choose("chapter", "Chapter", [["", "all"], ...chapters.map((name) => [name, name])]),
    choose("run", "Implementation", [["", "all"], ...runs.map((run) => [String(run.number), run.label])]),
    clear,
    el("fieldset", {}, el("legend", {}, "Verdicts of cases"), boxes),
  ]);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
}
