/** What is kept of a reader's decisions, on storages that refuse, fill up, or are shared by two tabs. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { mergeDecisions, readRow, rowOf } from "../../site_templates/scripts/decisions.js";
import { Marks } from "../../site_templates/scripts/marks.js";

const OWL = "0a1b2c3d4e5f";
const BAT = "0fedcba98765";
const FOX = "f00000000001";
const HOUR = 3_600_000;

/** A storage with room for so many UTF-16 units. */
class FakeStorage {
  texts = new Map();
  refuses = false;

  constructor(room = 5_000_000) {
    this.room = room;
  }

  get used() {
    return [...this.texts].reduce((sum, [key, text]) => sum + key.length + text.length, 0);
  }

  getItem(key) {
    this.#mayRefuse();
    return this.texts.get(key) ?? null;
  }

  setItem(key, text) {
    this.#mayRefuse();
    const before = this.texts.has(key) ? key.length + this.texts.get(key).length : 0;
    if (this.used - before + key.length + text.length > this.room) {
      throw new DOMException("no room", "QuotaExceededError");
    }
    this.texts.set(key, text);
  }

  #mayRefuse() {
    if (this.refuses) {
      throw new DOMException("no access", "SecurityError");
    }
  }
}

/** A clock that goes on by a millisecond each time it is looked at. */
function ticking(start = 1_700_000_000_000) {
  let now = start;
  return () => now++;
}

function marksIn(storage, { siteId = "owls", now = ticking() } = {}) {
  return new Marks({ siteId, storage: () => storage, now });
}

