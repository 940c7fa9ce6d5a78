/**
 * Papers for other programs: BibTeX, RIS, CSV, JSON and a reading list in Markdown.
 *
 * In: records with what the reader made of them, and the site's name and address. Out: the text of one file.
 *
 * Every format is written from the same cleaned fields, see `ExportedFields`. What is not known is left out, a title
 * that the authors did not give is marked, and derived tags, the reader's labels and the authors' keywords stay apart.
 */

/**
 * @typedef {object} ExportedPaper
 * @property {import("./records.js").PaperRecord} record
 * @property {string} note The reader's own; may hold line breaks.
 * @property {string[]} labels The reader's own.
 * @property {"kept" | "skipped" | "later" | ""} mark
 * @property {string} [title] The title as the reader put it right, if so.
 */

/**
 * @typedef {object} ExportContext
 * @property {string} siteName
 * @property {string} address The site's root; pages are only linked if it is http or https.
 */

/**
 * One paper as it is exported; in JSON with these very keys, and in CSV with these very columns. Without control
 * characters, lone surrogates (U+FFFD stands for them) and marks that turn the direction of text.
 *
 * @typedef {object} ExportedFields
 * @property {string} id 12 hex digits.
 * @property {string} [title] One line.
 * @property {boolean} title_derived Whether the title was derived from the abstract.
 * @property {boolean} title_by_reader Whether the title is the reader's own.
 * @property {string[]} [authors] As the source writes them.
 * @property {number} [year]
 * @property {string[]} [collections] Names that the site gives its sources; no statement of where a paper appeared.
 * @property {string} [url] The paper's own page elsewhere; http or https, in ASCII.
 * @property {string[]} [keywords] The authors' own.
 * @property {string[]} [derived_tags]
 * @property {string[]} [labels] The reader's own.
 * @property {string} [mark] `kept`, `skipped` or `later`.
 * @property {string} [note] The reader's own; line breaks between paragraphs.
 * @property {string} [abstract] Line breaks between paragraphs.
 * @property {string} [page] The paper's page on the site; http or https.
 * @property {string} [source] Where it was read, such as `papers.txt, record 3`.
 * @property {string} [source_id] The source's own id.
 * @property {string} [added] The day it was first built, `YYYY-MM-DD`.
 */

/** @typedef {"bibtex" | "ris" | "csv" | "json" | "markdown"} ExportName */

/**
 * The formats in the order to offer them. `extension` is without a dot, `type` is the MIME type.
 *
 * @type {readonly Readonly<{ name: ExportName, label: string, extension: string, type: string }>[]}
 */
export const EXPORT_FORMATS = Object.freeze([
  Object.freeze({ name: "bibtex", label: "BibTeX", extension: "bib", type: "application/x-bibtex" }),
  Object.freeze({ name: "ris", label: "RIS", extension: "ris", type: "application/x-research-info-systems" }),
  Object.freeze({ name: "csv", label: "CSV", extension: "csv", type: "text/csv" }),
  Object.freeze({ name: "json", label: "JSON", extension: "json", type: "application/json" }),
  Object.freeze({ name: "markdown", label: "Markdown", extension: "md", type: "text/markdown" }),
]);

/**
 * The text of a file with the papers in the given order; to be written as UTF-8 as it is.
 *
 * @param {ExportName} format
 * @param {ExportedPaper[]} papers
 * @param {ExportContext} context
 * @returns {string} CSV starts with a byte order mark.
 * @throws {RangeError} The format is unknown.
 */
export function exportPapers(format, papers, context) {
  const fields = papers.map((paper) => exportedFields(paper, context.address));
  const siteName = oneLine(context.siteName);
  switch (format) {
    case "bibtex":
      return bibtexFile(fields);
    case "ris":
      return risFile(fields, siteName);
    case "csv":
      return csvFile(fields);
    case "json":
      return `${JSON.stringify(fields, null, 2)}\n`;
    case "markdown":
      return markdownFile(fields, siteName);
    default:
      throw new RangeError(`no export format is called ${format}`);
  }
}

/**
 * @param {ExportedPaper} paper
 * @param {string} address
 * @returns {ExportedFields}
 */
