/** Shapes and corner cases of the exports; tests/test_exports.py reads them with other programs' parsers. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { EXPORT_FORMATS, exportPapers } from "../../site_templates/scripts/exports.js";

const CONTEXT = { siteName: "Village shelf", address: "https://shelf.example/papers/" };

/** A paper of which nothing is known but what every record holds, with the given changes. */
function paper(record = {}, own = {}) {
  const bare = {
    id: "3f2a1c9b0d4e",
    page: "abstracts/tea-3f2a1c.html",
    title: "Tea in clay",
    derived: false,
    abstract: "We drink tea.",
    authors: [],
    year: null,
    collections: [],
    tags: [],
    keywords: [],
    url: null,
    source: "papers.txt, record 3",
    sourceId: null,
    added: "2030-12-31",
  };
  return { record: { ...bare, ...record }, note: "", labels: [], mark: "", ...own };
}

/** The fields of the one entry in BibTeX, each on a line of its own. */
function bibtexFields(...given) {
  const text = exportPapers("bibtex", [paper(...given)], CONTEXT);
  return Object.fromEntries([...text.matchAll(/^ {2}(\w+) = \{(.*)\},$/gm)].map(([, name, value]) => [name, value]));
}

function citationKeys(...papers) {
  return [...exportPapers("bibtex", papers, CONTEXT).matchAll(/^@misc\{(.*),$/gm)].map(([, key]) => key);
}

test("formats are listed and frozen", () => {
  assert.deepEqual(
    EXPORT_FORMATS.map(({ name, extension }) => `${name}.${extension}`),
    ["bibtex.bib", "ris.ris", "csv.csv", "json.json", "markdown.md"],
  );
  assert.ok(Object.isFrozen(EXPORT_FORMATS) && EXPORT_FORMATS.every(Object.isFrozen));
  assert.throws(() => exportPapers("docx", [], CONTEXT), RangeError);
});

test("no papers give an empty file of each kind", () => {
  assert.deepEqual(
    EXPORT_FORMATS.map(({ name }) => exportPapers(name, [], CONTEXT).split(",").length),
    [1, 1, 18, 1, 1],
  );
  assert.equal(exportPapers("json", [], CONTEXT), "[]\n");
  assert.equal(exportPapers("markdown", [], CONTEXT), "# Village shelf: reading list\n");
});

test("BibTeX holds what is known and nothing else", () => {
  assert.equal(
    exportPapers("bibtex", [paper()], CONTEXT),
    `@misc{papertea-3f2a1c,
  title = {{Tea in clay}},
  abstract = {We drink tea.},
  papershelf_id = {3f2a1c9b0d4e},
  papershelf_page = {https://shelf.example/papers/abstracts/tea-3f2a1c.html},
  papershelf_source = {papers.txt, record 3},
  papershelf_added = {2030-12-31},
}
`,
  );
});

test("RIS holds what is known and nothing else, a tag a line", () => {
  const known = {
    authors: ["Laib, Berta", "Cem Karr"],
    year: 2030,
    keywords: ["clay"],
    tags: [["kiln", "tags/kiln.html"]],
  };
  assert.deepEqual(exportPapers("ris", [paper(known, { note: "Read\nagain", mark: "kept" })], CONTEXT).split("\r\n"), [
    "TY  - GEN",
    "ID  - 3f2a1c9b0d4e",
    "AU  - Laib, Berta",
    "AU  - Cem Karr",
    "TI  - Tea in clay",
    "PY  - 2030",
    "AB  - We drink tea.",
    "KW  - clay",
    "N1  - Note: Read again",
    "N1  - Mark: kept",
    "N1  - Derived tags: kiln",
    "N1  - Source: papers.txt, record 3",
    "N1  - Added: 2030-12-31",
    "N1  - Page on Village shelf: https://shelf.example/papers/abstracts/tea-3f2a1c.html",
    "ER  - ",
    "",
  ]);
});

test("JSON leaves out what is not known", () => {
  assert.deepEqual(JSON.parse(exportPapers("json", [paper()], CONTEXT)), [
    {
      id: "3f2a1c9b0d4e",
      title: "Tea in clay",
      title_derived: false,
      title_by_reader: false,
      abstract: "We drink tea.",
      page: "https://shelf.example/papers/abstracts/tea-3f2a1c.html",
      source: "papers.txt, record 3",
      added: "2030-12-31",
    },
  ]);
});

test("Markdown is a reading list", () => {
  const known = { url: "https://example.org/tea?a=1&copy=2", authors: ["Laib, Berta", "Cem Karr"], year: 2030 };
  const own = { note: "Read\nagain", mark: "kept", labels: ["hot"] };
  assert.equal(
    exportPapers("markdown", [paper({ ...known, derived: true }, own)], CONTEXT),
    `# Village shelf: reading list

## [Tea in clay](<https://example.org/tea?a=1&amp;copy=2>) (derived title)

Laib, Berta; Cem Karr, 2030

- Mark: kept
- Labels: hot
- Source: papers.txt, record 3
- Added: 2030-12-31
- Id: 3f2a1c9b0d4e
- [Page on Village shelf](<https://shelf.example/papers/abstracts/tea-3f2a1c.html>)

**Note:** Read

again

> We drink tea.
`,
  );
});

test("CSV has a byte order mark, a header and quotes everywhere", () => {
  const text = exportPapers("csv", [paper({ title: 'A "tea"' })], CONTEXT);
  const [header, row, rest] = text.split("\r\n");
  assert.match(header, /^\ufeff"id","title","title_derived","title_by_reader",/);
  assert.match(row, /^"3f2a1c9b0d4e","A ""tea""","false","false","",/);
  assert.equal(rest, "");
});

for (const [title, cell] of [
  ["=1+1", "'=1+1"],
  ["+1", "'+1"],
  ["-1", "'-1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1", "'=1"],
  ["\r=1", "'=1"],
  [" \u00a0=1", "'=1"],
  ["\u202e=1", "'=1"],
  ["＝1", "'＝1"],
  ["'=1", "''=1"],
  ["'tis", "'tis"],
  ["a;=1", "a; =1"],
  ['a;"=1', 'a; ""=1'],
  ["a-1;b", "a-1;b"],
]) {
  test(`no formula in CSV: ${JSON.stringify(title)}`, () => {
    assert.equal(
      exportPapers("csv", [paper({ title })], CONTEXT)
        .split("\r\n")[1]
        .split('","')[1],
      cell,
    );
  });
}

test("a derived title is marked in every format", () => {
  const papers = [paper({ derived: true })];
  assert.equal(bibtexFields({ derived: true }).note, "Title derived from the abstract, not by the authors");
  assert.match(
    exportPapers("ris", papers, CONTEXT),
    /^N1 {2}- Title derived from the abstract, not by the authors\r$/m,
  );
  assert.match(exportPapers("csv", papers, CONTEXT), /"Tea in clay","true","false"/);
  assert.match(exportPapers("json", papers, CONTEXT), /"title_derived": true/);
  assert.match(exportPapers("markdown", papers, CONTEXT), /^## Tea in clay \(derived title\)$/m);
});

test("a title by the reader is said to be the reader's in every format", () => {
  const own = { title: " Clay\nfor tea" };
  const papers = [paper({ derived: true }, own)];
  assert.equal(bibtexFields({ derived: true }, own).title, "{Clay for tea}");
  assert.equal(bibtexFields({ derived: true }, own).note, "Title by the reader, not by the authors");
  assert.match(exportPapers("ris", papers, CONTEXT), /^N1 {2}- Title by the reader, not by the authors\r$/m);
  assert.match(exportPapers("csv", papers, CONTEXT), /"Clay for tea","false","true"/);
  assert.match(exportPapers("json", papers, CONTEXT), /"title_derived": false,\s+"title_by_reader": true/);
  assert.match(exportPapers("markdown", papers, CONTEXT), /^## Clay for tea \(title by the reader\)$/m);
});

test("an empty or unchanged title by the reader changes nothing", () => {
  for (const title of ["", " \n", "Tea  in clay"]) {
    assert.equal(
      bibtexFields({ derived: true }, { title }).note,
      "Title derived from the abstract, not by the authors",
    );
  }
});

test("keywords, derived tags and labels stay apart", () => {
  const record = { keywords: ["clay", "tea, hot"], tags: [["kiln", "tags/kiln.html"]] };
  const fields = bibtexFields(record, { labels: ["soon"] });
  assert.equal(fields.keywords, "clay, {tea, hot}");
  assert.equal(fields.papershelf_tags, "kiln");
  assert.equal(fields.papershelf_labels, "soon");
});

for (const [text, escaped] of [
  ["100% of $5 & #1_a", "100\\% of \\$5 \\& \\#1\\_a"],
  ["a~b^c\\d", "a{\\textasciitilde}b{\\textasciicircum}c{\\textbackslash}d"],
  ["a < b > c | d", "a {\\textless} b {\\textgreater} c {\\textbar} d"],
  ["{0, 1}", "\\{0, 1\\}"],
  ["a } b {", "a {\\textbraceright} b {\\textbraceleft}"],
  ["\\{", "{\\textbackslash}{\\textbraceleft}"],
  ["a -- b --- c", "a -{}- b -{}-{}- c"],
  ["``a'' ,,b ?`c", "`{}`a'{}' ,{},b ?{}`c"],
  ["Überblick: 東京 “x”", "Überblick: 東京 “x”"],
]) {
  test(`BibTeX escapes ${text}`, () => assert.equal(bibtexFields({ title: text }).title, `{${escaped}}`));
}

for (const [name, written] of [
  ["Berta Laib", "Berta Laib"],
  ["Laib, Berta", "Laib, Berta"],
  ["O’Neill-Kärr, J.-P.", "O’Neill-Kärr, J.-P."],
  ["Laib, Jr., Berta", "{Laib, Jr., Berta}"],
  ["Tea and Clay Ltd", "{Tea and Clay Ltd}"],
  ["AND", "{AND}"],
  ["others", "{others}"],
  ["Sandy Anders", "Sandy Anders"],
  ["Laib,", "{Laib,}"],
  ["Clay & Co", "{Clay \\& Co}"],
  ["a{b", "{a{\\textbraceleft}b}"],
]) {
  test(`BibTeX writes the name ${name}`, () => {
    assert.equal(bibtexFields({ authors: [name, "Cem Karr"] }).author, `${written} and Cem Karr`);
  });
}

for (const [record, key] of [
  [{ authors: ["Laib, Berta"], year: 2030, title: "The tea of clay" }, "laib2030tea-3f2a1c"],
  [{ authors: ["Berta Läib"], year: 2030, title: "Ôn Ørsted" }, "laib2030orsted-3f2a1c"],
  [{ authors: ["Berta Laib"], title: "On the" }, "laib-3f2a1c"],
  [{ authors: ["Berta Laib"], year: 2030, derived: true }, "laib2030-3f2a1c"],
  [{ authors: ["東京"], year: 2030, title: "東京" }, "paper2030-3f2a1c"],
  [{ authors: ["3M"], year: 2030, title: "" }, "m2030-3f2a1c"],
  [{ authors: [], title: "" }, "paper-3f2a1c"],
  [{ authors: ["}, @x{"], title: "{,}%\\" }, "paper-3f2a1c"],
]) {
  test(`the citation key ${key}`, () => assert.deepEqual(citationKeys(paper(record)), [key]));
}

test("citation keys differ for papers that look alike, and don't depend on the others", () => {
  const like = { authors: ["Berta Laib"], year: 2030 };
  const ids = ["aaaaaabbbbbb", "cccccccccccc", "aaaaaadddddd", "aaaaaadddddd"];
  const papers = ids.map((id) => paper({ ...like, id }));
  const keys = ["-aaaaaa", "-cccccc", "-aaaaaadddddd", "-aaaaaadddddd-2"].map((end) => `laib2030tea${end}`);
  assert.deepEqual(citationKeys(...papers), keys);
  assert.deepEqual(citationKeys(papers[1]), [keys[1]]);
});

test("addresses are http or https, and no file's address gets out", () => {
  for (const url of [
    "javascript:alert(1)",
    "file:///home/me/a.pdf",
    "ftp://a.example/",
    "https:",
    "https://[",
    "a.pdf",
  ]) {
    for (const address of ["file:///home/me/site/", "javascript:/", "", "C:\\me\\"]) {
      for (const { name } of EXPORT_FORMATS) {
        const text = exportPapers(name, [paper({ url })], { siteName: "S", address });
        assert.doesNotMatch(text, /file:|home|javascript|ftp:|a\.pdf|abstracts\//, name);
      }
    }
  }
});

test("addresses carry nothing that a format would read", () => {
  const fields = bibtexFields({ url: " https://Example.org/a b}{\\é?x='\"<|^`>#%41&y" });
  assert.equal(fields.url, "https://example.org/a%20b%7D%7B/%C3%A9?x=%27%22%3C%7C%5E%60%3E#%41&y");
});

test("the site's address may lack its last slash", () => {
  const text = exportPapers("json", [paper()], { siteName: "S", address: "http://shelf.example/papers" });
  assert.equal(JSON.parse(text)[0].page, "http://shelf.example/papers/abstracts/tea-3f2a1c.html");
});

test("what cannot be seen or written is taken out", () => {
  const title = "a\0b\u202ec\ud800d\u2028e\tf\u00adg\u{1f600}\u{e0041}\u200dh";
  const [read] = JSON.parse(exportPapers("json", [paper({ title, abstract: "a\r\n\r\n b \rc" })], CONTEXT));
  assert.equal(read.title, "abc\ufffdd e fg\u{1f600}\u200dh");
  assert.equal(read.abstract, "a\nb\nc");
});

for (const [text, escaped] of [
  ["*a* _b_ `c` [d](e) ![f](g)", "\\*a\\* \\_b\\_ \\`c\\` \\[d\\](e) !\\[f\\](g)"],
  ["<b>&lt;", "&#60;b&#62;&#38;lt;"],
  ["# a", "\\# a"],
  ["- a", "\\- a"],
  ["2030. a", "2030\\. a"],
  ["2030) a", "2030\\) a"],
  ["e.g. a", "e.g. a"],
  ["see http://a.example, www.a.example, a@b.example", "see http&#58;//a.example, www\\.a.example, a&#64;b.example"],
  ["Tea: clay", "Tea: clay"],
  ["~~a~~ $x$ a|b ==c==", "&#126;&#126;a&#126;&#126; &#36;x&#36; a&#124;b &#61;&#61;c&#61;&#61;"],
  ["!!! note", "\\!!! note"],
]) {
  test(`Markdown escapes ${text}`, () => {
    const lines = exportPapers("markdown", [paper({ abstract: text })], CONTEXT).split("\n");
    assert.equal(lines.at(-2), `> ${escaped}`);
  });
}

test("a hundred thousand characters take no time", () => {
  const pieces = [
    "{",
    "}",
    "\\",
    "'",
    "-",
    ";",
    '"',
    "=",
    " ",
    "\n",
    "\t",
    "a",
    ".",
    "1",
    "and ",
    "\ud800",
    ";'",
    "[",
    "@",
  ];
  const before = performance.now();
  for (const piece of pieces) {
    const text = piece.repeat(100_000 / piece.length);
    const long = paper({
      title: text,
      abstract: text,
      authors: [text],
      keywords: [text],
      url: `https://a.example/${text}`,
    });
    for (const { name } of EXPORT_FORMATS) exportPapers(name, [{ ...long, note: text, labels: [text] }], CONTEXT);
  }
  assert.ok(performance.now() - before < 20_000);
});