/** Returns whole numbers below `n`, the same ones for the same seed. */
function randomNumbers(seed) {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

test("a paper without decisions is an empty entry", () => {
  const empty = { mark: "", seen: false, note: "", labels: [], title: "", changed: 0 };
  const marks = marksIn(new FakeStorage());
  assert.deepEqual(marks.get(OWL), empty);
  for (const id of ["", "__proto__", "constructor", "0A1B2C3D4E5F"]) {
    assert.deepEqual(marks.get(id), empty);
  }
});

test("decisions are there on the next page", () => {
  const storage = new FakeStorage();
  const marks = marksIn(storage);
  marks.mark(OWL, "kept");
  marks.setNote(OWL, "read\r\nagain");
  marks.setLabels(OWL, [" night  birds ", "birds", "night birds", ""]);
  marks.setTitle(OWL, " Owls\tat \u200bnight\n");
  marks.see(BAT);
  const next = marksIn(storage);
  assert.deepEqual(next.get(OWL), {
    mark: "kept",
    seen: true,
    note: "read\nagain",
    labels: ["birds", "night birds"],
    title: "Owls at night",
    changed: marks.get(OWL).changed,
  });
  assert.deepEqual({ ...next.get(BAT), labels: 0 }, { mark: "", seen: true, note: "", labels: 0, title: "", changed: 0 });
  assert.equal(next.trouble, "");
});

test("sites that share a storage have marks of their own", () => {
  const storage = new FakeStorage();
  marksIn(storage, { siteId: "owls" }).mark(OWL, "kept");
  assert.equal(marksIn(storage, { siteId: "bats" }).get(OWL).mark, "");
  assert.ok([...storage.texts.keys()].every((key) => /^papershelf\.1\.(owls|bats)\./.test(key)));
});

test("kept papers come in the order in which they were kept", () => {
  const marks = marksIn(new FakeStorage());
  marks.mark(FOX, "kept");
  marks.mark(OWL, "kept");
  marks.mark(BAT, "skipped");
  assert.deepEqual(marks.ids("kept"), [FOX, OWL]);
  assert.deepEqual(marks.ids("skipped"), [BAT]);
  assert.deepEqual(marks.ids("later"), []);
});

test("counts are those of the papers that the site has", () => {
  const marks = marksIn(new FakeStorage());
  marks.mark(OWL, "kept");
  marks.mark(BAT, "later");
  marks.see(FOX);
  marks.setNote("f00000000002", "not seen, only noted");
  assert.deepEqual(marks.counts(), { seen: 3, kept: 1, skipped: 0, later: 1 });
  assert.deepEqual(
    marks.counts((id) => id !== OWL),
    { seen: 2, kept: 0, skipped: 0, later: 1 },
  );
});

test("labels of all papers are listed once, without those taken away", () => {
  const marks = marksIn(new FakeStorage());
  marks.setLabels(OWL, ["night", "birds", "__proto__"]);
  marks.setLabels(BAT, ["night"]);
  marks.setLabels(OWL, ["night", "__proto__"]);
  assert.deepEqual(marks.allLabels(), ["__proto__", "night"]);
});

test("marks are taken back one after the other, on this page only", () => {
  const storage = new FakeStorage();
  const marks = marksIn(storage);
  marks.mark(OWL, "kept");
  marks.mark(BAT, "skipped");
  marks.mark(OWL, "later");
  marks.mark(OWL, "later"); // no decision
  assert.equal(marks.undo(), OWL);
  assert.equal(marks.get(OWL).mark, "kept");
  assert.equal(marks.undo(), BAT);
  assert.equal(marks.get(BAT).seen, false);
  assert.equal(marks.undo(), OWL);
  assert.equal(marks.get(OWL).mark, "");
  assert.equal(marks.undo(), null);
  marks.mark(OWL, "kept");
  assert.equal(marksIn(storage).undo(), null);
});

test("a mark that another tab has changed is not taken back", () => {
  const storage = new FakeStorage();
  const now = ticking();
  const [first, second] = [marksIn(storage, { now }), marksIn(storage, { now })];
  first.mark(BAT, "kept");
  first.mark(OWL, "skipped");
  second.mark(OWL, "kept");
  assert.equal(first.undo(), BAT);
  assert.equal(first.get(OWL).mark, "kept");
});

test("ids that are none are refused", () => {
  const marks = marksIn(new FakeStorage());
  for (const id of ["", "__proto__", "constructor", "0A1B2C3D4E5F", `${OWL}0`, `${OWL}\n`]) {
    assert.throws(() => marks.mark(id, "kept"), /expected an id of 12 hex digits/);
    assert.throws(() => marks.see(id), RangeError);
  }
  assert.equal({}.kept, undefined);
});

test("listeners hear which papers changed, until they are taken off", () => {
  const heard = [];
  const marks = marksIn(new FakeStorage());
  const stop = marks.onChange((ids) => heard.push(ids));
  marks.mark(OWL, "kept");
  marks.undo();
  marks.setSetting("keys", false);
  stop();
  marks.mark(BAT, "kept");
  assert.deepEqual(heard, [[OWL], [OWL], []]);
});

test("a refusal is known at once, and marks live on in memory", () => {
  const throwing = () => {
    throw new DOMException("denied", "SecurityError");
  };
  const refusing = new FakeStorage();
  refusing.refuses = true;
  for (const storage of [throwing, () => null, () => refusing, () => new FakeStorage(0)]) {
    const marks = new Marks({ siteId: "owls", storage });
    assert.match(marks.trouble, /refuses to keep|storage is full/);
    marks.mark(OWL, "kept");
    marks.setSetting("hideSeen", true);
    assert.equal(marks.startVisit(5, "2031-05-06"), null);
    assert.deepEqual(marks.ids("kept"), [OWL]);
    assert.equal(marks.getSetting("hideSeen"), true);
    assert.equal(marks.undo(), OWL);
  }
});

test("what a full storage had no room for is stored when there is room again", () => {
  const storage = new FakeStorage(400);
  const marks = marksIn(storage);
  assert.equal(marks.trouble, "");
  marks.mark(OWL, "kept");
  marks.setNote(FOX, "long ".repeat(100));
  assert.match(marks.trouble, /^The browser's storage is full\..*save it to a file/);
  assert.equal(marksIn(storage).get(OWL).mark, "kept");
  assert.equal(marksIn(storage).get(FOX).note, "");
  storage.room = 5_000;
  marks.mark(BAT, "skipped");
  assert.equal(marks.trouble, "");
  assert.match(marksIn(storage).get(FOX).note, /^long/);
});

test("a refusal that ends loses nothing, also not what another page has stored", () => {
  const storage = new FakeStorage();
  marksIn(storage).mark(BAT, "kept");
  storage.refuses = true;
  const marks = marksIn(storage);
  marks.mark(OWL, "kept");
  assert.match(marks.trouble, /refuses/);
  storage.refuses = false;
  marks.see(OWL);
  assert.equal(marks.trouble, "");
  assert.deepEqual(marksIn(storage).ids("kept").sort(), [OWL, BAT].sort());
});

test("two tabs lose none of each other's decisions", () => {
  const storage = new FakeStorage();
  const now = ticking();
  const [first, second] = [marksIn(storage, { now }), marksIn(storage, { now })];
  first.mark(OWL, "kept");
  second.mark(BAT, "skipped"); // in the same part of the storage
  second.setNote(OWL, "from the second tab");
  first.setLabels(OWL, ["birds"]);
  assert.equal(first.get(BAT).mark, "skipped");
  second.reload(`papershelf.1.owls.${OWL[0]}`);
  for (const marks of [first, second, marksIn(storage)]) {
    assert.deepEqual(marks.ids("kept"), [OWL]);
    assert.equal(marks.get(OWL).note, "from the second tab");
    assert.deepEqual(marks.get(OWL).labels, ["birds"]);
  }
  second.setLabels(OWL, []);
  first.reload();
  first.see(OWL);
  assert.deepEqual(marksIn(storage).get(OWL).labels, []);
});

test("a page hears from its storage event what changed", () => {
  const storage = new FakeStorage();
  const [first, second] = [marksIn(storage), marksIn(storage)];
  const heard = [];
  second.onChange((ids) => heard.push(ids));
  first.mark(OWL, "kept");
  second.reload("papershelf.1.bats.0");
  second.reload(`papershelf.1.owls.${OWL[0]}`);
  assert.deepEqual(heard, [[OWL]]);
});

test("what a tab overwrote that wrote at the same time is put back, once", () => {
  const storage = new FakeStorage();
  const now = ticking();
  const key = `papershelf.1.owls.${OWL[0]}`;
  const [first, second] = [marksIn(storage, { now }), marksIn(storage, { now })];
  const before = storage.texts.get(key);
  first.mark(OWL, "kept");
  const lost = storage.texts.get(key);
  if (before === undefined) {
    storage.texts.delete(key);
  }
  second.mark(BAT, "kept"); // as if it had not seen the first tab's
  assert.notEqual(storage.texts.get(key), lost);
  first.reload(key);
  const healed = storage.texts.get(key);
  assert.ok(healed.includes(OWL) && healed.includes(BAT));
  second.reload(key);
  first.reload(key);
  assert.equal(storage.texts.get(key), healed);
});

test("marks that were cleared elsewhere are not written back by an event alone", () => {
  const storage = new FakeStorage();
  const marks = marksIn(storage);
  marks.mark(OWL, "kept");
  storage.texts.clear();
  marks.reload(null);
  assert.equal(storage.texts.size, 0);
});

test("a later decision holds against one from a clock that is fast", () => {
  const marks = marksIn(new FakeStorage());
  const future = Number.MAX_SAFE_INTEGER - 5;
  marks.merge([[OWL, readRow({ mark: ["kept", future] }, false)]]);
  marks.mark(OWL, "skipped");
  assert.equal(marks.get(OWL).mark, "skipped");
  assert.equal(marks.get(OWL).changed, future + 1);
});

for (const [what, text] of [
  ["no JSON", '{"papershelf":1,"seen":"'],
  ["another kind of JSON", "[1,2]"],
  ["JSON without version", '{"seen":"","papers":{}}'],
  ["a version that is none", '{"papershelf":"1","seen":"","papers":{}}'],
  ["an empty text", ""],
  ["parts missing", '{"papershelf":1}'],
  ["wrong ids", `{"papershelf":1,"seen":"${OWL}zz","papers":{"__proto__":{"mark":["kept",1]}}}`],
  ["a wrong row", `{"papershelf":1,"seen":"${OWL}","papers":{"${BAT}":{"mark":["loved",1]}}}`],
]) {
  test(`damaged: ${what}: a copy is kept, and what can be read is`, () => {
    const key = `papershelf.1.owls.${OWL[0]}`;
    const storage = new FakeStorage();
    storage.texts.set(key, text);
    const marks = marksIn(storage);
    assert.match(marks.trouble, /^Some of what was kept here could not be read; a copy was put aside as \S+\.$/);
    const copies = [...storage.texts].filter(([name]) => name.startsWith(`${key}.damaged.`));
    assert.deepEqual(
      copies.map(([, copy]) => copy),
      [text],
    );
    marks.mark(BAT, "later");
    const next = marksIn(storage);
    assert.equal(next.trouble, "");
    assert.equal(next.get(BAT).mark, "later");
    assert.equal(next.get(OWL).seen, text.includes(`"${OWL}`));
  });
}

test("what is damaged and cannot be copied stays as it is", () => {
  const key = `papershelf.1.owls.${OWL[0]}`;
  const storage = new FakeStorage(500);
  storage.texts.set(key, "x".repeat(300));
  const marks = marksIn(storage);
  assert.match(marks.trouble, /cannot be read, and there is no room for a copy/);
  marks.mark(OWL, "kept");
  assert.equal(storage.texts.get(key), "x".repeat(300));
  assert.equal(marks.get(OWL).mark, "kept");
  storage.room = 5_000;
  marks.mark(BAT, "kept");
  assert.match(marks.trouble, /a copy was put aside/);
  assert.equal(marksIn(storage).ids("kept").length, 2);
});

test("what a newer version wrote is never overwritten", () => {
  const storage = new FakeStorage();
  const newer = '{"papershelf":2,"marvels":[]}';
  for (const part of [OWL[0], "settings"]) {
    storage.texts.set(`papershelf.1.owls.${part}`, newer);
  }
  const marks = marksIn(storage);
  assert.match(marks.trouble, /newer version/);
  marks.mark(OWL, "kept");
  marks.setSetting("keys", false);
  marks.startVisit(1_700_000_000_000, "2031-05-06");
  marks.mark(FOX, "kept");
  marks.reload();
  assert.deepEqual(marks.ids("kept"), [OWL, FOX]);
  assert.match(marks.trouble, /newer version/);
  for (const part of [OWL[0], "settings"]) {
    assert.equal(storage.texts.get(`papershelf.1.owls.${part}`), newer);
  }
  assert.equal(marksIn(storage).get(FOX).mark, "kept");
});

test("settings have defaults, and keep what other versions and tabs set", () => {
  const storage = new FakeStorage();
  const key = "papershelf.1.owls.settings";
  storage.texts.set(key, '{"papershelf":1,"settings":{"keys":"yes","theme":"dusk","__proto__":{"hideSeen":true}}}');
  const [first, second] = [marksIn(storage), marksIn(storage)];
  assert.equal(first.getSetting("keys"), true);
  assert.equal(first.getSetting("hideSeen"), false);
  assert.equal(first.getSetting("resume"), "");
  first.setSetting("keys", false);
  second.setSetting("resume", OWL);
  first.reload(key);
  assert.equal(first.getSetting("resume"), OWL);
  assert.equal(marksIn(storage).getSetting("keys"), false);
  assert.equal(JSON.parse(storage.texts.get(key)).settings.theme, "dusk");
});

test("damaged settings are put aside, and the defaults hold", () => {
  for (const text of ["no JSON", '{"papershelf":1,"settings":[]}']) {
    const storage = new FakeStorage();
    storage.texts.set("papershelf.1.owls.settings", text);
    const marks = marksIn(storage);
    assert.match(marks.trouble, /put aside/);
    assert.equal(marks.getSetting("keys"), true);
    assert.ok([...storage.texts.values()].includes(text));
    assert.equal(marksIn(storage).trouble, "");
  }
});

test("papers are new since the newest one of the last visit", () => {
  const storage = new FakeStorage();
  const start = 1_700_000_000_000;
  const visit = (hours, newest) => marksIn(storage).startVisit(start + hours * HOUR, newest);
  assert.equal(visit(0, "2031-05-01"), null);
  assert.equal(visit(5, "2031-05-03"), null); // the same visit, after a build
  assert.equal(visit(10, null), null); // a page that doesn't know
  assert.equal(visit(16, "2031-05-07"), "2031-05-03");
  assert.equal(visit(21.9, "2031-05-07"), "2031-05-03");
  assert.equal(visit(27.9, "2031-05-07"), "2031-05-07");
});

test("a first visit to a page that doesn't know the newest day says nothing is new", () => {
  const storage = new FakeStorage();
  assert.equal(marksIn(storage).startVisit(1_700_000_000_000, null), null);
  assert.equal(marksIn(storage).startVisit(1_700_000_000_000 + 9 * HOUR, "2031-05-07"), null);
  assert.equal(marksIn(storage).startVisit(1_700_000_000_000 + 18 * HOUR, "2031-05-08"), "2031-05-07");
});

test("marking papers for hours on one page is one visit", () => {
  const storage = new FakeStorage();
  let now = 1_700_000_000_000;
  const marks = marksIn(storage, { now: () => now });
  marks.startVisit(now, "2031-05-01");
  for (const id of [OWL, BAT, FOX]) {
    now += 5 * HOUR;
    marks.mark(id, "kept");
  }
  assert.equal(marksIn(storage).startVisit(now + HOUR, "2031-05-09"), null);
});

test("a clock that is set back begins no visit, a day back does", () => {
  const storage = new FakeStorage();
  const start = 1_700_000_000_000;
  marksIn(storage).startVisit(start, "2031-05-01");
  assert.equal(marksIn(storage).startVisit(start - HOUR, "2031-05-02"), null);
  assert.equal(marksIn(storage).startVisit(start - 24 * HOUR, "2031-05-03"), "2031-05-02");
});

test("a visit that was edited by hand is none", () => {
  const storage = new FakeStorage();
  storage.texts.set("papershelf.1.owls.settings", '{"papershelf":1,"settings":{"visit":{"base":5,"last":"x"}}}');
  assert.equal(marksIn(storage).startVisit(1_700_000_000_000, "2031-05-01"), null);
});

test("merging is commutative, associative and idempotent, and says what is new", () => {
  const random = randomNumbers(5);
  const pick = (values) => values[random(values.length)];
  const notes = ["", "a", "b", "a\n\n--- b", "\n\n--- ", "--- ", "b\n\n---", "a\n\n--- a", "c\n\n--- a"];
  const dated = (values) => [pick(values), random(3)];
  const any = () =>
    readRow(
      {
        mark: dated(["", "kept", "skipped", "later"]),
        note: dated(notes),
        title: dated(["", "Owls", "Bats"]),
        labels: Object.fromEntries(["x", "y", "__proto__"].slice(random(4)).map((l) => [l, dated(["added", "removed"])])),
      },
      random(2) === 1,
    );
  const text = (decisions) => JSON.stringify([decisions.seen, rowOf(decisions)]);
  for (let round = 0; round < 20_000; round += 1) {
    const [a, b, c] = [any(), any(), any()];
    const ab = mergeDecisions(a, b);
    assert.equal(text(ab), text(mergeDecisions(b, a)), "commutative");
    assert.equal(text(mergeDecisions(ab, c)), text(mergeDecisions(a, mergeDecisions(b, c))), "associative");
    assert.equal(mergeDecisions(ab, b), ab, "idempotent");
    assert.equal(mergeDecisions(ab, a), ab, "idempotent");
    assert.equal(text(readRow(JSON.parse(JSON.stringify(rowOf(ab))), ab.seen)), text(ab), "as JSON");
  }
});

test("64,000 papers fit, and a key press takes no time", (context) => {
  const random = randomNumbers(11);
  const ids = Array.from({ length: 64_000 }, () => (random(2 ** 24) * 2 ** 24 + random(2 ** 24)).toString(16).padStart(12, "0"));
  for (const [what, decide] of [
    ["seen", (id) => [id, { ...readRow({}, true) }]],
    ["seen and skipped", (id, number) => [id, readRow({ mark: ["skipped", 1_700_000_000_000 + number] }, true)]],
  ]) {
    const storage = new FakeStorage();
    const measure = (name, work) => {
      const start = performance.now();
      const result = work();
      context.diagnostic(`${what}: ${name} ${(performance.now() - start).toFixed(1)} ms`);
      return result;
    };
    measure("merge all", () => marksIn(storage).merge(ids.map(decide)));
    const marks = measure("open", () => marksIn(storage));
    const other = marksIn(storage);
    const presses = ids.slice(0, 40).map((id, number) => {
      const start = performance.now();
      marks.mark(id, number % 2 ? "kept" : "later");
      return performance.now() - start;
    });
    context.diagnostic(`${what}: key press median ${presses.sort((a, b) => a - b)[20].toFixed(1)} ms`);
    context.diagnostic(`${what}: key press most ${presses.at(-1).toFixed(1)} ms`);
    measure("key press after another tab's", () => other.mark(ids[0], "skipped"));
    measure("reload of all parts", () => other.reload());
    measure("counts", () => marks.counts());
    measure("ids", () => marks.ids("kept"));
    context.diagnostic(`${what}: ${storage.used} UTF-16 units`);
    assert.equal(marks.trouble, "");
    assert.equal(marks.counts().seen, new Set(ids).size);
    assert.ok(storage.used < 5_000_000);
  }
});
