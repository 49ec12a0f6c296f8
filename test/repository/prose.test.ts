/**
 * The prose check (`node scripts/prose.mjs`): sentences that it refuses, better versions that it accepts, and its limits. The old
 * sentences are from earlier versions of this project. `npm run check` applies the check to every file.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { foreignPath, skipsWithout } from '../support/foreign-files.js';
import { run } from './built-package.js';

const root = join(__dirname, '..', '..');

interface Fault {
  readonly line: number;
  readonly rule: string;
  readonly message: string;
}
interface Text {
  readonly file: string;
  readonly text: string;
}

/** Texts of all tests. One process checks them together when the first test asks for its faults. */
const texts: Text[] = [];
let found: readonly (readonly Fault[])[] | undefined;

/** Call this outside of tests. @returns a function that returns the faults of the text */
function checked(file: string, text: string): () => readonly Fault[] {
  const index = texts.push({ file, text }) - 1;
  return () => {
    const args = ['scripts/prose.mjs', '--json'];
    found ??= JSON.parse(run('node', args, root, JSON.stringify(texts))) as Fault[][];
    return found[index]!;
  };
}

/** Call this outside of tests. */
function expectRules(title: string, file: string, text: string, expected: readonly string[]): void {
  const faults = checked(file, text);
  it(title, () => expect(faults().map(({ rule }) => rule)).toEqual(expected));
}

/** Wraps a text as an editor does. */
const wrapped = (text: string) => text.replace(/(.{1,90})(?: |$)/g, '$1\n').trim();

