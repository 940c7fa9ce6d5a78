// The tables of words as an index's manifest brings them, cut down to what these tests need.
export const TABLES = {
  letters: { ß: "ss", æ: "ae", "√": " sqrt " },
  greek: { ε: "epsilon", α: "alpha" },
  unspaced: "\u3005-\u3007\u3040-\u30ff\u4e00-\u9fff",
  suffixes: [
    [
      ["ss", "ss", 1],
      ["s", "", 3],
    ],
    [
      ["ing", "", 3],
      ["ed", "", 3],
    ],
  ],
  longest: 64,
};