function exportedFields({ record, note, labels, mark, title }, address) {
  const own = oneLine(title ?? "");
  const given = oneLine(record.title);
  const byReader = own !== "" && own !== given;
  const fields = {
    id: oneLine(record.id),
    title: byReader ? own : given,
    title_derived: record.derived && !byReader,
    title_by_reader: byReader,
    authors: lines(record.authors),
    year: record.year,
    collections: lines(record.collections.map(([name]) => name)),
    url: webAddress(record.url ?? ""),
    keywords: lines(record.keywords),
    derived_tags: lines(record.tags.map(([label]) => label)),
    labels: lines(labels),
    mark,
    note: paragraphs(note),
    abstract: paragraphs(record.abstract),
    page: webAddress(`${address.replace(/\/?$/, "/")}${record.page}`),
    source: oneLine(record.source),
    source_id: oneLine(record.sourceId ?? ""),
    added: oneLine(record.added),
  };
  const known = Object.entries(fields).filter(([, value]) => value !== null && String(value) !== "");
  return /** @type {ExportedFields} */ (Object.fromEntries(known));
}

// ---- Text

// As generator/markup/clean.py, for what did not pass it: notes, labels and titles by the reader.
const LINE_ENDS = /\r\n?|[\v\f\x1c-\x1e\x85\u2028\u2029]/g;
const UNSEEN =
  /[\xad\u061c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufdd0-\ufdef\ufeff\ufff9-\ufffb\ufffe\uffff\u{e0000}-\u{e007f}]/gu;

/**
 * @param {string} text
 * @returns {string} Paragraphs without empty ones, a line each; a line has no blanks around it, and none twice.
 */
function paragraphs(text) {
  const cleaned = text.replace(LINE_ENDS, "\n").split("\n").map(cleanLine);
  return cleaned.filter((line) => line !== "").join("\n");
}

/** @param {string} line */
function cleanLine(line) {
  const seen = line
    .replaceAll("\t", " ")
    .replace(/\p{Cc}/gu, "")
    .replace(UNSEEN, "");
  return seen
    .replace(/\p{Surrogate}/gu, "\ufffd")
    .replace(/ {2,}/g, " ")
    .trim();
}

/** @param {string} text */
function oneLine(text) {
  return paragraphs(text).replaceAll("\n", " ");
}

/** @param {string[]} texts */
function lines(texts) {
  return texts.map(oneLine).filter((line) => line !== "");
}

/**
 * @param {string} text
 * @returns {string} The address in ASCII, without a character that any of the formats gives a meaning; empty if it is
 *   no http or https address: an export must not tell where files lie on somebody's disk.
 */
