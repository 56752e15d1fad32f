// SPDX-License-Identifier: Apache-2.0
// What the page shows is told by its address: behind "#" a place, the filters, and the order of tables, as in
// "#cases&run=0.1.9&level=MUST". What is clicked changes the address, and the address changes the page: so links
// keep what is shown, and the browser's way back works.

const BAD_VERDICTS = "fiux";
const PLACE = /^(case|clause|found)-(.+)$/;
const VERDICT_WORDS = { f: "fail", i: "inconclusive", u: "unexpected-pass", x: "waived", p: "pass", s: "not-applicable" };
// `sort`: of each table the number of its column, from 1 on; negative if it falls.
const NOTHING_CHOSEN = { text: "", level: "", chapter: "", run: "", verdicts: BAD_VERDICTS, sort: "" };
const CHOICES = Object.keys(NOTHING_CHOSEN);

function decoded(text) {
  try { return decodeURIComponent(text); } catch { return null; }
}

// Verdicts as in an address, "fail,waived", to letters and back.
const toLetters = (words) => Object.keys(VERDICT_WORDS).filter((letter) => words.includes(VERDICT_WORDS[letter])).join("");
const toWords = (letters) => [...letters].map((letter) => VERDICT_WORDS[letter]);

// The place and the choices that an address holds; what it does not name is as at first.
function readAddress(hash) {
  const chosen = { ...NOTHING_CHOSEN };
  let place = "";
  for (const [number, part] of hash.replace(/^#/, "").split("&").entries()) {
    const [, key, value] = /^([a-z]+)=(.*)$/.exec(part) || [];
    const text = decoded(key ? value : part);
    if (text === null) continue;
    if (key === "verdicts") chosen.verdicts = toLetters(text.split(","));
    else if (CHOICES.includes(key)) chosen[key] = text;
    else if (number === 0) place = text === "all" ? "" : text;
  }
  if (!runs.some((run) => run.label === chosen.run)) chosen.run = "";
  if (!LEVELS.includes(chosen.level)) chosen.level = "";
  if (!chapters.includes(chosen.chapter)) chosen.chapter = "";
  return { place, chosen };
}

// Half a surrogate pair can't stand in an address.
const encoded = (text) => encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, "?"))
  .replaceAll("%2C", ",").replaceAll("%40", "@");

function addressOf(chosen, place = "") {
  const parts = place ? [encoded(place)] : [];
  for (const key of CHOICES) {
    if (chosen[key] === NOTHING_CHOSEN[key]) continue;
    const value = key === "verdicts" ? toWords(chosen.verdicts).join(",") : chosen[key];
    parts.push(`${key}=${encoded(value)}`);
  }
  return `#${parts.join("&") || "all"}`;
}

// Goes where `changes` to the choices lead. What is typed letter by letter leaves one step behind, not many.
function go(changes, place = "", typed = false) {
  const address = addressOf({ ...filters, ...changes }, place);
  if (address !== location.hash) {
    if (typed && location.hash.includes("text=")) history.replaceState(null, "", address);
    else history.pushState(null, "", address);
  }
  follow();
}

// A link within the page keeps the filters that are on, but for those that it sets itself. A link to the release
// that is shown alone shows all of them again.
function followLink(event) {
  const anchor = event.target.closest && event.target.closest("a[href^='#']");
  if (!anchor || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const { place, chosen } = readAddress(anchor.getAttribute("href"));
  const set = Object.fromEntries(Object.entries(chosen).filter(([key, value]) => value !== NOTHING_CHOSEN[key]));
  if (anchor.dataset.run !== undefined && filters.run === anchor.dataset.run) set.run = "";
  event.preventDefault();
  go(set, place);
}
