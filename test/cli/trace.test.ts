/** `canticle trace` against a sandbox that runs: the tree, JSON, pictures and what is different of two. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startCanticle, type Canticle } from 'canticle';
import { IOU } from '../support/ledger.js';
import { useTemporaryFolder } from '../support/temporary-folder.js';
import { runHere } from './in-process.js';

const folder = useTemporaryFolder();
let canticle: Canticle;
let bank: string;
let alice: string;
beforeAll(async () => {
  canticle = await startCanticle({ seed: 1 });
  [bank, alice] = ['bank', 'alice'].map((hint) => canticle.participant.allocateParty(hint)) as [
    string,
    string,
  ];
});
afterAll(() => canticle.close());

/** A split of an Iou. @returns its update id */
function split(currency: string, splitAmount: string): string {
  const payload = { issuer: bank, owner: alice, currency, amount: '10.0', observers: [] };
  const iou = canticle.participant.create(IOU, payload, { actAs: [bank, alice] });
  return canticle.participant.exercise(IOU, iou, 'Iou_Split', { splitAmount }, { actAs: [alice] })
    .updateId;
}
const trace = (...argv: string[]) => runHere('trace', '--url', canticle.url, ...argv);

it('shows an update as a tree, and nothing in it that a terminal would obey', async () => {
  const { status, stdout } = await trace(split('\u001b[31m\u202eEUR', '4.0'));
  expect(status).toBe(0);
  expect(stdout).toContain('✓ exercise Quickstart.Iou:Iou Iou_Split on 00');
  expect(stdout).toMatch(/^├─ ✓ create Quickstart.Iou:Iou on \S+ #1$/m);
  expect(stdout).toContain('needs alice; has alice');
  expect(stdout).toContain('seen by alice (signatory, controller), bank (signatory)');
  expect(stdout).toContain('\\u202eEUR');
  expect(/[\u001b\u202e]/.test(stdout)).toBe(false);
});

it('tells the same as the control, as JSON, and by the id of a command', async () => {
  const updateId = split('EUR', '4.0');
  const { stdout } = await trace(updateId, '--json');
  const told = JSON.parse(stdout);
  expect(told).toEqual(canticle.trace(updateId));
  const { commandId } = told.submission;
  expect((await trace('--command-id', commandId, '--json')).stdout).toBe(stdout);
});

it('draws who does what to whom and where the steps go, the same bytes each time', async () => {
  const updateId = split('EUR', '4.0');
  const files = ['a.svg', 'b.svg', 'flame.svg'].map((name) => join(folder(), name));
  await trace(updateId, '--svg', files[0]!, '--flame', files[2]!);
  await trace(updateId, '--svg', files[1]!);
  const [first, second, flame] = files.map((file) => readFileSync(file, 'utf8'));
  expect(first).toBe(second);
  expect(first).toContain('>exercise Quickstart.Iou:Iou Iou_Split</text>');
  for (const picture of [first, flame]) expect(picture).toMatch(/^<svg xmlns=[^]*<\/svg>\n$/);
});

it('tells what is different of two', async () => {
  const [one, same, other] = [split('EUR', '4.0'), split('EUR', '4.0'), split('EUR', '3.0')];
  expect(await trace(one, '--diff', same)).toMatchObject({ status: 0, stdout: '[]\n' });
  const { status, stdout } = await trace(one, '--diff', other);
  expect(status).toBe(1);
  const changes = JSON.parse(stdout);
  expect(changes.map((each: any) => [each.change, each.before])).toEqual([
    ['changed', 0],
    ['changed', 1],
    ['changed', 2],
  ]);
  expect(changes[0].fields[0]).toMatchObject({
    field: 'argument',
    before: { splitAmount: '4.0000000000' },
    after: { splitAmount: '3.0000000000' },
  });
});

it.each([
  [['1220ab'], 'There is no update 1220ab.'],
  [[], 'say which, by an update id, by --command-id or by --request.'],
  [['1220ab', '--request', 'latest'], 'say which'],
])('fails for %j', async (argv, message) => {
  const { status, stderr } = await trace(...argv);
  expect([status, stderr]).toEqual([1, expect.stringContaining(message)]);
});
