// Checks the prose of the project: pages, comments, docstrings, help, errors and test titles. scripts/prose/rules.mjs has the rules.
//
//     node scripts/prose.mjs                 every file
//     node scripts/prose.mjs FILE…           these files or folders
//     node scripts/prose.mjs --text "…"      one sentence
//     node scripts/prose.mjs --stats         words, sentences, mean length and passive share by group
//     node scripts/prose.mjs --json          reads [{ file, text }] from stdin, and prints the faults of each as JSON
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import { faultsIn, readProse, sentencesIn } from './prose/faults.mjs';
import { isPassive } from './prose/rules.mjs';
import { wordsOf } from './prose/sentences.mjs';
import { root } from './steps.mjs';

const FOLDERS = [
  '.changeset',
  '.github',
  'bench',
  'bin',
  'channels',
  'docs',
  'examples',
  'fixtures',
  'scenarios',
  'scripts',
  'src',
  'test',
];
const IGNORED = /(?:^|\/)(?:node_modules|generated|facts|dist|messages|exchanges|saved)(?:\/|$)/;
const READ = /\.(?:md|ya?ml|[cm]?[jt]sx?)$/;

const textOf = (file) => readFileSync(join(root, file), 'utf8');

function allFiles() {
  const top = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
  const below = FOLDERS.filter((folder) => existsSync(join(root, folder))).flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(root, join(parentPath, name)).split(sep).join('/')),
  );
  return [...top, ...below].filter((file) => READ.test(file) && !IGNORED.test(file)).sort();
}

/** Links of a page that lead to no file or heading. */
function linkFaults(file, { links = [], anchors = [] }, anchorsOf) {
  return links.flatMap(({ line, target }) => {
    if (/^[a-z]+:/.test(target)) return [];
    const [path, anchor] = decodeURI(target).split('#');
    const to = path === '' ? file : posix.join(posix.dirname(file), path);
    const fault = (message) => [{ line, rule: 'link', message, text: target }];
    if (!existsSync(join(root, to))) return fault(`there is no file ${to}.`);
    if (anchor === undefined || !to.endsWith('.md')) return [];
    const known = to === file ? anchors : anchorsOf(to);
    return known.includes(anchor) ? [] : fault(`${to} has no heading #${anchor}.`);
  });
}

function check(files) {
  const pages = new Map();
  const anchorsOf = (page) => {
    if (!pages.has(page)) pages.set(page, readProse(page, textOf(page)).anchors);
    return pages.get(page);
  };
  return new Map(
    files.map((file) => {
      const text = textOf(file);
      const prose = readProse(file, text);
      if (file.endsWith('.md')) pages.set(file, prose.anchors);
      return [file, [...faultsIn(file, text, prose), ...linkFaults(file, prose, anchorsOf)]];
    }),
  );
}

const show = (file, { line, rule, message, text }) =>
  `${file}:${line}: (${rule}) ${message}\n    ${text}`;

function fail(lines) {
  console.error(lines.join('\n'));
  process.exitCode = 1;
}

function report(faults) {
  const lines = [...faults].flatMap(([file, found]) => found.map((fault) => show(file, fault)));
  if (lines.length > 0)
    fail([
      ...lines,
      `${lines.length} faults. Rules: scripts/prose/rules.mjs. Try a sentence: node scripts/prose.mjs --text "…"`,
    ]);
}

function groupOf(file, kind) {
  if (file === 'README.md') return 'README';
  if (/^docs\/(guides|reference|behaviours|decisions)/.test(file))
    return file.split('/')[1].replace('.md', '');
  if (/^(?:examples|scenarios)\//.test(file)) return 'examples';
  if (file.endsWith('.md')) return file.includes('/') ? 'other pages' : file.replace('.md', '');
  if (kind === 'title') return 'test titles';
  if (kind === 'string')
    return file.startsWith('src/cli/') ? 'help and errors of commands' : 'other errors and texts';
  return `comments of ${file.split('/')[0]}`;
}

function stats() {
  const groups = new Map();
  for (const file of allFiles())
    for (const { kind, text } of sentencesIn(readProse(file, textOf(file)).passages)) {
      const name = groupOf(file, kind);
      const group = groups.get(name) ?? { words: 0, sentences: 0, over: 0, passive: 0 };
      const words = wordsOf(text).length;
      group.words += words;
      group.sentences += 1;
      if (words > 25) group.over += 1;
      if (isPassive(text)) group.passive += 1;
      groups.set(name, group);
    }
  const share = (part, { sentences }) => `${((100 * part) / sentences).toFixed(0)}%`;
  console.table(
    Object.fromEntries(
      [...groups].sort().map(([name, group]) => [
        name,
        {
          words: group.words,
          sentences: group.sentences,
          mean: Number((group.words / group.sentences).toFixed(1)),
          'over 25': share(group.over, group),
          passive: share(group.passive, group),
        },
      ]),
    ),
  );
}

const [first, ...rest] = process.argv.slice(2);
if (first === undefined) report(check(allFiles()));
else if (first === '--stats') stats();
else if (first === '--json') {
  const texts = JSON.parse(readFileSync(0, 'utf8'));
  console.log(JSON.stringify(texts.map(({ file, text }) => faultsIn(file, text))));
} else if (first === '--text') {
  const found = faultsIn('text.md', rest.join(' ')).filter(({ rule }) => rule !== 'width');
  if (found.length > 0) fail(found.map((fault) => show('text', fault)));
} else {
  const files = process.argv.slice(2).flatMap((name) => {
    const path = relative(root, join(process.cwd(), name)).split(sep).join('/');
    return statSync(name).isDirectory()
      ? allFiles().filter((file) => file.startsWith(`${path}/`))
      : [path];
  });
  report(check(files));
}