function webAddress(text) {
  const trimmed = oneLine(text);
  if (!/^https?:\/\//i.test(trimmed)) return "";
  try {
    return new URL(trimmed).href.replace(/[\\{}|^`"'<>]/g, percentEncoded);
  } catch {
    return "";
  }
}

/** @param {string} character In ASCII. */
function percentEncoded(character) {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/**
 * @param {ExportedFields} paper
 * @returns {string} What is to be said of a title that the authors did not give; else empty.
 */
function titleRemark(paper) {
  if (paper.title_by_reader) return "Title by the reader, not by the authors";
  return paper.title_derived ? "Title derived from the abstract, not by the authors" : "";
}

// ---- BibTeX

/**
 * Every entry is `@misc`, and collections have a field of their own: they are named after files, which does not tell
 * whether, or where, a paper was published. Styles print `note` and pass over the fields that they don't know.
 *
 * @param {ExportedFields[]} papers
 */
function bibtexFile(papers) {
  const keys = citationKeys(papers);
  return papers.map((paper, position) => bibtexEntry(paper, keys[position])).join("\n");
}

/**
 * @param {ExportedFields} paper
 * @param {string} key
 */
function bibtexEntry(paper, key) {
  /** @type {[string, string][]} */
  const fields = [
    ["author", (paper.authors ?? []).map(bibtexName).join(" and ")],
    // The second braces keep styles from changing capitals.
    ["title", paper.title ? `{${bibtexText(paper.title)}}` : ""],
    ["year", String(paper.year ?? "")],
    // Read verbatim, as \url takes it.
    ["url", paper.url ?? ""],
    ["abstract", bibtexText(paper.abstract ?? "")],
    ["keywords", bibtexList(paper.keywords)],
    ["note", titleRemark(paper)],
    ["annote", bibtexText(paper.note ?? "")],
    ["papershelf_id", paper.id],
    ["papershelf_mark", paper.mark ?? ""],
    ["papershelf_labels", bibtexList(paper.labels)],
    ["papershelf_tags", bibtexList(paper.derived_tags)],
    ["papershelf_collections", bibtexList(paper.collections)],
    ["papershelf_page", paper.page ?? ""],
    ["papershelf_source", bibtexText(paper.source ?? "")],
    ["papershelf_source_id", bibtexText(paper.source_id ?? "")],
    ["papershelf_added", bibtexText(paper.added ?? "")],
  ];
  const known = fields.filter(([, value]) => value !== "").map(([name, value]) => `  ${name} = {${value}},\n`);
  return `@misc{${key},\n${known.join("")}}\n`;
}

/** @type {Record<string, string>} */
const BIBTEX_ESCAPES = {
  "\\": "{\\textbackslash}",
  "~": "{\\textasciitilde}",
  "^": "{\\textasciicircum}",
  // These three are other characters in LaTeX's oldest font encoding, which is still the default.
  "<": "{\\textless}",
  ">": "{\\textgreater}",
  "|": "{\\textbar}",
  "#": "\\#",
  $: "\\$",
  "%": "\\%",
  "&": "\\&",
  _: "\\_",
};
/** @type {Record<string, string>} */
const PAIRED_BRACES = { ...BIBTEX_ESCAPES, "{": "\\{", "}": "\\}" };
/**
 * BibTeX counts braces, escaped or not, so that one alone needs another name; more programs know `\{` than this one.
 *
 * @type {Record<string, string>}
 */
const LONE_BRACES = { ...BIBTEX_ESCAPES, "{": "{\\textbraceleft}", "}": "{\\textbraceright}" };

/**
 * @param {string} text
 * @returns {string} LaTeX for it, on one line: some parsers take an `@` at a line's start for a new entry.
 */
function bibtexText(text) {
  const escapes = bracesArePaired(text) ? PAIRED_BRACES : LONE_BRACES;
  // An empty group keeps apart what LaTeX would join to one character, such as two hyphens to a dash.
  return text
    .replaceAll("\n", " ")
    .replace(/([-'`,])(?=\1)|[?!](?=`)|[\\{}#$%&_~^<>|]/g, (found) => escapes[found] ?? `${found}{}`);
}

/** @param {string} text */
function bracesArePaired(text) {
  let open = 0;
  for (const character of text) {
    if (character === "{") open += 1;
    if (character === "}") open -= 1;
    if (open < 0) return false;
  }
  return open === 0;
}

/**
 * @param {string[]} [texts]
 * @returns {string} Separated by commas; braces hold together what has a comma itself.
 */
function bibtexList(texts = []) {
  return texts.map((text) => (text.includes(",") ? `{${bibtexText(text)}}` : bibtexText(text))).join(", ");
}

/**
 * @param {string} name
 * @returns {string} The name, in braces if BibTeX would take it for several, or cut it where it should not.
 */
function bibtexName(name) {
  const ofPerson = /^[\p{L}\p{M}\p{N} .'’·‐-]+(, ?[\p{L}\p{M}\p{N} .'’·‐-]+)?$/u.test(name);
  const meansMore = name.split(" ").some((word) => /^(and|others)$/i.test(word));
  return ofPerson && !meansMore ? bibtexText(name) : `{${bibtexText(name)}}`;
}

/**
 * NFKD leaves these as they are.
 *
 * @type {Record<string, string>}
 */
const ASCII_LETTERS = { ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i" };
const SMALL_WORDS = new Set(
  "a an and are as at by can do does for from how in is of on the to what when why with".split(" "),
);

/**
 * Keys of family name, year, first word of the authors' title, and the start of the paper's id, which makes a key the
 * same in every export, whatever else is exported.
 *
 * @param {ExportedFields[]} papers
 * @returns {string[]} One a paper, in small ASCII letters, digits and hyphens; no two alike.
 */
function citationKeys(papers) {
  const taken = new Set();
  return papers.map((paper) => {
    const id = asciiWord(paper.id);
    const stem = keyStem(paper);
    let key = `${stem}-${id.slice(0, 6)}`;
    if (taken.has(key)) key = `${stem}-${id}`;
    for (let number = 2; taken.has(key); number += 1) key = `${stem}-${id}-${number}`;
    taken.add(key);
    return key;
  });
}

/** @param {ExportedFields} paper */
function keyStem(paper) {
  const name = paper.authors?.[0] ?? "";
  const family = name.includes(",") ? name.slice(0, name.indexOf(",")) : name.slice(name.lastIndexOf(" ") + 1);
  // A derived title may be another after the next build, and the reader may put one right again.
  const byAuthors = !paper.title_derived && !paper.title_by_reader;
  const words = byAuthors ? (paper.title ?? "").split(/[^\p{L}\p{M}\p{N}]+/u, 50).map(asciiWord) : [];
  const word = words.find((each) => each !== "" && !SMALL_WORDS.has(each)) ?? "";
  return `${asciiWord(family).replace(/^\d+/, "") || "paper"}${paper.year ?? ""}${word}`;
}

/** @param {string} text */
function asciiWord(text) {
  return text
    .slice(0, 40)
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]/g, (letter) => ASCII_LETTERS[letter] ?? "");
}

// ---- RIS

/**
 * What RIS has no tag for goes into notes (N1) that say what they are: programs show them, and no meaning is lent to a
 * tag that differs from program to program, such as C1.
 *
 * @param {ExportedFields[]} papers
 * @param {string} siteName
 */
function risFile(papers, siteName) {
  return papers.map((paper) => risRecord(paper, siteName)).join("\r\n");
}

/**
 * @param {ExportedFields} paper
 * @param {string} siteName
 */
function risRecord(paper, siteName) {
  const notes = [
    titleRemark(paper),
    labelled("Note", paper.note),
    labelled("Mark", paper.mark),
    labelled("Labels", paper.labels?.join("; ")),
    labelled("Derived tags", paper.derived_tags?.join("; ")),
    labelled("Collections", paper.collections?.join("; ")),
    labelled("Source", paper.source),
    labelled("Id in the source", paper.source_id),
    labelled("Added", paper.added),
    labelled(`Page on ${siteName}`, paper.page),
  ];
  /** @type {[string, string[]][]} */
  const tags = [
    ["TY", ["GEN"]],
    ["ID", [paper.id]],
    ["AU", paper.authors ?? []],
    ["TI", [paper.title ?? ""]],
    ["PY", [String(paper.year ?? "")]],
    ["UR", [paper.url ?? ""]],
    ["AB", [paper.abstract ?? ""]],
    ["KW", paper.keywords ?? []],
    ["N1", notes],
  ];
  const known = tags.flatMap(([tag, values]) =>
    values.filter((value) => value !== "").map((value) => `${tag}  - ${value.replaceAll("\n", " ")}\r\n`),
  );
  return `${known.join("")}ER  - \r\n`;
}

/**
 * @param {string} label
 * @param {string} [value]
 * @returns {string} `label: value`, or empty if there is no value.
 */
function labelled(label, value) {
  return value ? `${label}: ${value}` : "";
}

// ---- CSV

/** @type {(keyof ExportedFields)[]} */
const CSV_COLUMNS = [
  // The id comes first: a line must not start with strangers' words, see csvCell.
  "id",
  "title",
  "title_derived",
  "title_by_reader",
  "authors",
  "year",
  "collections",
  "url",
  "keywords",
  "derived_tags",
  "labels",
  "mark",
  "note",
  "abstract",
  "page",
  "source",
  "source_id",
  "added",
];

/**
 * RFC 4180 with a header; lists are separated by `; `. The byte order mark lets Excel read it as UTF-8.
 *
 * @param {ExportedFields[]} papers
 */
function csvFile(papers) {
  const rows = papers.map((paper) => CSV_COLUMNS.map((column) => csvCell(paper[column] ?? "")));
  return `\ufeff${[CSV_COLUMNS.map(csvCell), ...rows].map((row) => `${row.join(",")}\r\n`).join("")}`;
}

/**
 * A cell that a spreadsheet would take for a formula gets a `'` in front. To undo: take one `'` from a cell that starts
 * with `'`, whether once or several times, and then one of `= + - @ ＝ ＋ － ＠`. (Tabs and carriage returns, which
 * make formulas too, were taken out before.)
 *
 * Where lists are separated by semicolons, spreadsheets take `;` and line ends for the end of a cell, in spite of the
 * quotes; there a blank keeps the next one from starting as a formula.
 *
 * @param {string | number | boolean | string[]} value
 */
function csvCell(value) {
  const text = Array.isArray(value) ? value.join("; ") : String(value);
  const harmless = text.replace(/^(?='*[=+\-@＝＋－＠])/, "'").replace(/[;\n](?=["']*[=+\-@＝＋－＠])/g, "$& ");
  return `"${harmless.replaceAll('"', '""')}"`;
}

// ---- Markdown

/**
 * @param {ExportedFields[]} papers
 * @param {string} siteName
 */
function markdownFile(papers, siteName) {
  const heading = siteName ? `# ${markdownText(siteName)}: reading list\n` : "# Reading list\n";
  return [heading, ...papers.map((paper) => markdownPaper(paper, siteName))].join("\n");
}

/**
 * @param {ExportedFields} paper
 * @param {string} siteName
 */
function markdownPaper(paper, siteName) {
  const title = markdownText(paper.title ?? paper.id);
  const remark = paper.title_by_reader ? " (title by the reader)" : paper.title_derived ? " (derived title)" : "";
  const byline = [markdownText(paper.authors?.join("; ") ?? ""), String(paper.year ?? "")];
  const facts = [
    labelled("Mark", paper.mark),
    labelled("Labels", markdownText(paper.labels?.join("; ") ?? "")),
    labelled("Keywords", markdownText(paper.keywords?.join("; ") ?? "")),
    labelled("Derived tags", markdownText(paper.derived_tags?.join("; ") ?? "")),
    labelled("Collections", markdownText(paper.collections?.join("; ") ?? "")),
    labelled("Source", markdownText(paper.source ?? "")),
    labelled("Id in the source", markdownText(paper.source_id ?? "")),
    labelled("Added", markdownText(paper.added ?? "")),
    labelled("Id", paper.id),
    paper.page ? markdownLink(`Page on ${markdownText(siteName)}`, paper.page) : "",
  ];
  const blocks = [
    `## ${paper.url ? markdownLink(title, paper.url) : title}${remark}`,
    byline.filter((part) => part !== "").join(", "),
    facts
      .filter((fact) => fact !== "")
      .map((fact) => `- ${fact}`)
      .join("\n"),
    paper.note ? `**Note:** ${paper.note.split("\n").map(markdownText).join("\n\n")}` : "",
    paper.abstract ? `> ${paper.abstract.split("\n").map(markdownText).join("\n>\n> ")}` : "",
  ];
  return blocks
    .filter((block) => block !== "")
    .map((block) => `${block}\n`)
    .join("\n");
}

// All that Python-Markdown lets a backslash escape; CommonMark and GitHub know more.
const MARKDOWN_ESCAPABLE = "\\`*_{}[]()#+-.!";

/**
 * Markdown that shows one line of text as it is, in CommonMark, GitHub's, Pandoc's and Python-Markdown with the usual
 * extensions: any punctuation at the start, list numbers, marks of inline syntax, and what makes bare addresses links.
 *
 * @param {string} text
 */
function markdownText(text) {
  const active = /^[!-/:-@[-`{-~]|^\w{1,9}[.)](?=\s|$)|[\\`*_{}[\]#+<>&|~$^@=]|:(?=\S)|www\./gi;
  return text.replace(active, (found) => {
    const last = found.slice(-1);
    const escaped = MARKDOWN_ESCAPABLE.includes(last) ? `\\${last}` : `&#${last.charCodeAt(0)};`;
    return `${found.slice(0, -1)}${escaped}`;
  });
}

/**
 * @param {string} text Markdown.
 * @param {string} address As `webAddress` returns it.
 */
function markdownLink(text, address) {
  return `[${text}](<${address.replaceAll("&", "&amp;")}>)`;
}
