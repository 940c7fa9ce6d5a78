/** A reader's decisions as a file, a link and titles: out, in again, and what is refused. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Marks } from "../../site_templates/scripts/marks.js";
import {
  dumpState,
  keptLink,
  MOST_STATE_BYTES,
  readKeptLink,
  readState,
  refuseGiant,
  StateFileError,
  titlesYaml,
} from "../../site_templates/scripts/state_file.js";

const OWL = "0a1b2c3d4e5f";
const BAT = "0fedcba98765";
const FOX = "f00000000001";
const ABOUT = { siteName: "Owls & co", siteId: "owls", now: Date.UTC(2031, 4, 6) };

function someMarks(now = () => 1_900_000_000_000) {
  const texts = new Map();
  const storage = { getItem: (key) => texts.get(key) ?? null, setItem: (key, text) => texts.set(key, text) };
  return new Marks({ siteId: "owls", storage: () => storage, now });
}

function fileWith(papers) {
  return JSON.stringify({ format: "papershelf-marks", version: 1, papers });
}

test("a file has one paper a line, sorted by id", () => {
  const marks = someMarks();
  marks.mark(FOX, "skipped");
  marks.mark(OWL, "kept");
  marks.setNote(OWL, 'two\nlines, "quoted"');
  marks.setLabels(OWL, ["night", "birds"]);
  marks.see(BAT);
  const lines = dumpState(marks.all(), ABOUT).split("\n");
  assert.deepEqual(lines.toSpliced(3, 1), [
    "{",
    '  "format": "papershelf-marks",',
    '  "version": 1,',
    '  "site": {"id":"owls","name":"Owls & co"},',
    '  "saved": "2031-05-06T00:00:00.000Z",',
    '  "papers": {',
    `    "${OWL}": {"mark":["kept",1900000000000],"note":["two\\nlines, \\"quoted\\"",1900000000000],` +
      '"labels":{"birds":["added",1900000000000],"night":["added",1900000000000]}},',
    `    "${BAT}": {"seen":true},`,
    `    "${FOX}": {"mark":["skipped",1900000000000]}`,
    "  }",
    "}",
    "",
  ]);
});

test("what goes out comes in again", () => {
  const marks = someMarks();
  marks.mark(OWL, "kept");
  marks.setLabels(OWL, ["__proto__", "7", "birds"]);
  marks.setLabels(OWL, ["__proto__"]);
  marks.setTitle(OWL, "Owls \ud83e\udd89");
  marks.setNote(BAT, "a lone \ud800 surrogate");
  marks.see(FOX);
  const text = dumpState(marks.all(), ABOUT);
  const state = readState(`\ufeff${text}`);
  assert.deepEqual([state.wrong, state.problem, state.siteId, state.siteName], [0, "", "owls", "Owls & co"]);
  const other = someMarks();
  assert.deepEqual(other.merge(state.entries), { added: 3, changed: 0, unchanged: 0 });
  assert.equal(dumpState(other.all(), ABOUT), text);
  assert.deepEqual(other.merge(state.entries), { added: 0, changed: 0, unchanged: 3 });
  assert.equal(dumpState([], ABOUT), dumpState(readState(dumpState([], ABOUT)).entries, ABOUT));
});

test("a laptop and a phone have the same in the end, whoever was read first", () => {
  let now = 1_000;
  const [laptop, phone] = [someMarks(() => now), someMarks(() => now)];
  laptop.mark(OWL, "kept");
  laptop.setNote(BAT, "from the laptop");
  laptop.setLabels(OWL, ["birds", "night"]);
  phone.setNote(BAT, "from the phone");
  now = 2_000;
  phone.mark(OWL, "skipped");
  laptop.setLabels(OWL, ["birds"]);
  phone.setLabels(OWL, ["wings"]);
  const [fromLaptop, fromPhone] = [laptop, phone].map((marks) => readState(dumpState(marks.all(), ABOUT)).entries);
  assert.deepEqual(laptop.merge(fromPhone), { added: 0, changed: 2, unchanged: 0 });
  phone.merge(fromLaptop);
  assert.equal(dumpState(laptop.all(), ABOUT), dumpState(phone.all(), ABOUT));
  assert.equal(laptop.get(OWL).mark, "skipped");
  assert.deepEqual(laptop.get(OWL).labels, ["birds", "wings"]);
  assert.equal(laptop.get(BAT).note, "from the laptop\n\n--- from the phone");
});

for (const [what, text, message] of [
  ["an empty file", " \n", /found nothing\.$/],
  ["no JSON", "@article{owl}", /found text that is no JSON\.$/],
  ["a list", "[]", /found JSON without names\.$/],
  ["null", "null", /found JSON without names\.$/],
  ["another kind of JSON", '{"version": 1, "papers": {}}', /found JSON of another kind\.$/],
  ["a newer version", '{"format": "papershelf-marks", "version": 2}', /found version 2: a newer Papershelf wrote/],
  ["no version", '{"format": "papershelf-marks"}', /found none as version\.$/],
  ["a version that is none", '{"format": "papershelf-marks", "version": "1"}', /found "1" as version\.$/],
  ["no papers", '{"format": "papershelf-marks", "version": 1, "papers": []}', /under "papers" in this file, found none/],
  ["deep nesting", "[".repeat(1_000_000), /found text that is no JSON\.$/],
]) {
  test(`refused: ${what}`, () => {
    assert.throws(() => readState(text), (error) => error instanceof StateFileError && message.test(error.message));
  });
}

test("giant files are refused, also before they are read", () => {
  const message = "Expected a file of at most 50 MB, found 100 MB.";
  assert.throws(() => refuseGiant(100 * 2 ** 20), { name: "StateFileError", message });
  assert.throws(() => readState(" ".repeat(100 * 2 ** 20)), { name: "StateFileError", message });
  refuseGiant(MOST_STATE_BYTES);
});

test("wrong entries are counted, and the right ones taken", () => {
  const right = { mark: ["kept", 5] };
  const wrong = {
    "0A1B2C3D4E5F": right,
    short: right,
    constructor: right,
    "000000000001": null,
    "000000000002": [],
    "000000000003": { mark: "kept" },
    "000000000004": { mark: ["loved", 5] },
    "000000000005": { mark: ["kept", -1] },
    "000000000006": { mark: ["kept", 1e300] },
    "000000000007": { mark: ["kept", "5"] },
    "000000000008": { note: [5, 5] },
    "000000000009": { labels: ["birds"] },
    "00000000000a": { labels: { birds: ["maybe", 5] } },
    "00000000000b": { seen: "yes" },
    "00000000000c": { mark: ["kept", 5, 5] },
    "00000000000d": { title: null },
  };
  const count = Object.keys(wrong).length;
  const text = fileWith({ ...wrong, [OWL]: right }).replace("{}", "").replace('"short"', '"__proto__"');
  const state = readState(text);
  assert.deepEqual(
    state.entries.map(([id]) => id),
    [OWL],
  );
  assert.equal(state.wrong, count);
  assert.match(state.problem, /^Expected an id .*, found something else for "0A1B2C3D4E5F" and 15 more; left out\.$/);
  assert.equal({}.mark, undefined);
});

test("fields of later versions do no harm", () => {
  const state = readState(fileWith({ [OWL]: { mark: ["kept", 5], stars: 3 } }));
  assert.equal(state.wrong, 0);
  assert.equal(state.problem, "");
});

test("a link carries ids, eight characters each", () => {
  const ids = [OWL, BAT, FOX, "000000000000", "ffffffffffff"];
  const text = keptLink(ids);
  assert.match(text, /^[\w-]{40}$/);
  assert.equal(keptLink([OWL]), Buffer.from(OWL, "hex").toString("base64url"));
  assert.deepEqual(readKeptLink(text), { ids, wrong: 0 });
  assert.deepEqual(readKeptLink(""), { ids: [], wrong: 0 });
});

test("damaged links give the ids that they still hold", () => {
  const text = keptLink([OWL, BAT]);
  assert.deepEqual(readKeptLink(text.slice(0, -1)), { ids: [OWL], wrong: 1 });
  assert.deepEqual(readKeptLink(`${text}%20`), { ids: [OWL, BAT], wrong: 1 });
  assert.deepEqual(readKeptLink(`${text}${text}`), { ids: [OWL, BAT], wrong: 0 });
  assert.deepEqual(readKeptLink("né\n=+//."), { ids: [], wrong: 1 });
});

test("titles for titles.yml are plain text in quotes", () => {
  const yaml = (title) => titlesYaml([{ id: OWL, title }]);
  assert.equal(yaml("Owls: a study"), `"${OWL}": "Owls: a study"\n`);
  assert.equal(yaml('A "quoted" owl'), `"${OWL}": "A \\"quoted\\" owl"\n`);
  assert.equal(yaml("$k$ \\owls\n"), `"${OWL}": "&#36;k&#36; &#92;owls"\n`);
  assert.equal(yaml("Q & A, Q&A"), `"${OWL}": "Q & A, Q&#38;A"\n`);
  assert.equal(yaml("*a* _b_ <i> [c] {d} ~ 5% `e`"), yaml("*a* _b_ <i> [c] {d} ~ 5% `e`"));
  assert.equal(yaml("a--b 'c' ''d''"), `"${OWL}": "a-&#45;b 'c' '&#39;d'&#39;"\n`);
  assert.equal(yaml("see https://a.b, doi:10.1000/a"), `"${OWL}": "see &#104;ttps://a.b, doi&#58;10.1000/a"\n`);
  assert.equal(titlesYaml([]), "");
});

test("titles that titles.yml refuses stand in comments", () => {
  const text = titlesYaml([
    { id: OWL, title: "\u{1f989}".repeat(299) + "owl" },
    { id: BAT, title: "…" },
    { id: FOX, title: "$".repeat(60) + "x" },
  ]);
  assert.deepEqual(
    text.split("\n").filter((line) => !line.startsWith("# ")),
    [""],
  );
  assert.match(text, /^# Left out: a title has at most 300 characters as written, this one has 302\.\n# "0a1b2c3d4e5f"/);
  assert.match(text, /\n# Left out: a title has a letter or digit\.\n/);
});
