/** The command `canticle traffic`: the cost of the commands of a run, compared with a snapshot. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { usePrograms } from '../rehearse/programs.js';
import { runHere } from '../in-process.js';

const { home, program } = usePrograms();
/** Creates a note with a text of this length. */
const note = (length: number) => [
  "import { createCanticle, d, definePackage, defineTemplate } from 'canticle';",
  'const Note = defineTemplate({',
  "  name: 'Notes:Note',",
  '  fields: { author: d.party, text: d.text },',
  '  signatories: (it) => [it.author],',
  '});',
  "const notes = definePackage({ name: 'notes', version: '1.0.0', templates: [Note] });",
  'const { participant } = createCanticle({ packages: [notes] });',
  "const author = participant.allocateParty('author');",
  'let state = 7;',
  'const next = () => String((state = (state * 48271) % 2147483647));',
  `let text = ''; while (text.length < ${length}) text += next();`,
  'participant.create(Note, { author, text }, { actAs: [author] });',
];
const path = () => join(home(), 'traffic.snap');
const traffic = (file: string, ...flags: string[]) =>
  runHere('traffic', '--snapshot', path(), ...flags, '--', process.execPath, file);

it('writes a snapshot, and then fails if a cost grows beyond the tolerance', async () => {
  const short = program('short', note(10), { port: 0 });
  const long = program('long', note(1000), { port: 0 });
  const first = await traffic(short);
  expect([first.status, first.stderr]).toEqual([0, `canticle: wrote 1 cost to ${path()}\n`]);
  const line =
    /^create #notes:Notes:Note: (\d+) bytes, 1 view, 2 informees, 1 participant, 0 inputs$/m;
  const bytes = Number(line.exec(readFileSync(path(), 'utf8'))?.[1]);
  const summary = join(home(), 'traffic.md');
  const flags = ['--tolerance', '5%', '--summary', summary, '--coin-price', '0.1'];
  const same = await traffic(short, ...flags, '--check', '--traffic-price', '10');
  expect([same.status, same.stdout, same.stderr]).toEqual([
    0,
    `create #notes:Notes:Note: ${bytes} bytes, ${((bytes * 10) / 1_000_000 / 0.1).toFixed(6)} CC\n`,
    'canticle: no cost grew: 1 cost\n',
  ]);
  expect(readFileSync(summary, 'utf8')).toContain(`| \`create #notes:Notes:Note\` | ${bytes} |`);
  const more = await traffic(long, '--tolerance', '5');
  expect(more.status).toBe(1);
  expect(more.stdout).toMatch(
    new RegExp(
      `^\\+ create #notes:Notes:Note: ${bytes} to \\d+ bytes \\(\\+\\d+(\\.\\d)?%\\): larger payloads\n$`,
    ),
  );
  expect(more.stderr).toContain('1 cost grew beyond the tolerance. Accept this with --update.');
  expect((await traffic(long, '--tolerance', '500%')).status).toBe(0);
  const json = JSON.parse((await traffic(long, '--json')).stdout) as Record<string, unknown[]>;
  expect([json.costs!.length, json.more!.length]).toEqual([1, 1]);
  expect((await traffic(long, '--update')).status).toBe(0);
  expect((await traffic(short)).stdout).toContain('smaller payloads');
}, 60_000);

it.each([
  [['--tolerance', 'much'], 'Expected a percentage, such as 5%.'],
  [['--coin-price', '0'], 'Expected a positive price in USD, such as 0.15.'],
  [['--coin-price', 'x'], 'Expected a positive price in USD, such as 0.15.'],
])('rejects %j', async (flags, message) => {
  const { status, stderr } = await traffic('none.mjs', ...flags);
  expect([status, stderr]).toEqual([1, expect.stringContaining(message)]);
});

it('compares nothing without a snapshot, with a wrong one, or if the command fails', async () => {
  const missing = await runHere('traffic', '--check', '--snapshot', join(home(), 'no'), '--', 'x');
  expect([missing.status, missing.stderr]).toEqual([
    1,
    expect.stringContaining('there is no snapshot.'),
  ]);
  const wrong = join(home(), 'wrong.snap');
  writeFileSync(wrong, 'free\n');
  const read = await runHere('traffic', '--snapshot', wrong, '--', 'x');
  expect([read.status, read.stderr]).toEqual([1, expect.stringContaining('line 1 is not a cost.')]);
  const empty = join(home(), 'empty.mjs');
  writeFileSync(empty, '');
  const fresh = join(home(), 'fresh.snap');
  const none = await runHere('traffic', '--snapshot', fresh, '--', process.execPath, empty);
  expect([none.status, none.stderr]).toEqual([2, expect.stringContaining('used no Canticle')]);
  expect(existsSync(fresh)).toBe(false);
}, 60_000);
