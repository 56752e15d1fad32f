// SPDX-License-Identifier: Apache-2.0
// What a case that did not pass shows: texts, the 16 bytes, the crash, the command to reproduce it.

// The bytes of a value as a table: offsets, expected, actual. Bytes that differ are marked.
function drawBytes(expected, seen) {
  const pairs = (text) => (text ? text.match(/../g) : null);
  const due = pairs(expected), found = pairs(seen);
  const count = (due || found).length;
  const wrong = (i) => due && found && !/[.*]/.test(due[i]) && due[i] !== found[i];
  const row = (name, bytes, mark) => el("tr", {},
    el("th", { scope: "row" }, name),
    bytes.map((byte, i) => el(`td${i % 8 === 0 && i ? ".gap" : ""}`, {},
      mark && wrong(i) ? el("mark", {}, byte, hidden(" wrong")) : byte)));
  const heads = Array.from({ length: count }, (_, i) => (
    el(`th${i % 8 === 0 && i ? ".gap" : ""}`, { scope: "col" }, String(i))));
  return el("div.scroll", { role: "group", "aria-label": "The bytes of the value", tabindex: "0" },
    el("table.bytes", {},
      el("thead", {}, el("tr", {}, el("th", { scope: "row" }, "byte"), heads)),
      el("tbody", {},
        due && row("expected", due, false),
        found && row("actual", found, true))));
}

function drawEntry(entry) {
  const pairs = [["checked", entry.what], ["expected", entry.expected], ["actual", entry.seen],
    ["note", entry.note], ["source", entry.source]];
  return el("div.entry", {},
    el("dl.facts", {}, pairs.filter(([, value]) => value).map(([name, value]) => (
      el(`div.${name}`, {}, el("dt", {}, name), el("dd", {}, value))))),
    (entry.expected_bytes || entry.seen_bytes) && drawBytes(entry.expected_bytes, entry.seen_bytes));
}

// The deviation that a case shows in a release, if it was investigated: a link to what is told of it.
function drawKnown(item) {
  const told = data.found.filter(([, , names]) => names.some((name) => {
    const [head, tail] = name.split("*");
    return tail === undefined ? item.id === name : item.id.startsWith(head) && item.id.endsWith(tail);
  }));
  return told.length > 0 && el("p", {}, "Investigated: ",
    told.map(([id, title], i) => [i ? ", " : "", el("a", { href: `#found-${id}` }, marked(title))]));
}

function drawWaiver(waiver) {
  const safe = /^https?:\/\//i.test(waiver.url || "");
  return el("p.waiver", {}, el("strong", {}, "Waived: "), waiver.reason,
    waiver.url && [" ", safe ? el("a", { href: waiver.url, rel: "noreferrer" }, waiver.url) : waiver.url],
    waiver.expires && ` Until ${waiver.expires}.`);
}

function drawDetail(detail) {
  const crash = detail.crash;
  return [
    detail.reason && el("p.reason", {}, detail.reason),
    crash && !(detail.reason || "").includes(crash.where || "") && el("p", {}, `In ${crash.where}`),
    crash && crash.fence && el("p", {}, crash.fence),
    (detail.evidence || []).map(drawEntry),
    detail.evidence && detail.failed > detail.evidence.length
      && el("p.muted", {}, `${several(detail.failed, "expectation")} failed; the first are shown.`),
    detail.output && el("figure", {},
      el("figcaption", {}, `Output (${several(detail.output.bytes, "byte")})`),
      el("pre", { tabindex: "0" }, detail.output.text)),
    detail.races && el("p.muted", {}, "Threads of this case race: another run may come to something else."),
    detail.waiver && drawWaiver(detail.waiver),
  ];
}

// A word for a shell, which takes it as one whatever is in it.
function quoted(word) {
  const path = word.startsWith("-") ? `./${word}` : word;
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

// The names of runs; three or more neighbours are given by the first and the last. Releases stand newest first.
function named(group, note = () => "") {
  const stretches = [];
  for (const run of group) {
    const last = stretches[stretches.length - 1];
    if (last && last[last.length - 1].number === run.number - 1 && !note(run)) last.push(run);
    else stretches.push([run]);
  }
  return stretches.flatMap((stretch) => (stretch.length < 3
    ? stretch.map((run) => run.label + note(run))
    : [`${ends(stretch).join(" to ")} (${stretch.length})`])).join(", ");
}

function ends(stretch) {
  const both = [stretch[0].label, stretch[stretch.length - 1].label];
  return stretch.every((run) => run.release) ? both.reverse() : both;
}

// Which implementations failed alike: equal details are shown once.
function drawOutcomes(item) {
  const groups = new Map();
  for (const run of runs) {
    const verdict = run.verdicts[item.number];
    if (!BAD_VERDICTS.includes(verdict)) continue;
    const key = `${verdict} ${run.details.get(item.number)}`;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(run);
  }
  return [...groups.values()].map((group) => {
    const verdict = group[0].verdicts[item.number];
    const times = (run) => (run.often.has(item.number)
      ? ` (${run.often.get(item.number)} of ${run.repeat} times)` : "");
    const tone = verdict === "f" ? FAILED[item.level] : verdict;
    return el("div.outcome", {},
      el("p.who", {}, el(`span.chip.${tone}`, {}, VERDICT_NAMES[verdict]), " ", named(group, times)),
      drawDetail(data.details[group[0].details.get(item.number)]),
      el("p.reproduce", {}, "Reproduce: ", el("code", {}, `tvmffi-conform repro ${quoted(item.id)} ${quoted(group[0].name)}`)));
  });
}

function drawOthers(item) {
  const passed = runs.filter((run) => run.verdicts[item.number] === "p");
  const skipped = new Map();
  for (const run of runs) {
    const reason = run.reasons.get(item.number);
    if (reason !== undefined) skipped.set(reason, [...(skipped.get(reason) || []), run]);
  }
  return [
    passed.length > 0 && el("p.others", {}, el("span.chip.p", {}, "pass"), " ", named(passed)),
    [...skipped].map(([reason, group]) => el("p.others", {},
      el("span.chip.s", {}, "not applicable"), ` ${named(group)}: ${reason}`)),
  ];
}

function clauseMeta(clause) {
  const until = clause.until ? ` until ${clause.until}` : "";
  return el("p.meta", {}, `since ${clause.since}${until}`, clause.source && ` · ${clause.source}`);
}

function drawClause(clause) {
  return el("blockquote.clause", {},
    el("p.name", {}, clauseLink(clause), " ", levelMark(clause.level), " ", el("strong", {}, clause.title)),
    prose(clause.text), clauseMeta(clause));
}
