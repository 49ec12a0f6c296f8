/** Streams that are open during a revert. Each one that sent reverted updates ends with an error. */
import { offsetOf, StreamClient } from '../../support/stream-client.js';
import {
  create,
  eventFormat,
  startLedgerApi,
  updateFormat,
  wildcard,
  type LedgerApi,
} from '../../support/ledger-api.js';

const DUMMY = '#model-tests:Test:Dummy';
let api: LedgerApi;
let alice: string;

beforeEach(async () => {
  api = await startLedgerApi({ checkpoints: { first: 1_000_000 } });
  [alice] = await api.parties('alice');
});
afterEach(() => api.client.close());

const dummy = () => api.submit(create(DUMMY, { operator: alice }), { actAs: alice });
const format = () => updateFormat('ACS_DELTA', eventFormat([alice], wildcard()));
const open = (body: Record<string, unknown>) =>
  new StreamClient(`${api.canticle.url}/v2/updates`).send({ updateFormat: format(), ...body });

it('a stream that sent reverted updates ends with an error that explains it', async () => {
  const begin = await api.ledgerEnd();
  const client = await open({ beginExclusive: begin });
  const snapshot = api.canticle.snapshot();
  await dummy();
  await client.take(1);
  api.canticle.revert(snapshot);
  const frames = await client.all();
  expect(client.elements).toHaveLength(2);
  expect(frames.at(-1)).toMatchObject({
    code: 'OFFSET_AFTER_LEDGER_END',
    cause: expect.stringContaining('taken back'),
  });
  const again = await open({ beginExclusive: begin });
  await dummy();
  await again.take(1);
});

it('a reset also ends a stream that sent updates', async () => {
  const client = await open({ beginExclusive: await api.ledgerEnd() });
  await dummy();
  await client.take(1);
  await api.client.control('POST', '/v1/reset');
  expect((await client.all()).at(-1)).toMatchObject({ code: 'OFFSET_AFTER_LEDGER_END' });
});

it('closes without an error at the end of a test', async () => {
  const client = await open({ beginExclusive: await api.ledgerEnd() });
  await dummy();
  await client.take(1);
  api.canticle.network.reset(true);
  expect(await client.all()).toEqual(client.frames.filter((frame: object) => 'update' in frame));
});

it('a stream that sent no reverted updates continues', async () => {
  const begin = await api.ledgerEnd();
  const client = await open({ beginExclusive: begin });
  await dummy();
  await client.take(1);
  const snapshot = api.canticle.snapshot();
  const [bob] = await api.parties('bob');
  await api.submit(create(DUMMY, { operator: bob }), { actAs: bob! });
  api.canticle.revert(snapshot);
  await dummy();
  await client.take(2);
  expect(client.elements.map(offsetOf)).toEqual([begin + 1, begin + 2]);
});

it('commits a submission even if the answer is refused for its format', async () => {
  const client = await open({ beginExclusive: await api.ledgerEnd() });
  const commands = api.commands(create(DUMMY, { operator: alice }), { actAs: alice });
  const transactionFormat = {
    eventFormat: eventFormat([alice], {
      identifierFilter: {
        TemplateFilter: { value: { templateId: '#nowhere:A:B', includeCreatedEventBlob: false } },
      },
    }),
    transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA',
  };
  expect(
    await api.refusal('/v2/commands/submit-and-wait-for-transaction', {
      commands,
      transactionFormat,
    }),
  ).toBe('PACKAGE_NAMES_NOT_FOUND');
  await client.take(1);
  expect(client.elements.map(offsetOf)).toEqual([await api.ledgerEnd()]);
});

it('a stream of updates or completions whose next entries are pruned ends', async () => {
  const beginExclusive = await api.ledgerEnd();
  const updates = await open({ beginExclusive });
  const completions = await new StreamClient(`${api.canticle.url}/v2/commands/completions`).send({
    userId: 'tester',
    parties: [alice],
    beginExclusive,
  });
  await dummy();
  await Promise.all([updates.take(1), completions.take(1)]);
  const { participant } = api.canticle;
  for (let n = 0; n < 3; n += 1) participant.create(DUMMY, { operator: alice }, { actAs: alice });
  participant.prune(undefined, { forgetHistory: true });
  for (const client of [updates, completions])
    expect((await client.all()).at(-1)).toMatchObject({ code: 'PARTICIPANT_PRUNED_DATA_ACCESSED' });
});
