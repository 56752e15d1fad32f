// SPDX-License-Identifier: Apache-2.0
// Files that were inspected, not run: what they need, what is wrong, what is embedded in them.

const TREE = { row: 24, step: 22 };

// The modules embedded in a library, each below the one that imports it.
function drawTree(embedded) {
  const middle = (line) => line * TREE.row + TREE.row / 2;
  const lines = embedded.tree.map(([depth, parent, module, again, kind, size], i) => {
    const x = Math.min(depth, 30) * TREE.step;
    const left = Math.min(depth - 1, 30) * TREE.step + 8;
    const says = again ? "as above" : size === null ? "the library itself" : several(size, "byte");
    return [
      parent !== null && svg("path", { d: `M${left} ${middle(parent) + 8}V${middle(i)}H${x + 2}`, class: "tree-line" }),
      svg("circle", { cx: x + 8, cy: middle(i), r: 4, class: again ? "tree-again" : "tree-module" }),
      svg("text", { x: x + 20, y: middle(i) + 4, class: "tree-text" },
        svg("tspan", { class: "tree-kind" }, kind || "(no name)"), svg("tspan", { class: "tree-note" }, `  ${module} · ${says}`)),
    ];
  });
  const height = embedded.tree.length * TREE.row;
  return [
    el("div.scroll", { role: "group", "aria-label": "The tree of embedded modules", tabindex: "0" },
      svg("svg", { width: 640, height, viewBox: `0 0 640 ${height}`, class: "tree", role: "group", "aria-label": "Modules below those that import them" }, lines)),
    embedded.left > 0 && el("p.muted", {}, `${several(embedded.left, "module")} more: not imported, or too many to draw.`),
  ];
}

// The bytes around the place where a rule of library_bin is broken.
function drawProblem(problem) {
  const bytes = problem.window.match(/../g) || [];
  const rows = [];
  for (let i = 0; i < bytes.length; i += 16) {
    rows.push(el("tr", {},
      el("th", { scope: "row" }, (problem.window_offset + i).toString(16).padStart(4, "0")),
      bytes.slice(i, i + 16).map((byte, k) => el(`td${k === 8 ? ".gap" : ""}`, {},
        problem.window_offset + i + k === problem.offset ? el("mark", {}, byte, hidden(" here")) : byte))));
  }
  return el("div.entry", {},
    el("p", {}, el("strong", {}, problem.rule), `: ${problem.text}, at byte ${problem.offset}`),
    rows.length > 0 && el("div.scroll", { role: "group", "aria-label": "Bytes around the fault", tabindex: "0" },
      el("table.bytes", {}, el("tbody", {}, rows))));
}

function drawFinding(finding) {
  return el("tr", {},
    el("td", {}, el(`span.chip.${finding.level === "error" ? "f" : "fs"}`, {}, finding.level)),
    el("th", { scope: "row" }, finding.id),
    el("td", {}, finding.symbol && el("code", {}, finding.symbol), finding.detail && ` ${finding.detail}`,
      finding.reason && ` (${finding.reason})`));
}

function fileNode(file) {
  const counts = ["error", "warning", "note"].filter((level) => file.levels[level])
    .map((level) => several(file.levels[level], level)).join(", ");
  const tone = file.levels.error ? "f" : file.levels.warning ? "fs" : "p";
  const needs = file.oldest ? `needs ${file.oldest} or newer` : file.floor ? `ABI floor ${file.floor}` : "needs no API function";
  const facts = [["path", file.path], ["profile", `${file.profile}, ${file.kind}, ${file.machine}`],
    ["linking", file.linking], ["functions", String(file.functions)]];
  if (file.floor) facts.splice(3, 0, ["API floor", file.floor]);
  const embedded = file.embedded;
  return el("details.case", {},
    el("summary", {},
      el(`span.chip.${tone}`, {}, file.levels.error ? "error" : file.levels.warning ? "warning" : "ok"),
      el("span.case-name", {}, el("span.id", {}, file.name), el("span.title", {}, `${file.profile}, ${needs}`)),
      el("span.case-side", {}, el("span.tally", {}, counts))),
    el("div.case-body", {},
      el("dl.facts", {}, facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value)))),
      file.findings.length > 0 && el("div.scroll", { role: "group", "aria-label": "Findings", tabindex: "0" },
        el("table.findings", {}, el("tbody", {}, file.findings.map(drawFinding)))),
      file.more > 0 && el("p.muted", {}, `${several(file.more, "finding")} more.`),
      embedded && el("div", {},
        el("h3", {}, `Embedded: ${several(embedded.count, "module")}, ${several(embedded.bytes, "byte")}, ${embedded.state}`),
        embedded.tree.length > 0 && drawTree(embedded), embedded.problem && drawProblem(embedded.problem))));
}

function drawFiles(section) {
  fill(section, [
    el("p.lead", {}, `${several(data.files.length, "file")} inspected; none was run.`),
    data.files.map(fileNode),
    data.unreadable.length > 0 && el("ul.plain", {}, data.unreadable.map(
      ([path, message]) => el("li", {}, el("code", {}, path), `: ${message}`))),
  ]);
  section.hidden = data.files.length + data.unreadable.length === 0;
}
