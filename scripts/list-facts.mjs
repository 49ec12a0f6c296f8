// Updates the state of each fact in src/spec/facts/releases.json: it holds if the title of a test names it. Otherwise it has a note, or it
// is open.
//
//     node scripts/list-facts.mjs [--check] [--notes FILE]     FILE has lines of an id, a tab, and one sentence
//
// With --check, it writes nothing, and fails if a state is outdated.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './steps.mjs';

const FILE = join(root, 'src', 'spec', 'facts', 'releases.json');
const ID = /R-\d\d-\d{3}/;
/** Two ids may be the ends of a range. */
const IDS = new RegExp(`(${ID.source})(?: (?:to|…) (${ID.source}))?`, 'g');

/** The ids in a source, outside its comments. */
export function idsIn(source) {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  return [...code.matchAll(IDS)].flatMap(([, first, last = first]) => {
    const [from, to] = [first, last].map((id) => Number(id.slice(-3)));
    return Array.from(
      { length: to - from + 1 },
      (_, n) => first.slice(0, -3) + String(from + n).padStart(3, '0'),
    );
  });
}

/** The facts that tests name. */
function tested() {
  const folder = join(root, 'test');
  const files = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.test.ts') && !name.endsWith('release-facts.test.ts'));
  return new Set(files.flatMap((name) => idsIn(readFileSync(join(folder, name), 'utf8'))));
}

/** @param notes by id, in addition to those in the file */
export function updated(list, names, notes = new Map()) {
  return list.facts.map(({ id, topic, text, note: known }) => {
    if (names.has(id)) return { id, topic, text, state: 'holds' };
    const note = notes.get(id) ?? known;
    return note === undefined
      ? { id, topic, text, state: 'open' }
      : { id, topic, text, state: note.startsWith('Open: ') ? 'open' : 'note', note };
  });
}

/** JSON with one line for each fact. */
function print({ $comment, facts }) {
  const lines = facts.map((fact) => `    ${JSON.stringify(fact)}`).join(',\n');
  return `{\n  "$comment": ${JSON.stringify($comment)},\n  "facts": [\n${lines}\n  ]\n}\n`;
}

function notesIn(file) {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => ID.test(line));
  return new Map(lines.map((line) => line.split('\t').map((part) => part.trim())));
}

function main(flags) {
  const at = flags.indexOf('--notes');
  const list = JSON.parse(readFileSync(FILE, 'utf8'));
  const names = tested();
  const known = new Set(list.facts.map(({ id }) => id));
  const unknown = [...names].filter((id) => !known.has(id));
  const facts = updated(list, names, at < 0 ? undefined : notesIn(flags[at + 1]));
  const isCurrent = JSON.stringify(facts) === JSON.stringify(list.facts);
  if (!flags.includes('--check')) writeFileSync(FILE, print({ ...list, facts }));
  else if (!isCurrent)
    console.error('The list of facts is outdated. Run: node scripts/list-facts.mjs');
  if (unknown.length > 0) console.error(`No fact has the id ${unknown.join(', ')}.`);
  const isWrong = unknown.length > 0 || (flags.includes('--check') && !isCurrent);
  if (isWrong) process.exitCode = 1;
  const count = (state) => facts.filter((fact) => fact.state === state).length;
  console.log(`${count('holds')} hold, ${count('note')} have a note, ${count('open')} are open`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
