/** Accepted changes that a participant remembers: of several users, after a revert, and with generated ids (B-DED-*). */
import {
  create,
  startLedgerApi,
  type LedgerApi,
  type JsonAnswer,
} from '../../../support/ledger-api.js';
import { model } from '../../../support/daml/model-package.js';

let api: LedgerApi;
let alice: string;

beforeEach(async () => {
  api = await startLedgerApi();
  [alice] = await api.parties('alice');
});
afterEach(() => api.client.close());

const outcome = (commandId: string, userId: string) =>
  api.submitRefusal(create(model('Dummy'), { operator: alice }), {
    actAs: alice,
    commandId,
    userId,
  });
/** The answer to each of these users, one after another. */
async function outcomes(...users: string[]): Promise<string[]> {
  const answers: string[] = [];
  for (const user of users) answers.push(await outcome('pay', user));
  return answers;
}

it('several users can use one command id for separate changes', async () => {
  const users = ['one', 'two', 'three'];
  expect(await outcomes(...users)).toEqual(users.map(() => 'accepted'));
  expect(await outcomes(...users)).toEqual(users.map(() => 'DUPLICATE_COMMAND'));
});

it('a reverted change may be submitted again, and an earlier change may not', async () => {
  const { canticle } = api;
  const before = canticle.snapshot();
  expect(await outcomes('one')).toEqual(['accepted']);
  canticle.revert(before);
  expect(await outcomes('one')).toEqual(['accepted']);
  const between = canticle.snapshot();
  expect(await outcomes('two', 'three')).toEqual(['accepted', 'accepted']);
  canticle.revert(between);
  expect(await outcomes('one', 'two', 'three', 'two')).toEqual([
    'DUPLICATE_COMMAND',
    'accepted',
    'accepted',
    'DUPLICATE_COMMAND',
  ]);
  canticle.revert(before);
  expect(await outcomes('two', 'one')).toEqual(['accepted', 'accepted']);
});

it('a generated command id counts as used, like a given one', async () => {
  const { participant } = api.canticle;
  const begin = participant.ledgerEnd;
  const made = [1, 2].map(() =>
    participant.create(model('Dummy'), { operator: alice }, { actAs: [alice], userId: 'one' }),
  );
  expect(new Set(made).size).toBe(2);
  const completions = await api.ok('/v2/commands/completions?stream_idle_timeout_ms=1', {
    userId: 'one',
    parties: [alice],
    beginExclusive: begin,
  });
  const ids = completions.map(
    ({ completionResponse }: JsonAnswer) => completionResponse.Completion.value.commandId,
  );
  expect(new Set(ids).size).toBe(2);
  for (const id of ids) {
    expect(await outcome(id, 'one')).toBe('DUPLICATE_COMMAND');
    expect(await outcome(id, 'two')).toBe('accepted');
  }
});
