/** Conformance: active contracts, as a list, over WebSocket and in pages. */
import {
  byTemplate,
  eventFormat,
  exercise,
  transactionFormat,
  wildcard,
  type Shape,
  type JsonAnswer,
} from '../../support/ledger-api.js';
import { model, modelPackage } from '../../support/daml/model-package.js';
import { expectRefused } from '../../support/refusal.js';
import { useLedgerApi, useParties } from '../../support/shared-ledger-api.js';
import { StreamClient } from '../../support/stream-client.js';
import { expectFilterCombinations } from '../support/filter-combinations.js';
import { createdEvents } from '../support/events.js';
import { conformance, conformancePackage } from '../support/model.js';
import { conformanceSuite } from '../support/suite.js';

const LIST = '/v2/state/active-contracts';
const PAGE = '/v2/state/active-contracts-page';

const api = useLedgerApi({
  grpc: true,
  packages: [conformancePackage],
});
const [alice, bob, carol] = useParties(api, 'alice', 'bob', 'carol');

/** The tests ignore contracts from before this offset. */
let start: number;
beforeAll(async () => {
  start = await api.ledgerEnd();
});

type Format = Record<string, unknown>;

const forAll = (...parties: string[]): Format => eventFormat(parties, wildcard());
const forTemplate = (name: string, ...parties: string[]) =>
  eventFormat(parties, byTemplate(model(name)));

const eventsIn = (entries: JsonAnswer[]): JsonAnswer[] =>
  entries.map(({ contractEntry }) => contractEntry.JsActiveContract.createdEvent);
const idsIn = (entries: JsonAnswer[]): string[] =>
  eventsIn(entries).map(({ contractId }) => contractId);

/** Created events of the list, which are also those of the stream, of the list in two parts, and of the pages. */
async function active(format: Format, pageSizes = [1, 2, 10]): Promise<JsonAnswer[]> {
  const request = { eventFormat: format, activeAtOffset: await api.ledgerEnd() };
  const listed: JsonAnswer[] = await api.ok(LIST, request);
  const stream = await new StreamClient(`${api.canticle.url}${LIST}`).send(request);
  expect(await stream.all()).toEqual(listed);
  const half = listed.slice(0, Math.floor(listed.length / 2));
  const streamContinuationToken = half.at(-1)?.streamContinuationToken;
  const rest = await api.ok(LIST, { ...request, streamContinuationToken });
  expect([...half, ...rest]).toEqual(listed);
  for (const size of pageSizes)
    expect(eventsIn(await pages(request, size))).toEqual(eventsIn(listed));
  return eventsIn(listed).filter(({ offset }) => offset > start);
}

const found = async (format: Format) => (await active(format)).map(({ contractId }) => contractId);

async function pages(request: JsonAnswer, maxPageSize: number): Promise<JsonAnswer[]> {
  const entries: JsonAnswer[] = [];
  let pageToken: string | undefined;
  do {
    const page = await api.ok(PAGE, { ...request, maxPageSize, pageToken });
    if (pageToken !== undefined) expect(page.activeContracts).not.toEqual([]);
    entries.push(...page.activeContracts);
    pageToken = page.nextPageToken ?? undefined;
  } while (pageToken !== undefined);
  return entries;
}

const template = (name: string) => `${modelPackage.id}:Test:${name}`;
const dummy = (operator = alice) => api.create(model('Dummy'), { operator }, { actAs: operator });

/** Three contracts of three templates. */
async function dummies(operator = alice): Promise<string[]> {
  const byTheirs = { actAs: operator };
  return [
    await dummy(operator),
    await api.create(model('WithParam'), { operator, number: '1', note: null }, byTheirs),
    await api.create(model('Nest'), { owner: operator }, byTheirs),
  ];
}

const atOffset = async (offset: number, shape: Shape) =>
  (
    await api.ok('/v2/updates/update-by-offset', {
      offset,
      updateFormat: { includeTransactions: transactionFormat(shape, forAll(alice)) },
    })
  ).update.Transaction.value;

