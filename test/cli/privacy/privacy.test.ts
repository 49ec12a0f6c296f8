/** The command `canticle privacy`: who learns what in a run, compared with a snapshot. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { usePrograms } from '../rehearse/programs.js';
import { runHere } from '../in-process.js';

const { home, program } = usePrograms();
const START = [
  "import { createCanticle, d, definePackage, defineTemplate } from 'canticle';",
  'const Note = defineTemplate({',
  "  name: 'Notes:Note',",
  '  fields: { author: d.party, reader: d.party, others: d.list(d.party) },',
  '  signatories: (it) => [it.author],',
  '  observers: (it) => [it.reader, ...it.others],',
  '});',
  "const notes = definePackage({ name: 'notes', version: '1.0.0', templates: [Note] });",
  'const { participant } = createCanticle({ packages: [notes] });',
  "const [author, reader, bob] = ['author', 'reader', 'bob'].map((hint) => participant.allocateParty(hint));",
];
const ISSUE = 'participant.create(Note, { author, reader, others: [] }, { actAs: [author] });';
const SHOW = 'participant.create(Note, { author, reader, others: [bob] }, { actAs: [author] });';

const privacy = (file: string, ...flags: string[]) =>
  runHere(
    'privacy',
    '--snapshot',
    join(home(), 'privacy.snap'),
    ...flags,
    '--',
    process.execPath,
    file,
  );

it('writes a snapshot, and then fails if a party learns more', async () => {
  const issue = program('issue', [...START, ISSUE], { port: 0 });
  const both = program('both', [...START, ISSUE, SHOW], { port: 0 });
  const path = join(home(), 'privacy.snap');
  const first = await privacy(issue);
  expect([first.status, first.stdout]).toEqual([0, `canticle: wrote 2 facts to ${path}\n`]);
  const same = await privacy(issue);
  expect([same.status, same.stdout]).toEqual([
    0,
    `canticle: no party learns more: 2 facts as in ${path}\n`,
  ]);
  const more = await privacy(both);
  expect(more.status).toBe(1);
  expect(more.stdout.replace(/::\w+/, '')).toBe(
    [
      '+ #notes:Notes:Note payload: others[] (observer)',
      '    party bob',
      '    path  create Notes:Note',
      '',
    ].join('\n'),
  );
  expect(more.stderr).toContain('1 fact more than in');
  const json = JSON.parse((await privacy(both, '--json')).stdout) as Record<string, unknown[]>;
  expect([json.facts!.length, json.more!.length, json.less!.length]).toEqual([3, 1, 0]);
  expect((await privacy(both, '--update')).status).toBe(0);
  const less = await privacy(issue);
  expect(less.status).toBe(0);
  expect(less.stderr).toContain('The run did not show 1 fact');
}, 60_000);

it('compares nothing if the command fails, or uses no Canticle', async () => {
  const failing = program('failing', [...START, ISSUE, 'process.exitCode = 3;'], { port: 0 });
  const failed = await privacy(failing);
  expect([failed.status, failed.stderr]).toEqual([
    2,
    expect.stringContaining('ended with status 3: nothing was compared.'),
  ]);
  writeFileSync(join(home(), 'nothing.mjs'), '');
  const nothing = await privacy(join(home(), 'nothing.mjs'));
  expect([nothing.status, nothing.stderr]).toEqual([
    2,
    expect.stringContaining('used no Canticle: nothing was compared.'),
  ]);
  writeFileSync(join(home(), 'slow.mjs'), 'setTimeout(() => undefined, 60_000);');
  const slow = await privacy(join(home(), 'slow.mjs'), '--timeout', '1');
  expect([slow.status, slow.stderr]).toEqual([
    2,
    expect.stringContaining('took more than 1 seconds: nothing was compared.'),
  ]);
}, 60_000);

it('names the wrong line of a snapshot', async () => {
  const path = join(home(), 'privacy.snap');
  writeFileSync(path, '  payload\n');
  const { status, stderr } = await privacy(join(home(), 'none.mjs'));
  expect([status, stderr]).toEqual([
    1,
    `canticle: failed to read '${path}': line 1 has no place: check its indentation.\n`,
  ]);
  expect(readFileSync(path, 'utf8')).toBe('  payload\n');
});
