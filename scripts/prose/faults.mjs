// Finds faults in the prose of a file.
import { readCode } from './code.mjs';
import { readMarkdown } from './markdown.mjs';
import * as rules from './rules.mjs';
import { sentencesOf, wordsOf } from './sentences.mjs';

/** Folders whose string literals a person reads. The others hold the texts of the real system. */
const OWN_STRINGS =
  /^src\/(?:cli|testing|scenario|assembly|bridge|codegen|inspector|recording|client|wallet)\//;
const LABELS = ['heading', 'label', 'title'];

/** @returns passages { kind, line, text }, with links and anchors for a page */
export function readProse(file, text) {
  if (file.endsWith('.md')) return readMarkdown(text);
  if (/\.ya?ml$/.test(file)) return { passages: yamlComments(text) };
  const wants = { titles: /\.test\.[cm]?[jt]s$/.test(file), strings: OWN_STRINGS.test(file) };
  return { passages: readCode(file, text, wants) };
}

function yamlComments(text) {
  const passages = [];
  let open;
  text.split('\n').forEach((line, index) => {
    const comment = /(^|\s)#\s(.*)$/.exec(line);
    const isAlone = /^\s*#/.test(line);
    if (comment === null) open = undefined;
    else if (isAlone && open) open.text += `\n${comment[2]}`;
    else {
      const passage = { kind: 'comment', line: index + 1, text: comment[2] };
      passages.push(passage);
      open = isAlone ? passage : undefined;
    }
  });
  return passages;
}

/** @returns sentences { kind, line, text } of passages */
export const sentencesIn = (passages) =>
  passages.flatMap(({ kind, line, text }) =>
    sentencesOf(text).map((sentence) => ({
      kind,
      line: line + text.slice(0, sentence.offset).split('\n').length - 1,
      text: sentence.text.replace(/\s+/g, ' '),
    })),
  );

/** @returns faults { line, rule, message, text } */
export function faultsIn(file, text, prose = readProse(file, text)) {
  const sentences = sentencesIn(prose.passages);
  const faults = sentences.flatMap((sentence) => faultsOf(sentence));
  if (file.endsWith('.md')) faults.push(...passiveFaults(sentences));
  faults.push(...widthFaults(file, text));
  return faults.sort((a, b) => a.line - b.line);
}

function faultsOf({ kind, line, text }) {
  const found = [];
  const count = wordsOf(text).length;
  if (count > rules.MOST_WORDS)
    found.push({
      line,
      rule: 'length',
      message: `${count} words. Split it: at most ${rules.MOST_WORDS}, better 25.`,
      text,
    });
  // Code is not prose, and neither is quoted output.
  const prose = text.replace(/`[^`]*`/g, '`x`').replace(/[’]/g, "'");
  for (const { name, pattern, instead, kinds } of rules.banned) {
    if (kinds === 'sentence' && LABELS.includes(kind)) continue;
    const match = pattern.exec(prose);
    if (match) found.push({ line, rule: name, message: `"${match[0].trim()}": ${instead}.`, text });
  }
  for (const { pattern, term } of rules.terms) {
    const match = pattern.exec(prose);
    if (match)
      found.push({ line, rule: 'term', message: `"${match[0]}": the term is "${term}".`, text });
  }
  return found;
}

function passiveFaults(sentences) {
  const full = sentences.filter(({ kind }) => kind === 'paragraph');
  const passive = full.filter(({ text }) => rules.isPassive(text));
  const share = passive.length / full.length;
  if (full.length < rules.FEWEST_SENTENCES || share <= rules.MOST_PASSIVE) return [];
  const percent = (value) => `${Math.round(value * 100)}%`;
  const message = `${passive.length} of ${full.length} sentences are passive (${percent(share)}, at most ${percent(rules.MOST_PASSIVE)}). Say who does it; the first three:`;
  return [
    {
      line: passive[0].line,
      rule: 'passive',
      message,
      text: passive
        .slice(0, 3)
        .map(({ text, line }) => `${line}: ${text}`)
        .join(' | '),
    },
  ];
}

function widthFaults(file, text) {
  const isPage = file.endsWith('.md');
  const most = isPage ? rules.MOST_COLUMNS : rules.MOST_COMMENT_COLUMNS;
  let isFenced = false;
  return text.split('\n').flatMap((line, index) => {
    if (line.startsWith('```')) isFenced = !isFenced;
    // The target of a link cannot be wrapped.
    const { length } = isPage ? line.replace(/\]\([^)]*\)/g, ']') : line;
    if (length <= most || isFenced) return [];
    const isProse = isPage
      ? !/^\s*(?:\||\[|!\[|<)/.test(line) && /\S\s\S/.test(line)
      : /^\s*(?:\/\/|\/?\*)/.test(line);
    const message = `${length} characters. Wrap the line: at most ${most}.`;
    return isProse
      ? [{ line: index + 1, rule: 'width', message, text: `${line.slice(0, 60)}…` }]
      : [];
  });
}