conformanceSuite('ActiveContractsServiceIT', {}, (reproduce, _, overJson) => {
  reproduce('ACSemptyResponse', 'a new party has no active contracts', async () => {
    expect(await active(forAll(alice))).toEqual([]);
  });

  reproduce(
    'ACSallContracts',
    'lists each contract of the party, with each kind of filter',
    async () => {
      const ids = await dummies();
      const events = await active(forAll(alice));
      expect(events.map(({ contractId }) => contractId)).toEqual(ids);
      for (const event of events)
        expect(event).toMatchObject({ acsDelta: true, signatories: [alice], observers: [] });
      expect(await active(forAll())).toEqual(events);
      const both = { ...forAll(alice), filtersForAnyParty: { cumulative: [] } };
      expect(await active(both)).toEqual(events);
    },
  );

  reproduce('ACSfilterContracts', 'lists contracts of the requested template only', async () => {
    const [id] = await dummies();
    const events = await active(forTemplate('Dummy', alice));
    expect(events).toMatchObject([
      { contractId: id, templateId: template('Dummy'), packageName: 'model-tests' },
    ]);
    expect(await active(forTemplate('Dummy'))).toEqual(events);
  });

  reproduce('ACSarchivedContracts', 'does not list a consumed contract', async () => {
    const [id, ...others] = await dummies();
    expect(await found(forAll(alice))).toEqual([id, ...others]);
    await api.submit(exercise(model('Dummy'), id!, 'Consume'), { actAs: alice });
    expect(await found(forAll(alice))).toEqual(others);
  });

  reproduce('ACSusableOffset', 'updates continue at the offset of the list', async () => {
    const first = await dummy();
    const offset = await api.ledgerEnd();
    const second = await dummy();
    const request = { eventFormat: forAll(alice), activeAtOffset: offset };
    expect(idsIn(await api.ok(LIST, request))).toEqual([first]);
    const format = { includeTransactions: transactionFormat('ACS_DELTA', forAll(alice)) };
    const updates = await api.updates(format, { beginExclusive: offset });
    expect(updates).toHaveLength(1);
    expect(updates[0].Transaction.value.events).toMatchObject([
      { CreatedEvent: { contractId: second } },
    ]);
  });

  overJson('ACSverbosity', 'arguments have field names, verbose or not', async () => {
    await dummy();
    const events = await active({ ...forAll(alice), verbose: true });
    expect(events.map(({ createArgument }) => createArgument)).toEqual([{ operator: alice }]);
    for (const format of [forAll(alice), forAll()])
      expect(await active({ ...format, verbose: false })).toEqual(events);
  });

  reproduce('ACSmultiParty', 'lists the contracts of each of two parties', async () => {
    const [hers, his] = [await dummies(alice), await dummies(bob)];
    expect(await found(forAll(alice))).toEqual(hers);
    expect(await found(forAll(bob))).toEqual(his);
    expect(await found(forAll(alice, bob))).toEqual([...hers, ...his]);
    expect(await active(forAll())).toEqual(await active(forAll(alice, bob)));
    expect(await found(forTemplate('Dummy', alice))).toEqual([hers[0]]);
    expect(await found(forTemplate('Dummy', alice, bob))).toEqual([hers[0], his[0]]);
    expect(await active(forTemplate('Dummy'))).toEqual(
      await active(forTemplate('Dummy', alice, bob)),
    );
    const ofEach = ['Dummy', 'WithParam', 'Nest'].map(template);
    expect((await active(forAll())).map(({ templateId }) => templateId)).toEqual([
      ...ofEach,
      ...ofEach,
    ]);
  });

  reproduce('ACSEventOffset', 'an active contract has the offset of its transaction', async () => {
    await dummy();
    const [event] = await active(forAll(alice));
    const delta = await atOffset(event.offset, 'ACS_DELTA');
    const effects = await atOffset(event.offset, 'LEDGER_EFFECTS');
    expect(effects.updateId).toBe(delta.updateId);
    expect([delta.offset, effects.offset]).toEqual([event.offset, event.offset]);
    for (const { events } of [delta, effects])
      expect(events).toMatchObject([
        { CreatedEvent: { offset: event.offset, nodeId: event.nodeId } },
      ]);
  });

  reproduce(
    'ACSnoWitnessedContracts',
    'does not list contracts that the party only witnessed',
    async () => {
      const payload = { signatory: alice, observer: bob, actor: bob };
      const id = await api.create(conformance('Witnesses'), payload, { actAs: alice });
      const another = exercise(conformance('Witnesses'), id, 'CreateAnother');
      const [made] = createdEvents(await api.transact(another, { actAs: bob }));
      expect(await found(forAll(bob))).toEqual([id, made.contractId]);
      expect(await found(forAll(alice))).toEqual([id]);
      expect(await found(forAll())).toEqual([id, made.contractId]);
    },
  );

  reproduce('ACSnoDivulgedContracts', 'does not list divulged contracts', async () => {
    const delegated = await api.create(model('Delegated'), { owner: alice }, { actAs: alice });
    const payload = { owner: bob, delegate: alice };
    const id = await api.create(model('Delegation'), payload, { actAs: bob });
    await api.submit(exercise(model('Delegation'), id, 'FetchDelegated', { delegated }), {
      actAs: alice,
    });
    expect(await found(forAll(bob))).toEqual([id]);
    expect(await found(forAll(alice))).toEqual([delegated, id]);
  });

  reproduce('ACSnoSignatoryObservers', 'observers do not include a signatory', async () => {
    const payload = { giver: alice, observers: [alice, bob] };
    await api.create(model('WithObservers'), payload, { actAs: alice });
    expect(await active(forAll(alice))).toMatchObject([{ observers: [bob] }]);
  });

  reproduce(
    'ACFilterWitnesses',
    'witnesses include only the parties that the format names',
    async () => {
      const payload = { giver: alice, observers: [bob, carol] };
      await api.create(model('WithObservers'), payload, { actAs: alice });
      for (const readers of [[bob], [alice, bob], [bob, carol], []]) {
        const witnesses = readers.length === 0 ? [alice, bob, carol] : readers;
        const events = await active(forAll(...readers));
        expect(events.map(({ witnessParties }) => witnessParties.sort())).toEqual([
          [...witnesses].sort(),
        ]);
      }
    },
  );

  reproduce('ACSFilterCombinations', 'merges the filters of parties and of any party', async () => {
    const shown = (format: Format) => active(format, [5]);
    await expectFilterCombinations(api, [alice, bob, carol], shown);
  });

  reproduce(
    'ActiveAtOffsetInfluencesAcs',
    'lists the contracts that were active at the requested offset',
    async () => {
      const foundAt = async (activeAtOffset: number) =>
        idsIn(await api.ok(LIST, { eventFormat: forAll(alice), activeAtOffset }));
      const first = await dummy();
      const then = await api.ledgerEnd();
      const second = await dummy();
      expect(await foundAt(then)).toEqual([first]);
      expect(await foundAt(await api.ledgerEnd())).toEqual([first, second]);
    },
  );

  reproduce(
    ['AcsAtPruningOffsetIsAllowed', 'AcsBeforePruningOffsetIsDisallowed'],
    'accepts the pruning offset, and rejects an earlier offset',
    async (caseId) => {
      const before = await api.ledgerEnd();
      const first = await dummy();
      const pruned = await api.ledgerEnd();
      await dummy();
      api.canticle.participant.engine.prune(pruned);
      const at = (activeAtOffset: number) => ({ eventFormat: forAll(alice), activeAtOffset });
      if (caseId.startsWith('AcsAt'))
        expect(idsIn(await api.ok(LIST, at(pruned)))).toEqual([first]);
      else await expectRefused(api.post(LIST, at(before)), 'PARTICIPANT_PRUNED_DATA_ACCESSED');
    },
  );

  reproduce('ActiveAtOffsetInvalidInput', 'NEGATIVE_OFFSET', async () => {
    const request = { eventFormat: forAll(alice), activeAtOffset: -1 };
    await expectRefused(api.post(LIST, request), 'NEGATIVE_OFFSET');
  });

  reproduce('ActiveAtOffsetAfterLedgerEnd', 'OFFSET_AFTER_LEDGER_END', async () => {
    const activeAtOffset = (await api.ledgerEnd()) + 1;
    const request = { eventFormat: forAll(alice), activeAtOffset };
    await expectRefused(api.post(LIST, request), 'OFFSET_AFTER_LEDGER_END');
  });

  reproduce('AcsContinuation', 'each token resumes after its entry', async () => {
    await dummies();
    const request = { eventFormat: forAll(alice), activeAtOffset: await api.ledgerEnd() };
    const entries: JsonAnswer[] = await api.ok(LIST, request);
    expect(entries).toHaveLength(3);
    for (const [at, { streamContinuationToken }] of entries.entries())
      expect(await api.ok(LIST, { ...request, streamContinuationToken })).toEqual(
        entries.slice(at + 1),
      );
  });

  reproduce(
    'AcsInvalidContinuationToken',
    'rejects a truncated token with INVALID_FIELD',
    async () => {
      await dummies();
      const request = { eventFormat: forAll(alice), activeAtOffset: await api.ledgerEnd() };
      const [{ streamContinuationToken }] = await api.ok(LIST, request);
      const cut = Buffer.from(streamContinuationToken, 'base64').subarray(1).toString('base64');
      const answering = api.post(LIST, { ...request, streamContinuationToken: cut });
      await expectRefused(answering, 'INVALID_FIELD');
    },
  );

  reproduce(
    'ACSMultipleContracts',
    'lists all of fifty contracts that were created concurrently',
    async () => {
      const made = Promise.all(Array.from({ length: 50 }, () => dummy()));
      const ids = new Set(await made);
      const all = await found(forAll(alice));
      expect(all).toHaveLength(50);
      expect(new Set(all)).toEqual(ids);
    },
  );

  reproduce(
    'AcsPagination',
    'returns pages of two contracts and of one, and no token at the end',
    async () => {
      const request = { eventFormat: forAll(alice) };
      const page = (more: Format) => api.ok(PAGE, { ...request, ...more });
      expect((await page({ maxPageSize: 2 })).activeContracts).toEqual([]);
      const ids = await dummies();
      for (const at of [{}, { activeAtOffset: await api.ledgerEnd() }]) {
        const first = await page({ ...at, maxPageSize: 2 });
        const second = await page({ ...at, maxPageSize: 2, pageToken: first.nextPageToken });
        expect([idsIn(first.activeContracts), idsIn(second.activeContracts)]).toEqual([
          ids.slice(0, 2),
          ids.slice(2),
        ]);
        expect(second.nextPageToken).toBeNull();
        for (const entry of [...first.activeContracts, ...second.activeContracts])
          expect(entry.streamContinuationToken).toBe('');
      }
      const whole = await page({ maxPageSize: 3 });
      expect([whole.activeContracts.length, whole.nextPageToken]).toEqual([3, null]);
    },
  );

  reproduce('AcsInvalidPageToken', 'INVALID_FIELD for 55 zeros', async () => {
    const pageToken = Buffer.alloc(55).toString('base64');
    const request = { eventFormat: forAll(alice), maxPageSize: 2, pageToken };
    await expectRefused(api.post(PAGE, request), 'INVALID_FIELD', {
      cause:
        'The submitted command has a field with invalid value: Invalid field page_token: Invalid page token for GetActiveContractsPageRequest',
    });
  });

  reproduce('AcsInvalidMaxPageSize', 'rejects a page size of 0 with INVALID_ARGUMENT', async () => {
    const request = { eventFormat: forAll(alice), maxPageSize: 0 };
    await expectRefused(api.post(PAGE, request), 'INVALID_ARGUMENT', {
      cause:
        'The submitted request has invalid arguments: Requested page size must be positive, but got 0',
    });
  });

  reproduce('AcsTooBigMaxPageSize', 'INVALID_ARGUMENT above 10000', async () => {
    const request = { eventFormat: forAll(alice), maxPageSize: 10_000_000 };
    await expectRefused(api.post(PAGE, request), 'INVALID_ARGUMENT', {
      cause:
        'The submitted request has invalid arguments: Requested page size must not exceed 10000, but got 10000000',
    });
  });
});
