/** Active contracts page by page (B-ACS-015 to B-ACS-022, B-LEG-015). */
import {
  create,
  eventFormat,
  exercise,
  startLedgerApi,
  type LedgerApi,
  type JsonAnswer,
} from '../../../support/ledger-api.js';
import { model } from '../../../support/daml/model-package.js';

const PATH = '/v2/state/active-contracts-page';
let api: LedgerApi;
let alice: string;
let ids: string[];
beforeEach(async () => {
  api = await startLedgerApi();
  [alice] = await api.parties('alice');
  ids = [];
  for (let i = 0; i < 5; i++)
    ids.push(await api.create(model('Dummy'), { operator: alice }, { actAs: alice }));
});
afterEach(() => api.client.close());

const request = (more: Record<string, unknown> = {}) => ({
  eventFormat: eventFormat([alice]),
  ...more,
});
const idsIn = (page: JsonAnswer): string[] =>
  page.activeContracts.map(
    ({ contractEntry }: JsonAnswer) => contractEntry.JsActiveContract.createdEvent.contractId,
  );

it('pages have the state of the first page, regardless of later changes (B-ACS-015, B-ACS-016, B-ACS-018, B-ACS-019)', async () => {
  const end = await api.ledgerEnd();
  const first = await api.ok(PATH, request({ maxPageSize: 2 }));
  expect(first.activeAtOffset).toBe(end);
  await api.submit(exercise(model('Dummy'), ids[3]!, 'Archive'), { actAs: alice });
  await api.create(model('Dummy'), { operator: alice }, { actAs: alice });
  const second = await api.ok(PATH, request({ maxPageSize: 2, pageToken: first.nextPageToken }));
  const third = await api.ok(PATH, request({ maxPageSize: 2, pageToken: second.nextPageToken }));
  expect([first, second, third].flatMap(idsIn)).toEqual(ids);
  expect([second.activeAtOffset, third.activeAtOffset]).toEqual([end, end]);
  expect(third.nextPageToken).toBeNull();
  for (const { streamContinuationToken } of first.activeContracts)
    expect(streamContinuationToken).toBe('');
});

it('a full page is the last one if no contract follows (B-ACS-018)', async () => {
  expect(await api.ok(PATH, request({ maxPageSize: 5 }))).toMatchObject({ nextPageToken: null });
});

it('a page may have 10000 contracts (B-ACS-020)', async () => {
  expect(idsIn(await api.ok(PATH, request({ maxPageSize: 10_000 })))).toEqual(ids);
});

it('an offset of 0 selects the ledger end, and an earlier offset the contracts at that time (B-ACS-017)', async () => {
  const before = (await api.ledgerEnd()) - 2;
  expect(idsIn(await api.ok(PATH, request({ activeAtOffset: 0 })))).toEqual(ids);
  expect(idsIn(await api.ok(PATH, request({ activeAtOffset: before })))).toEqual(ids.slice(0, 3));
});

it('lists contracts that were archived later in the order of their creation', async () => {
  const activeAtOffset = await api.ledgerEnd();
  for (const index of [3, 0, 2])
    await api.submit(exercise(model('Dummy'), ids[index]!, 'Archive'), { actAs: alice });
  expect(idsIn(await api.ok(PATH, request({ activeAtOffset })))).toEqual(ids);
});

it('is the same for the deprecated GET with a body (B-GEN-041, B-LEG-015)', async () => {
  const { body } = await api.client.ledger('GET', PATH, request({ maxPageSize: 2 }));
  expect(body).toEqual(await api.ok(PATH, request({ maxPageSize: 2 })));
});

it('has no limit of list elements (B-ACS-022)', async () => {
  const commands = Array.from({ length: 201 }, () => create(model('Dummy'), { operator: alice }));
  await api.submit(commands, { actAs: alice });
  const activeAtOffset = await api.ledgerEnd();
  expect(await api.refusal('/v2/state/active-contracts', request({ activeAtOffset }))).toBe(
    'JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED',
  );
  expect(idsIn(await api.ok(PATH, request()))).toHaveLength(206);
});

