/** Updates page by page (B-PGE-001 to B-PGE-015). */
import fc from 'fast-check';
import {
  create,
  eventFormat,
  startLedgerApi,
  updateFormat,
  wildcard,
  type LedgerApi,
  type JsonAnswer,
} from '../../../support/ledger-api.js';
import { model } from '../../../support/daml/model-package.js';
import { check } from '../../../support/property.js';

const PATH = '/v2/updates/get-updates-page';
/** A number of 64 bits, after its tag. */
const END = Buffer.alloc(8);
let api: LedgerApi;
let alice: string;
let bob: string;
beforeEach(async () => {
  api = await startLedgerApi();
  [alice, bob] = await api.parties('alice', 'bob');
});
afterEach(() => api.client.close());

const of = (...parties: string[]) => updateFormat('ACS_DELTA', eventFormat(parties));
const dummies = async (party: string, count: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let i = 0; i < count; i++)
    ids.push(
      (await api.submit(create(model('Dummy'), { operator: party }), { actAs: party })).updateId,
    );
  return ids;
};
const idsIn = (page: JsonAnswer): string[] =>
  page.updates.map(({ update }: JsonAnswer) => update.Transaction.value.updateId);

/** All pages up to one without a token, or an empty one. */
async function pages(request: Record<string, unknown>) {
  const found = [];
  for (let pageToken: string | undefined; ;) {
    const page = await api.ok(PATH, { ...request, pageToken });
    found.push(page);
    pageToken = page.nextPageToken ?? undefined;
    if (pageToken === undefined || page.updates.length === 0) return found;
  }
}

it('ascending without an end, each page has a token, and new updates come later (B-PGE-001, B-PGE-003, B-PGE-004)', async () => {
  const ids = await dummies(alice, 5);
  const found = await pages({ updateFormat: of(alice), maxPageSize: 2 });
  expect(found.map(({ updates }) => updates.length)).toEqual([2, 2, 1, 0]);
  expect(found.flatMap(idsIn)).toEqual(ids);
  for (const [index, page] of found.slice(1).entries())
    expect(page.lowestPageOffsetExclusive).toBe(found[index].highestPageOffsetInclusive);
  const [next] = await dummies(alice, 1);
  const pageToken = found.at(-1).nextPageToken;
  expect(idsIn(await api.ok(PATH, { updateFormat: of(alice), maxPageSize: 2, pageToken }))).toEqual(
    [next],
  );
});

it('a page at the ledger end includes the offsets of updates that do not match (B-PGE-005, B-PGE-011)', async () => {
  await dummies(alice, 1);
  await dummies(bob, 3);
  const page = await api.ok(PATH, { updateFormat: of(alice) });
  expect(page).toMatchObject({
    lowestPageOffsetExclusive: 0,
    highestPageOffsetInclusive: await api.ledgerEnd(),
  });
  expect(page.updates).toHaveLength(1);
  const empty = await api.ok(PATH, { updateFormat: of(alice), pageToken: page.nextPageToken });
  expect(empty).toMatchObject({
    updates: [],
    lowestPageOffsetExclusive: page.highestPageOffsetInclusive,
  });
});

it('with an end, the last page has no token (B-PGE-006)', async () => {
  const ids = await dummies(alice, 3);
  const endOffsetInclusive = await api.ledgerEnd();
  await dummies(alice, 1);
  const found = await pages({ updateFormat: of(alice), maxPageSize: 2, endOffsetInclusive });
  expect(found.flatMap(idsIn)).toEqual(ids);
  expect(found.map(({ nextPageToken }) => nextPageToken === null)).toEqual([false, true]);
  expect(found.at(-1).highestPageOffsetInclusive).toBe(endOffsetInclusive);
});

it('descending, starts with the newest update and ends at the begin offset (B-PGE-007)', async () => {
  await dummies(alice, 2);
  const beginOffsetExclusive = await api.ledgerEnd();
  const ids = await dummies(alice, 5);
  const request = {
    updateFormat: of(alice),
    maxPageSize: 2,
    descendingOrder: true,
    beginOffsetExclusive,
  };
  const found = await pages(request);
  expect(found.flatMap(idsIn)).toEqual(ids.reverse());
  expect(found.at(-1)).toMatchObject({
    nextPageToken: null,
    lowestPageOffsetExclusive: beginOffsetExclusive,
  });
});

it('after pruning, rejects an ascending page in pruned history, and ends descending pages there (B-PGE-011, B-PGE-012)', async () => {
  const ids = await dummies(alice, 4);
  const upwards = { updateFormat: of(alice), maxPageSize: 1 };
  const downwards = { ...upwards, descendingOrder: true };
  const { nextPageToken: up } = await api.ok(PATH, upwards);
  const { nextPageToken: down } = await api.ok(PATH, downwards);
  const [participant] = api.canticle.network.participants;
  participant!.prune((await api.ledgerEnd()) - 2);
  expect(await api.refusal(PATH, { ...upwards, pageToken: up })).toBe(
    'PARTICIPANT_PRUNED_DATA_ACCESSED',
  );
  const last = await api.ok(PATH, { ...downwards, pageToken: down });
  expect(last).toMatchObject({
    nextPageToken: null,
    lowestPageOffsetExclusive: participant!.log.prunedUpTo,
  });
  expect(idsIn(last)).toEqual([ids[2]]);
  expect(idsIn(await api.ok(PATH, { updateFormat: of(alice) }))).toEqual(ids.slice(2));
});

it('a page may have 2000 updates (B-PGE-002)', async () => {
  const ids = await dummies(alice, 2);
  expect(idsIn(await api.ok(PATH, { updateFormat: of(alice), maxPageSize: 2000 }))).toEqual(ids);
});

