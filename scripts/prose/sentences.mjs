// Splits a passage into sentences and words.

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
/** A dot after one of these ends no sentence. */
const ABBREVIATION = /\b(?:e\.g|i\.e|etc|vs|cf|no|approx)\.\s*$/i;

/** @returns sentences, each with its offset in the text */
export function sentencesOf(text) {
  const found = [];
  for (const { segment, index } of segmenter.segment(text)) {
    const last = found.at(-1);
    const isContinued =
      last !== undefined && (ABBREVIATION.test(last.text) || /^[a-z]/.test(segment));
    if (isContinued) last.text += segment;
    else found.push({ text: segment, offset: index + (/^\s*/.exec(segment)?.[0].length ?? 0) });
  }
  return found
    .map(({ text: sentence, offset }) => ({ text: sentence.trim(), offset }))
    .filter(({ text: sentence }) => sentence !== '');
}

/** Words of a sentence. A piece of code in backticks is one word. */
export const wordsOf = (sentence) =>
  sentence.replace(/`[^`]*`/g, 'code').match(/[\p{L}\p{N}$][\p{L}\p{N}$'’._/-]*/gu) ?? [];