const rewritten: readonly (readonly [old: string, better: string])[] = [
  [
    'The ledger’s time belongs to the test: it stands still until it is moved, and nobody waits.',
    'Your test controls the ledger’s clock. The clock moves only when you advance it.',
  ],
  [
    '`npm pack` in a clone makes the package, until it is on a registry.',
    'Canticle is not on npm yet. To build the package, run `npm pack` in a clone.',
  ],
  [
    'Without Splice’s DARs a small model of Amulet stands in, which has no payments of apps, subscriptions, names, buying of traffic or rewards.',
    'Without Splice’s DARs, Canticle uses a simplified Amulet. It does not support app payments, subscriptions, names, traffic purchases or rewards.',
  ],
  [
    'It does so on purpose, by rules and by seed: answers are lost after the commit, streams break, Scans disagree.',
    'Inject faults with rules or from a seed. Canticle can lose a response after the commit, close a stream or make two Scans disagree.',
  ],
  [
    'Its contracts, here, on your own; it is only read (`--fork-scan`: the DSO’s).',
    'Copy the contracts of a live participant. Canticle only sends read requests to it.',
  ],
  [
    'What pages of a browser may reach is told apart.',
    'See “CORS” for the origins that may call each API.',
  ],
  [
    'Swagger UI comes with the package and asks no other host.',
    'The package includes Swagger UI, which makes no external requests.',
  ],
  [
    'Amulet has what its code has.',
    'Amulet supports the versions of the token standard that its DAR implements.',
  ],
  [
    'In a test it is the line above, on ports of its own, with time that the test moves, and reverted after each test.',
    'In a test, use the same line. Each instance has its own ports and clock, and reverts after each test.',
  ],
  [
    'Splice’s own Daml code runs: the DSO is founded by it, Amulet, wallets, names and rewards are it. Its DARs are not ours to hand on.',
    'Canticle runs Splice’s Daml code for the DSO, Amulet, wallets, names and rewards. We cannot distribute its DARs.',
  ],
  [
    'That parties are hosted and packages vetted is paid for as well.',
    'Hosting parties and vetting packages also costs traffic.',
  ],
  [
    'Keys of nodes that are not there are taken too, and mean nothing. What cannot be done is said in one line on stderr.',
    'Canticle ignores the keys of other nodes. It prints each error as one line on stderr.',
  ],
  [
    'The Daml code of a transaction may make so many steps, and run for 10 seconds.',
    'The Daml code of a transaction may run 50,000,000 steps and 10 seconds.',
  ],
  [
    'All controls stand in [the reference](a.md), all commands and flags in [theirs](b.md).',
    'See the [list of controls](a.md) and the [list of commands](b.md).',
  ],
  [
    'Who has a JVM and the tool’s jar can run the tool itself.',
    'If you have a JVM and the tool’s jar, you can also run the original tool.',
  ],
  [
    'The one of Scan that is missing, `getSynchronizerBootstrappingTransactions`, and the SV app’s two are of a trial.',
    'Three operations are missing, because Splice documents them as experimental: one of Scan and two of the SV app.',
  ],
  [
    'Call `keep()`, or the file is told `revert: "never"`.',
    'Call `keep()`, or set `revert: "never"`.',
  ],
  [
    'A step that uses time is told as not comparable, as is what hangs on it.',
    'A step that uses time is reported as not comparable, together with the steps that depend on it.',
  ],
  [
    'A hint that somebody has is given an ending.',
    'If a party already uses a hint, the new party’s hint gets a suffix.',
  ],
  [
    'The validator’s proxy and `register` then ask for a token of the same services, whoever it is of.',
    'The validator’s proxy and `register` then require a token from the same issuer, for any user.',
  ],
  [
    'Who sees what is the ledger’s to say, not the test’s.',
    'The ledger decides which participant sees which contract.',
  ],
  ['What else a world has is that of a new one.', 'All other state is that of a new network.'],
  [
    'What a real ledger answers is no promise of ours; where it is mended, tests may have to change.',
    'Responses follow the real ledger. When we correct one, you may have to update a test.',
  ],
  [
    'Preparing takes six tenths of the time, and crowds of subscribers have their updates in two thirds of it.',
    'Preparing is 40% faster, and updates reach many subscribers in 33% less time.',
  ],
  [
    'Onboarding refuses mappings that are nothing of a party by their names, whether anybody signed them or not.',
    'Onboarding rejects topology mappings that do not concern the party, whether or not they carry signatures.',
  ],
  ['A number is a whole one from 1.', 'Expected a positive integer.'],
  [
    'With `--fork`: nobody is acted as who is hosted elsewhere.',
    'With `--fork`: do not act as parties that other participants host.',
  ],
  [
    'Failed to tell the address: it is there from the first beforeAll on.',
    'Failed to read urls: urls has no value before the first beforeAll.',
  ],
  [
    'The result of the script is no value of a ledger, which has no JSON.',
    'Failed to print the result of the script: its type has no JSON form.',
  ],
  [
    'Listen is false, so that `ports` means nothing.',
    'Option `ports` has no effect with `listen: false`.',
  ],
  [
    'Failed to read `a.json`: it is no submission. One has `{ "commands": [] }`.',
    'Failed to read `a.json`: not a submission. Expected `{ "commands": [] }`.',
  ],
  [
    'Let run the SV’s automation that archives what has expired.',
    'Enable the SV automation that archives expired contracts.',
  ],
  [
    'Failed to read `a.world`: it is torn: 3 of 9 bytes are there.',
    'Failed to read `a.world`: the file is truncated (3 of 9 bytes).',
  ],
  [
    'A test is skipped, and the last line of the run says how much, for want of what.',
    'Jest skips these tests. The last line of the run lists how many, and which file was missing.',
  ],
  ['That may be made before it is looked again.', 'Steps until the next check of the deadline.'],
  ['After how many of them it is looked.', 'Steps between two checks of the deadline.'],
  [
    'Whether code that counts what it runs does so: what runs only to be told of counts nowhere.',
    'Whether coverage counters are active. Runs that only record a trace turn them off.',
  ],
];

describe('a sentence of an earlier version', () => {
  for (const [old, better] of rewritten) {
    const faults = checked('page.md', wrapped(old));
    it(`fails: ${old}`, () => expect(faults()).not.toEqual([]));
    expectRules(`passes in its new version: ${better}`, 'page.md', wrapped(better), []);
  }
});

