/** Which comes first, the update on an open stream or the answer to its submission: either may, and an option says which (B-WS-025). */
import { startCanticle, type Canticle } from 'canticle';
import { IOU } from '../../support/ledger.js';
import { StreamClient } from '../../support/stream-client.js';

type Order = 'before-answers' | 'after-answers';

let canticle: Canticle;
let stream: StreamClient;
let alice: string;

async function open(updateOrder?: Order): Promise<void> {
  canticle = await startCanticle({ seed: 1, ...(updateOrder && { updateOrder }) });
  alice = canticle.participant.allocateParty('alice');
  stream = await new StreamClient(`${canticle.url}/v2/updates`).opened();
  subscribe();
  // The stream is open after it sent an update.
  await submit('first');
  await until(() => seen().includes('first'));
}

/** Sends the request for a stream. */
function subscribe(beginExclusive = canticle.participant.ledgerEnd): void {
  const eventFormat = { filtersByParty: { [alice]: {} }, verbose: false };
  const includeTransactions = { eventFormat, transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA' };
  stream.socket.send(JSON.stringify({ beginExclusive, updateFormat: { includeTransactions } }));
}
afterEach(async () => {
  stream.socket.terminate();
  await canticle.close();
});

async function submit(commandId: string): Promise<void> {
  const createArguments = {
    issuer: alice,
    owner: alice,
    currency: 'EUR',
    amount: '1.0',
    observers: [],
  };
  const answer = await fetch(`${canticle.url}/v2/commands/submit-and-wait`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      commands: [{ CreateCommand: { templateId: IOU, createArguments } }],
      commandId,
      actAs: [alice],
      userId: 'ledger-api-user',
    }),
  });
  if (answer.status !== 200) throw new Error(await answer.text());
}

const seen = (): string[] =>
  stream.frames.flatMap(({ update }) => update?.Transaction?.value.commandId ?? []);

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(setImmediate);
}

/** Commands whose update was not there yet when they were answered. */
async function missedByOneThatLooksAtOnce(): Promise<string[]> {
  const missed: string[] = [];
  for (let n = 0; n < 10; n += 1) {
    const commandId = `look-${n}`;
    await submit(commandId);
    if (!seen().includes(commandId)) missed.push(commandId);
    await until(() => seen().includes(commandId));
  }
  return missed;
}

it('by default, an update arrives before the answer to its submission', async () => {
  await open();
  expect(await missedByOneThatLooksAtOnce()).toEqual([]);
});

it('with after-answers, a client that reads at once misses the update', async () => {
  await open('after-answers');
  expect(await missedByOneThatLooksAtOnce()).toHaveLength(10);
});

it('with before-answers, a client that records its commands at the answer sees unknown updates', async () => {
  await open('before-answers');
  const noted = new Set<string>();
  const strangers: string[] = [];
  stream.socket.on('message', (data: Buffer) => {
    const commandId = JSON.parse(data.toString()).update?.Transaction?.value.commandId;
    if (!noted.has(commandId)) strangers.push(commandId);
  });
  await submit('mine');
  noted.add('mine');
  await until(() => seen().includes('mine'));
  expect(strangers).toEqual(['mine']);
});

it('sends updates of concurrent submissions before their answers', async () => {
  await open();
  const ids = Array.from({ length: 20 }, (_, n) => `together-${n}`);
  const missed = await Promise.all(
    ids.map(async (commandId) => {
      await submit(commandId);
      return seen().includes(commandId) ? [] : [commandId];
    }),
  );
  expect(missed.flat()).toEqual([]);
});

describe('a WebSocket that is open and has not sent its request yet', () => {
  /** Opens one and submits; the answer is on its way once the command is in the log. */
  async function submitted(
    updateOrder?: Order,
  ): Promise<{ answer: Promise<void>; subscribe(): void }> {
    await open(updateOrder);
    stream.socket.terminate();
    stream = await new StreamClient(`${canticle.url}/v2/updates`).opened();
    const { participant } = canticle;
    const before = participant.ledgerEnd;
    const answer = submit('mine');
    await until(() => participant.ledgerEnd > before);
    return { answer, subscribe: () => subscribe(before) };
  }

  it('receives the update before the answer if it sends its request while the command runs', async () => {
    const { answer, subscribe } = await submitted();
    // An answer that is not held back is there by then.
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    subscribe();
    await answer;
    expect(seen()).toEqual(['mine']);
  });

  it('does not delay an answer with after-answers', async () => {
    const { answer, subscribe } = await submitted('after-answers');
    await answer;
    subscribe();
    await until(() => seen().includes('mine'));
  });

  it.each([
    ['sends no request', () => undefined],
    ['is closed', () => stream.socket.terminate()],
  ])('does not delay an answer forever if it %s', async (_, act) => {
    const { answer } = await submitted();
    act();
    await answer;
    expect(seen()).toEqual([]);
  });

  it('delays an answer until its time limit', async () => {
    await open();
    const start = performance.now();
    const idle = await new StreamClient(`${canticle.url}/v2/updates`).opened();
    await submit('waits');
    // The limit counts from the opening, which is after the start.
    expect(performance.now() - start).toBeGreaterThan(90);
    idle.socket.terminate();
  });
});

it('rejects an unknown order', async () => {
  await expect(startCanticle({ updateOrder: 'sideways' as never })).rejects.toThrow(
    /updateOrder cannot be 'sideways'/,
  );
  await open();
});
