/** Faults of streams: cut after some elements, within a reassignment, for a token, or stalled, and the recovery of a client. */
import type { FaultAction } from 'canticle';
import { model } from '../support/daml/model-package.js';
import {
  create,
  eventFormat,
  startLedgerApi,
  updateFormat,
  wildcard,
} from '../support/ledger-api.js';
import { useLedgerApi, useParties } from '../support/shared-ledger-api.js';
import { StreamClient } from '../support/stream-client.js';

const api = useLedgerApi({ seed: 5, synchronizers: ['global', 'private'] });
const { canticle } = api;
const [alice] = useParties(api, 'alice');
const DUMMY = model('Dummy');
const ABNORMAL = 1006;

const dummies = (count: number) =>
  Array.from({ length: count }, () =>
    canticle.participant.create(DUMMY, { operator: alice }, { actAs: alice }),
  );
const cut = (action: FaultAction) => canticle.faults.add({ on: 'postV2Updates', do: action });
const open = (beginExclusive = 0) =>
  new StreamClient(`${canticle.url}/v2/updates`).send({
    beginExclusive,
    updateFormat: updateFormat('ACS_DELTA', eventFormat([alice], wildcard())),
  });

it('breaks after the given number of elements, and a client that resumes after the last one misses no update', async () => {
  dummies(5);
  const rule = cut({ cut: 2 });
  const first = await open();
  expect(await first.closed).toBe(ABNORMAL);
  expect(first.elements).toHaveLength(2);
  expect(canticle.requests.list().at(-1)).toMatchObject({
    operation: 'postV2Updates',
    faults: [{ id: rule.id, fault: 'cut: 2' }],
  });
  rule.remove();
  const { offset } = first.elements[1].update.Transaction.value;
  const second = await open(offset);
  await second.until(() => second.elements.length === 3);
});

it('does not count checkpoints', async () => {
  const ticking = await startLedgerApi({ checkpoints: { first: 1, interval: 1 } });
  const [bob] = await ticking.parties('bob');
  const { participant, faults, url } = ticking.canticle;
  faults.add({ on: 'postV2Updates', do: { cut: 1 } });
  const stream = await new StreamClient(`${url}/v2/updates`).send({
    beginExclusive: 0,
    updateFormat: updateFormat('ACS_DELTA', eventFormat([bob!], wildcard())),
  });
  await stream.until(() => stream.checkpoints.length > 0);
  participant.create(DUMMY, { operator: bob! }, { actAs: bob! });
  expect(await stream.closed).toBe(ABNORMAL);
  expect(stream.elements).toHaveLength(1);
  await ticking.client.close();
});

it('closes normally, or with the error of an expired token', async () => {
  dummies(2);
  canticle.faults.add({ on: '*', when: { nth: 1 }, do: { cut: 1, as: 'close' } });
  const closed = await open();
  expect([await closed.closed, closed.elements.length]).toEqual([1000, 1]);
  cut({ cut: 1, as: 'ACCESS_TOKEN_EXPIRED' });
  const expired = await open();
  expect(await expired.closed).toBe(1000);
  expect(expired.frames.map(({ code }) => code)).toEqual([undefined, 'ACCESS_TOKEN_EXPIRED']);
});

it('breaks between the halves of a reassignment', async () => {
  const [contractId] = dummies(1);
  const id = canticle.participant.unassign(contractId!, { to: 'private' });
  canticle.participant.assign(id);
  cut({ cut: 'reassignment' });
  const stream = await open();
  expect(await stream.closed).toBe(ABNORMAL);
  const kinds = stream.elements.map(({ update }) => Object.keys(update)[0]);
  expect(kinds).toEqual(['Transaction', 'Reassignment']);
  const [event] = stream.elements[1].update.Reassignment.value.events;
  expect(Object.keys(event)).toEqual(['JsUnassignedEvent']);
});

it('stalls or starts late, until the test releases it', async () => {
  dummies(3);
  const rule = cut({ stall: 1 });
  const stream = await open();
  await stream.until(() => stream.elements.length === 1);
  expect(canticle.faults.held).toEqual([{ fault: rule.id, operation: 'postV2Updates' }]);
  expect(canticle.faults.release()).toBe(1);
  await stream.until(() => stream.elements.length === 3);
  stream.socket.close();
});

it('ends when the participant restarts, and offsets stay the same', async () => {
  dummies(1);
  const stream = await open();
  await stream.until(() => stream.elements.length === 1);
  canticle.faults.add({ on: 'getV2StateLedger-end', do: { restart: true } });
  const end = canticle.participant.ledgerEnd;
  await expect(fetch(`${canticle.url}/v2/state/ledger-end`)).rejects.toThrow();
  expect(await stream.closed).toBe(ABNORMAL);
  canticle.faults.reset();
  expect(await api.ledgerEnd()).toBe(end);
});

it('stream faults do not affect lists, and a refusal arrives as a frame', async () => {
  dummies(2);
  canticle.faults.add({ on: '*', do: { cut: 0 }, optional: true });
  const format = updateFormat('ACS_DELTA', eventFormat([alice], wildcard()));
  const request = { beginExclusive: 0, endInclusive: 99, updateFormat: format };
  expect((await api.post('/v2/updates', { ...request, endInclusive: 1 })).status).toBe(200);
  expect(canticle.faults.list()).toMatchObject([{ hits: 0 }]);
  canticle.faults.reset();
  cut({ refuse: 'PARTICIPANT_BACKPRESSURE' });
  const refused = await open();
  await refused.closed;
  expect(refused.frames).toMatchObject([{ code: 'PARTICIPANT_BACKPRESSURE' }]);
});

it('a revert releases held elements', async () => {
  const operation = 'postV2CommandsSubmit-and-wait';
  canticle.faults.add({ on: operation, do: { hold: 'request' } });
  const commands = api.commands(create(DUMMY, { operator: alice }), { actAs: alice });
  const pending = canticle.handle({ path: '/v2/commands/submit-and-wait', body: commands });
  await new Promise(setImmediate);
  canticle.reset();
  expect((await pending).status).toBe(200);
});

it.each([
  [
    'active-contracts',
    'postV2StateActive-contracts',
    () => ({
      eventFormat: eventFormat([alice], wildcard()),
      activeAtOffset: canticle.participant.ledgerEnd,
    }),
  ],
  [
    'completions',
    'postV2CommandsCompletions',
    () => ({ userId: 'tester', parties: [alice], beginExclusive: 0 }),
  ],
] as const)('also breaks a stream of %s', async (_, on, request) => {
  for (let count = 0; count < 3; count += 1)
    await api.submit(create(DUMMY, { operator: alice }), { actAs: alice });
  canticle.faults.add({ on, do: { cut: 2 } });
  const path =
    on === 'postV2CommandsCompletions' ? 'commands/completions' : 'state/active-contracts';
  const stream = await new StreamClient(`${canticle.url}/v2/${path}`).send(request());
  expect(await stream.closed).toBe(ABNORMAL);
  expect(stream.elements).toHaveLength(2);
});