describe('the limits', () => {
  const sentence = (words: number) => `${Array.from({ length: words }, () => 'word').join(' ')}.`;
  const code = `${sentence(29).slice(0, -1)} \`npm run a b c d\`.`;
  expectRules('allow 30 words in a sentence', 'page.md', wrapped(sentence(30)), []);
  expectRules('refuse 31 words in a sentence', 'page.md', wrapped(sentence(31)), ['length']);
  expectRules('count code in backticks as one word', 'page.md', wrapped(code), []);

  const line = `Ok. ${'a'.repeat(116)}`;
  expectRules('allow 120 characters in a line of a page', 'page.md', line, []);
  expectRules('refuse 121 characters in a line of a page', 'page.md', `${line}b`, ['width']);
  const fenced = `\`\`\`text\n${'ab '.repeat(60)}\n\`\`\``;
  expectRules('allow longer lines in code blocks', 'page.md', fenced, []);
  const table = `| a |\n| - |\n| ${line} |`;
  expectRules('allow longer lines in tables', 'page.md', table, []);

  const comment = `Ok. ${'a'.repeat(133)}`;
  expectRules('allow 140 characters in a line of a comment', 'a.ts', `// ${comment}`, []);
  expectRules('refuse 141 characters in a line of a comment', 'a.ts', `// ${comment}b`, ['width']);

  const page = (active: number, passive: number) =>
    [
      ...Array.from({ length: active }, () => 'The node sends a message.'),
      ...Array.from({ length: passive }, () => 'A message is sent.'),
    ].join('\n');
  expectRules('allow 25% of passive sentences on a page', 'page.md', page(9, 3), []);
  expectRules('refuse more passive sentences', 'page.md', page(9, 4), ['passive']);
  expectRules('allow any share on a page of 11 sentences', 'page.md', page(0, 11), []);
});

const bad = 'The result is told';
describe('the check reads', () => {
  for (const [title, file, text] of [
    ['headings', 'page.md', `# ${bad}\n`],
    ['list items', 'page.md', `- ${bad}\n`],
    ['table cells', 'page.md', `| a |\n| - |\n| ${bad} |\n`],
    ['comments in code blocks', 'page.md', `\`\`\`console\n$ npm start # ${bad}\n\`\`\`\n`],
    ['line comments', 'src/a.ts', `const a = 1; // ${bad}\n`],
    ['docstrings', 'src/a.ts', `/**\n * Reads a file.\n * @returns whether it ${bad}\n */\n`],
    ['titles of tests', 'test/a.test.ts', `it('${bad}', () => {});\n`],
    ['titles of test tables', 'test/a.test.ts', `it.each([1])('%s: ${bad}', () => {});\n`],
    ['errors of the command line', 'src/cli/a.ts', `throw new Error('${bad}');\n`],
    [
      'errors with values',
      'src/testing/a.ts',
      'throw new Error(`${a}: the value ${b} is told`);\n',
    ],
    ['joined strings', 'src/cli/a.ts', `print('The result ' + 'is told');\n`],
    ['the inspector', 'src/inspector/page/a.tsx', `const A = () => <p>${bad}</p>;\n`],
    ['comments of YAML files', 'examples/a.yaml', `a: 1 # ${bad}\n`],
  ] as const)
    expectRules(title, file, text, ['told']);

  const lines = '\n// A first sentence. The second\n// is told.\n';
  const faults = checked('src/a.ts', lines);
  it('several lines as one sentence, and reports the line where it begins', () => {
    expect(faults()).toMatchObject([{ line: 2, rule: 'told' }]);
  });
});

describe('the check ignores', () => {
  for (const [title, file, text] of [
    ['code in backticks', 'page.md', 'Run `x is told`.\n'],
    ['code blocks', 'page.md', '```js\nconst a = "is told";\n```\n'],
    ['texts of the real system', 'src/daml/a.ts', `throw new Error('${bad}');\n`],
    ['directives of tools', 'src/a.ts', '// oxlint-disable-next-line x -- it is told\n'],
  ] as const)
    expectRules(title, file, text, []);
});

describe('the check requires one term', () => {
  for (const [term, text] of [
    ['Ledger API', 'This page describes the ledger api'],
    ['Canton', 'Start a canton participant'],
    ['integer', 'Pass a whole number'],
  ] as const) {
    const faults = checked('page.md', text);
    it(term, () => {
      const message = expect.stringContaining(`the term is "${term}"`) as string;
      expect(faults()).toMatchObject([{ rule: 'term', message }]);
    });
  }
});

const GUIDE = 'reference/plain-english.md';
if (!skipsWithout('documents', [GUIDE], 'the sentences of the guide to plain English')) {
  const sentences = readFileSync(foreignPath('documents', GUIDE), 'utf8')
    .split('\n')
    .flatMap((line) => /^\d+ \S+ "(.*?)"(?: →|$)/.exec(line)?.[1] ?? []);
  const faults = sentences.map((text) => checked('page.md', wrapped(text)));
  it('each sentence of the guide to plain English fails', () => {
    expect(sentences).toHaveLength(35);
    expect(sentences.filter((_, index) => faults[index]!().length === 0)).toEqual([]);
  });
}