it.each([
  ['a size of 0', { maxPageSize: 0 }, 'INVALID_ARGUMENT'],
  ['a size above 10000', { maxPageSize: 10_001 }, 'INVALID_ARGUMENT'],
  ['a negative offset', { activeAtOffset: -1 }, 'NEGATIVE_OFFSET'],
  ['an offset after the ledger end', { activeAtOffset: 999 }, 'OFFSET_AFTER_LEDGER_END'],
  ['a missing format', { eventFormat: undefined }, 'MISSING_FIELD'],
  ['an invalid token', { pageToken: 'AAAA' }, 'INVALID_FIELD'],
  ['an empty token', { pageToken: '' }, 'INVALID_ACS_PAGE_TOKEN'],
])('rejects %s (B-ACS-020, B-ACS-021, R-34-042)', async (_what, member, code) => {
  expect(await api.refusal(PATH, request(member))).toBe(code);
});

it('a page token matches only its request and its participant (B-ACS-021, R-34-043)', async () => {
  const { nextPageToken: pageToken } = await api.ok(PATH, request({ maxPageSize: 2 }));
  const other = { ...eventFormat([alice]), verbose: false };
  const refusals = [
    await api.post(PATH, request({ pageToken, eventFormat: other })),
    await api.post(PATH, request({ pageToken, activeAtOffset: 3 })),
  ];
  for (const { body } of refusals)
    expect(body).toMatchObject({
      code: 'INVALID_ACS_PAGE_TOKEN',
      cause: expect.stringMatching(/different event_format/),
    });
  const elsewhere = await startLedgerApi({ seed: 2 });
  const { body } = await elsewhere.post(PATH, request({ pageToken }));
  expect(body).toMatchObject({
    code: 'INVALID_ACS_PAGE_TOKEN',
    cause: expect.stringMatching(/different participant/),
  });
  await elsewhere.client.close();
});

it('tokens of pages and of streams are not interchangeable (B-ACS-024, R-34-041, R-34-043)', async () => {
  const activeAtOffset = await api.ledgerEnd();
  const of = request({ activeAtOffset });
  const [{ streamContinuationToken }] = await api.ok('/v2/state/active-contracts?limit=1', of);
  const asPage = await api.post(PATH, { ...of, pageToken: streamContinuationToken });
  expect(asPage.body).toMatchObject({
    code: 'INVALID_ACS_PAGE_TOKEN',
    cause: expect.stringMatching(/The page token was prepared by a different participant\.$/),
  });
  const { nextPageToken } = await api.ok(PATH, { ...of, maxPageSize: 1 });
  const asStream = await api.post('/v2/state/active-contracts', {
    ...of,
    streamContinuationToken: nextPageToken,
  });
  expect(asStream.body.code).toBe('INVALID_CONTINUATION_TOKEN');
});

it.each([
  ['x', 'Invalid member `PAR::x`, expecting <three-letter-code>::id::fingerprint.'],
  ['x::y!', 'Fingerprint decoding of `x::y!` failed with'],
])('explains the error in the participant id %s (B-STA-011)', async (participantId, why) => {
  const query = new URLSearchParams({ participantId });
  const answer = await fetch(`${api.canticle.url}/v2/state/connected-synchronizers?${query}`);
  const { code, cause } = (await answer.json()) as JsonAnswer;
  expect(code).toBe('INVALID_FIELD');
  expect(cause).toContain(
    `Invalid field participant_id: Unable to convert field \`participant_id\`: ${why}`,
  );
});

it('pruning after the offset of the pages invalidates their token', async () => {
  const { nextPageToken: pageToken } = await api.ok(PATH, request({ maxPageSize: 2 }));
  for (let i = 0; i < 2; i++)
    await api.create(model('Dummy'), { operator: alice }, { actAs: alice });
  api.canticle.network.participants[0]!.prune((await api.ledgerEnd()) - 1);
  expect(await api.refusal(PATH, request({ maxPageSize: 2, pageToken }))).toBe(
    'PARTICIPANT_PRUNED_DATA_ACCESSED',
  );
});