it('a page has 100 updates by default (B-PGE-002)', async () => {
  const { participant } = api.canticle;
  for (let i = 0; i < 101; i++)
    participant.create(model('Dummy'), { operator: alice }, { actAs: alice });
  const found = await pages({ updateFormat: of(alice) });
  expect(found.map(({ updates }) => updates.length)).toEqual([100, 1, 0]);
});

it.each([
  ['a size of 0', { maxPageSize: 0 }, 'INVALID_ARGUMENT', /must be positive, but got 0/],
  [
    'a size above 2000',
    { maxPageSize: 2001 },
    'INVALID_ARGUMENT',
    /must not exceed 2000, but got 2001/,
  ],
  [
    'an end after the ledger end',
    { endOffsetInclusive: 999 },
    'OFFSET_AFTER_LEDGER_END',
    /endOffsetInclusive/,
  ],
  [
    'an end after the ledger end, descending',
    { endOffsetInclusive: 999, descendingOrder: true },
    'OFFSET_AFTER_LEDGER_END',
    /\(999\)/,
  ],
  [
    'a begin after the end',
    { beginOffsetExclusive: 3, endOffsetInclusive: 2 },
    'INVALID_ARGUMENT',
    /is after/,
  ],
  ['an end of 0', { endOffsetInclusive: 0 }, 'NON_POSITIVE_OFFSET', /endOffsetInclusive/],
  ['a negative begin', { beginOffsetExclusive: -1 }, 'NEGATIVE_OFFSET', /beginOffsetExclusive/],
  ['a missing format', { updateFormat: undefined }, 'MISSING_FIELD', /update_format/],
  ['an invalid token', { pageToken: 'AAAA' }, 'INVALID_FIELD', /page_token/],
])(
  'rejects %s (B-PGE-002, B-PGE-008 to B-PGE-010, B-PGE-014, R-34-042)',
  async (_what, member, code, cause) => {
    await dummies(alice, 1);
    const { status, body } = await api.post(PATH, { updateFormat: of(alice), ...member });
    expect([status, body.code]).toEqual([400, code]);
    expect(body.cause).toMatch(cause);
  },
);

it('accepts a begin after the ledger end (B-PGE-009)', async () => {
  expect(await api.ok(PATH, { updateFormat: of(alice), beginOffsetExclusive: 999 })).toMatchObject({
    updates: [],
  });
});

it('a page token matches only its request and its participant (B-PGE-013, R-34-043)', async () => {
  await dummies(alice, 3);
  const request = {
    updateFormat: updateFormat('ACS_DELTA', eventFormat([alice], wildcard())),
    maxPageSize: 1,
  };
  const { nextPageToken: pageToken } = await api.ok(PATH, request);
  const end = await api.ledgerEnd();
  for (const other of [
    { maxPageSize: 2 },
    { updateFormat: of(bob) },
    { updateFormat: updateFormat('ACS_DELTA', eventFormat([alice], wildcard(true))) },
    { endOffsetInclusive: end },
    { descendingOrder: true },
  ])
    expect(await api.refusal(PATH, { ...request, ...other, pageToken })).toBe(
      'INVALID_UPDATES_PAGE_TOKEN',
    );
  expect(await api.refusal(PATH, { ...request, pageToken: '' })).toBe('INVALID_UPDATES_PAGE_TOKEN');
  // A token begins with its version. An explicit default equals an omitted field.
  const unversioned = Buffer.from(pageToken, 'base64').subarray(2).toString('base64');
  expect(await api.refusal(PATH, { ...request, pageToken: unversioned })).toBe(
    'INVALID_UPDATES_PAGE_TOKEN',
  );
  expect(await api.refusal(PATH, { ...request, descendingOrder: false, pageToken })).toBe(
    'accepted',
  );
  // Unknown fields are ignored. A missing number is 0, from which no descending page can continue.
  const more = Buffer.concat([Buffer.from(pageToken, 'base64'), Buffer.from([13 * 8 + 1]), END]);
  expect(await api.refusal(PATH, { ...request, pageToken: more.toString('base64') })).toBe(
    'accepted',
  );
  const downwards = { ...request, descendingOrder: true };
  const down = Buffer.from((await api.ok(PATH, downwards)).nextPageToken, 'base64');
  const without = Buffer.concat([down.subarray(0, 2), down.subarray(4)]);
  for (const [bytes, ends] of [
    [down, 'accepted'],
    [without, 'INVALID_UPDATES_PAGE_TOKEN'],
  ] as const)
    expect(await api.refusal(PATH, { ...downwards, pageToken: bytes.toString('base64') })).toBe(
      ends,
    );
  const elsewhere = await startLedgerApi({ seed: 2 });
  const { body } = await elsewhere.post(PATH, { ...request, pageToken });
  expect(body).toMatchObject({
    code: 'INVALID_UPDATES_PAGE_TOKEN',
    cause: expect.stringMatching(/other participant/),
  });
  await elsewhere.client.close();
});

it('pages of any size and order contain each update once, and no checkpoints (B-PGE-015)', async () => {
  const ids = await dummies(alice, 7);
  const end = await api.ledgerEnd();
  await check(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 9 }),
      fc.boolean(),
      async (maxPageSize, descendingOrder) => {
        const found = await pages({
          updateFormat: of(alice),
          maxPageSize,
          descendingOrder,
          endOffsetInclusive: end,
        });
        expect(found.flatMap(idsIn)).toEqual(descendingOrder ? [...ids].reverse() : ids);
      },
    ),
    { numRuns: 12 },
  );
});
