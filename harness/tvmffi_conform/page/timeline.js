// SPDX-License-Identifier: Apache-2.0
// Releases from left to right: a line a clause, whole where it holds, thick and marked where it is broken.

const narrow = matchMedia("(max-width: 640px)").matches;
const LINE = { name: narrow ? 84 : 268, column: narrow ? 40 : 44, row: 20, head: 84, last: 44 };

function timelineRow(series, [number, course], index) {
  const clause = clauses[number];
  const states = series.runs.map((run) => standing(clause, runs[run]));
  const y = LINE.head + index * LINE.row + LINE.row / 2;
  const x = (i) => LINE.name + i * LINE.column + LINE.column / 2;
  const lines = [], marks = [];
  [...course].forEach((state, i) => {
    const before = i ? course[i - 1] : state;
    if (i && state !== "n" && before !== "n") {
      const look = state === "b" && before === "b" ? "broken" : "held";
      lines.push(svg("line", { x1: x(i - 1), x2: x(i), y1: y, y2: y, class: `t-${look}` }));
    }
    if (state === "b") {
      const tone = { b: "t-must", a: "t-should", r: "t-hardening", w: "t-waived" }[states[i]];
      marks.push(svg("rect", { x: x(i) - 5, y: y - 5, width: 10, height: 10, rx: 1.5, class: tone }));
    } else if (state === "h") {
      marks.push(svg("circle", { cx: x(i), cy: y, r: 3.5, class: "t-good" }));
    }
  });
  const says = series.versions.map((version, i) => `${version} ${STANDING[states[i]].says}`).join(", ");
  const title = clause.title.length > 26 ? `${clause.title.slice(0, 25).trimEnd()}…` : clause.title;
  return svg("a", { href: `#clause-${clause.id}`, "aria-label": `${clause.id} ${clause.title}: ${says}` },
    svg("title", {}, `${clause.id} ${clause.title}`),
    svg("rect", { x: 0, y: y - LINE.row / 2, width: x(course.length) - LINE.column / 2, height: LINE.row, class: "t-hit" }),
    svg("text", { x: 0, y: y + 4, class: "t-id" }, clause.id),
    narrow ? "" : svg("text", { x: 74, y: y + 4, class: "t-title" }, title), lines, marks);
}

function timelineChart(series) {
  const width = LINE.name + series.versions.length * LINE.column + LINE.last;
  const height = LINE.head + series.broken.length * LINE.row + 6;
  const heads = series.versions.map((version, i) => {
    const x = LINE.name + i * LINE.column + LINE.column / 2;
    return [
      svg("line", { x1: x, x2: x, y1: LINE.head - 4, y2: height, class: "t-grid" }),
      svg("text", { x, y: LINE.head - 12, transform: `rotate(-40 ${x} ${LINE.head - 12})`, class: "t-version" }, version),
    ];
  });
  return el("div.scroll", { role: "group", "aria-label": `Clauses broken by ${series.name}, by release`, tabindex: "0" },
    svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, class: "timeline", role: "group", "aria-label": `Timeline of ${series.name}` },
      heads, series.broken.map((entry, index) => timelineRow(series, entry, index))));
}

function stepItem(step) {
  const parts = [["broke", step.broke, "bad"], ["fixed", step.mended, "good"], ["new and broken", step.new_broken, "bad"]]
    .filter(([, numbers]) => numbers.length)
    .map(([word, numbers, tone]) => el("span.change", {},
      el(`strong.${tone}`, {}, word), " ",
      numbers.flatMap((n, i) => [i ? ", " : "", clauseLink(clauses[n])])));
  if (step.new_held) parts.push(el("span.change.muted", {}, `${several(step.new_held, "more clause")} judged and hold`));
  return el("li", {}, el("span.step", {}, step.new), " ",
    parts.length ? parts : el("span.muted", {}, "no change"));
}

function drawVersions(section) {
  for (const series of data.series) {
    const order = (entry) => LEVELS.indexOf(clauses[entry[0]].level) * 1e6 + entry[0];
    series.broken.sort((a, b) => order(a) - order(b));
    fill(section, [
      el("h3", {}, series.name),
      series.broken.length
        ? [timelineChart(series), el("ul.legend", { "aria-label": "Legend of the timeline" },
          el("li", {}, el("i.dot.good"), " holds"), el("li", {}, el("i.dot.bad"), " MUST broken"),
          el("li", {}, el("i.dot.warn"), " SHOULD broken"),
          el("li", {}, el("i.dot.rough"), " HARDENING broken"),
          el("li", {}, el("i.dot.waived"), " broken, waived"), el("li", {}, "empty: not judged in that release"))]
        : el("p", {}, "No release breaks a clause."),
      el("h4", {}, "What changed"),
      el("ol.steps", {}, series.steps.map(stepItem)),
    ]);
  }
  section.hidden = data.series.length === 0;
}
