/** The active contract set, single contracts and state queries (B-ACS-*, B-PTW-011 to B-PTW-020, B-STA-*). */
import {
  byTemplate,
  createAndExercise,
  eventFormat,
  exercise,
  startLedgerApi,
  transactionFormat,
  updateFormat,
  wildcard,
  type LedgerApi,
} from '../../../support/ledger-api.js';
import { model } from '../../../support/daml/model-package.js';

let api: LedgerApi;
let alice: string;
let bob: string;
let start: number;

beforeEach(async () => {
  api = await startLedgerApi();
  [alice, bob] = await api.parties('alice', 'bob');
  start = await api.ledgerEnd();
});
afterEach(() => api.client.close());

const dummy = (workflowId?: string) =>
  api.create(model('Dummy'), { operator: alice }, { actAs: alice, workflowId });
const consume = (contractId: string) =>
  api.submit(exercise(model('Dummy'), contractId, 'Consume'), { actAs: alice });
const ids = (events: { contractId: string }[]) => events.map(({ contractId }) => contractId);

describe('active contracts', () => {
  it('were created and not archived at the offset, in order of activation (B-ACS-003, B-ACS-009)', async () => {
    const [first, second] = [await dummy(), await dummy()];
    await consume(first);
    const third = await dummy();
    const format = eventFormat([alice]);
    const at = async (activeAtOffset: number) => ids(await api.active(format, { activeAtOffset }));
    expect(await at(start)).toEqual([]);
    expect(await at(start + 1)).toEqual([first]);
    expect(await at(start + 2)).toEqual([first, second]);
    expect(await at(start + 3)).toEqual([second]);
    expect(await at(start + 4)).toEqual([second, third]);
    expect(await at(0)).toEqual([]); // B-ACS-005
  });

  it('include those of each requested party, also if they are archived later', async () => {
    const hers = await dummy();
    const his = await api.create(model('Dummy'), { operator: bob }, { actAs: bob });
    const activeAtOffset = await api.ledgerEnd();
    await consume(hers);
    await api.submit(exercise(model('Dummy'), his, 'Consume'), { actAs: bob });
    const of = async (...parties: string[]) =>
      ids(await api.active(eventFormat(parties), { activeAtOffset }));
    expect(await of(alice, bob)).toEqual([hers, his]);
    expect(await of(bob)).toEqual([his]);
  });

  it('have their synchronizer, offset and workflow id (B-ACS-001, B-ACS-002, B-ACS-008, B-ACS-010)', async () => {
    await dummy('flow');
    const [entry] = await api.acs(eventFormat([alice]));
    expect(Object.keys(entry)).toEqual(
      expect.arrayContaining(['workflowId', 'contractEntry', 'streamContinuationToken']),
    );
    expect(entry.workflowId).toBe('flow');
    const { createdEvent, ...rest } = entry.contractEntry.JsActiveContract;
    expect(rest).toEqual({
      synchronizerId: api.canticle.network.synchronizers[0]!.id,
      reassignmentCounter: 0,
    });
    expect(createdEvent).toMatchObject({ offset: start + 1, nodeId: 0, acsDelta: true });
  });

  it('continue without a gap in the updates from their offset (B-ACS-006)', async () => {
    const format = eventFormat([alice]);
    const created = [await dummy(), await dummy(), await dummy()];
    await consume(created[1]!);
    for (let offset = start; offset <= (await api.ledgerEnd()); offset++) {
      const active = new Set(ids(await api.active(format, { activeAtOffset: offset })));
      for (const { Transaction } of await api.updates(updateFormat('ACS_DELTA', format), {
        beginExclusive: offset,
      }))
        for (const { CreatedEvent, ArchivedEvent } of Transaction.value.events)
          if (CreatedEvent) active.add(CreatedEvent.contractId);
          else expect(active.delete(ArchivedEvent.contractId)).toBe(true);
      expect([...active].sort()).toEqual([created[0], created[2]].sort());
    }
  });

  it('continue after any element (B-ACS-013)', async () => {
    for (let i = 0; i < 5; i++) await dummy();
    const format = eventFormat([alice]);
    const all = await api.acs(format);
    expect(all).toHaveLength(5);
    for (const [index, { streamContinuationToken }] of all.entries())
      expect(await api.acs(format, { streamContinuationToken })).toEqual(all.slice(index + 1));
  });

  it('accept continuation tokens of the same request only (B-ACS-014)', async () => {
    await dummy();
    const [{ streamContinuationToken }] = await api.acs(eventFormat([alice]));
    const activeAtOffset = await api.ledgerEnd();
    const path = '/v2/state/active-contracts';
    const again = (more: object) =>
      api.refusal(path, {
        eventFormat: eventFormat([alice]),
        activeAtOffset,
        streamContinuationToken,
        ...more,
      });
    expect(await again({})).toBe('accepted');
    expect(await again({ eventFormat: eventFormat([bob]) })).toBe('INVALID_CONTINUATION_TOKEN');
    expect(await again({ activeAtOffset: activeAtOffset - 1 })).toBe('INVALID_CONTINUATION_TOKEN');
    expect(await again({ streamContinuationToken: streamContinuationToken.slice(0, 4) })).toBe(
      'INVALID_FIELD',
    );
    expect(await again({ streamContinuationToken: 'not base64' })).toBe('plain text');
    expect(await again({ streamContinuationToken: '' })).toBe('INVALID_CONTINUATION_TOKEN');
    const bare = { filtersByParty: { [alice]: {} } };
    const [resumed] = await api.acs(bare);
    const spelledOut = { ...bare, filtersForAnyParty: null, verbose: false };
    expect(await again({ ...resumed, eventFormat: spelledOut })).toBe('accepted');
  });

  it('are visible to stakeholders only (B-ACS-007)', async () => {
    await api.create(model('WithObservers'), { giver: alice, observers: [bob] }, { actAs: alice });
    await dummy();
    expect(await api.active(eventFormat([bob]))).toHaveLength(1);
    expect(await api.active(eventFormat([]), {})).not.toHaveLength(0);
  });
});

describe('events by contract id', () => {
  const events = (contractId: string, format: unknown = eventFormat([alice])) =>
    api.post('/v2/events/events-by-contract-id', { contractId, eventFormat: format });

  it('include the creation and the archival (B-PTW-011, B-PTW-012)', async () => {
    const contractId = await dummy();
    const format = eventFormat([alice]);
    const [active] = await api.active(format);
    expect((await events(contractId)).body).toEqual({
      created: { createdEvent: active, synchronizerId: api.canticle.network.synchronizers[0]!.id },
      archived: null,
    });
    await consume(contractId);
    const [, archival] = await api.updates(updateFormat('ACS_DELTA', format));
    const { created, archived } = (await events(contractId)).body;
    expect(created.createdEvent).toEqual(active);
    expect(archived.archivedEvent).toEqual(archival.Transaction.value.events[0].ArchivedEvent);
  });

  it('include both for a transient contract (B-PTW-014)', async () => {
    const format = transactionFormat('LEDGER_EFFECTS', eventFormat([alice]));
    const command = createAndExercise(model('Dummy'), { operator: alice }, 'Consume');
    const transaction = await api.transact(command, { actAs: alice }, format);
    const { contractId } = transaction.events[0].CreatedEvent;
    const anyParty = {
      filtersForAnyParty: { cumulative: [{ identifierFilter: { WildcardFilter: { value: {} } } }] },
    };
    const { body } = await events(contractId, anyParty); // B-PTW-015
    expect(body.created.createdEvent.contractId).toBe(contractId);
    expect(body.archived.archivedEvent.contractId).toBe(contractId);
  });

  it('are not found for an unknown or invisible contract (B-PTW-013)', async () => {
    const contractId = await dummy();
    for (const { status, body } of [
      await events(`00${'0'.repeat(64)}ca121220${'0'.repeat(64)}`),
      await events(contractId, eventFormat([bob])),
      await events(contractId, eventFormat([alice], byTemplate(model('Nest')))),
    ])
      expect([status, body.code]).toEqual([404, 'CONTRACT_EVENTS_NOT_FOUND']);
    expect((await events('')).body.code).toBe('MISSING_FIELD');
    expect((await events('0G')).body.code).toBe('INVALID_FIELD');
    expect((await events(contractId, null)).body.code).toBe('MISSING_FIELD');
  });
});

describe('a contract by id', () => {
  const lookUp = (contractId: string, queryingParties?: string[]) =>
    api.post('/v2/contracts/contract-by-id', { contractId, queryingParties });

  it('has its blob and placeholders, archived or not (B-PTW-016, B-PTW-018 to B-PTW-020)', async () => {
    const contractId = await api.create(
      model('WithObservers'),
      { giver: alice, observers: [bob] },
      { actAs: alice },
    );
    const { createdEvent } = (await lookUp(contractId, [bob])).body;
    const [active] = await api.active(eventFormat([bob], wildcard(true)));
    expect(createdEvent).toEqual({
      ...active,
      offset: 1,
      nodeId: 0,
      acsDelta: false,
      witnessParties: [bob],
    });
    expect((await lookUp(contractId)).body.createdEvent.witnessParties).toEqual(
      [alice, bob].sort(),
    );
    await api.submit(exercise(model('WithObservers'), contractId, 'Archive'), { actAs: alice });
    expect((await lookUp(contractId, [alice])).status).toBe(200);
  });

  it('is not found by other parties (B-PTW-017)', async () => {
    const contractId = await dummy();
    expect((await lookUp(contractId, [bob])).body).toMatchObject({
      code: 'CONTRACT_PAYLOAD_NOT_FOUND',
    });
    expect((await lookUp(contractId, ['☃'])).body).toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect((await lookUp(`00${'0'.repeat(64)}ca121220${'0'.repeat(64)}`)).status).toBe(404);
    expect((await lookUp('')).body.code).toBe('MISSING_FIELD');
  });
});

describe('state', () => {
  const get = async (path: string) => (await api.client.ledger('GET', path)).body;

  it('the ledger end is the last offset (B-STA-001, B-STA-002)', async () => {
    const before = await api.ledgerEnd();
    const { completionOffset } = await api.submit(
      createAndExercise(model('Dummy'), { operator: alice }, 'Look'),
      { actAs: alice },
    );
    expect(completionOffset).toBeGreaterThan(before);
    expect(await get('/v2/state/ledger-end')).toEqual({ offset: completionOffset });
  });

  it('the ledger end advances with a new party, which only topology streams return (B-STA-010)', async () => {
    const before = await api.ledgerEnd();
    await api.parties('dave');
    expect(await api.ledgerEnd()).toBe(before + 1);
    const range = { beginExclusive: before };
    const transactions = updateFormat('LEDGER_EFFECTS', eventFormat([]));
    expect(await api.updates(transactions, range)).toEqual([]);
    const topology = { includeTopologyEvents: { includeParticipantAuthorizationEvents: {} } };
    expect(await api.updates({ ...transactions, ...topology }, range)).toHaveLength(1);
  });

  it('the ledger end is 0 on an empty ledger (B-STA-003, B-ID-023)', async () => {
    const two = await startLedgerApi({
      participants: [{ name: 'one' }, { name: 'alone', synchronizers: [] }],
    });
    two.canticle.participants[0]!.allocateParty('alice');
    const end = async (name: string) =>
      (await two.client.ledger('GET', `/participants/${name}/v2/state/ledger-end`)).body.offset;
    expect(await end('alone')).toBe(0);
    const format = { includeTopologyEvents: { includeParticipantAuthorizationEvents: {} } };
    const range = { beginExclusive: 0, endInclusive: await end('one') };
    const [first] = await two.ok('/participants/one/v2/updates', {
      ...range,
      updateFormat: format,
    });
    expect(range.endInclusive).toBeGreaterThan(0);
    expect(first.update.TopologyTransaction.value.offset).toBeGreaterThanOrEqual(1);
    await two.client.close();
  });

  it('is live and ready (B-GEN-002, B-GEN-003)', async () => {
    expect(await api.client.ledger('GET', '/livez')).toMatchObject({ status: 200, body: '' });
    expect(await get('/readyz')).toBe('[+] ledger ok (SERVING)\nreadyz check passed\n');
  });

  it("lists connections, and a party's permissions (B-STA-005 to B-STA-009)", async () => {
    const two = await startLedgerApi({
      synchronizers: [{ alias: 'global', identifier: 'global-domain' }, { alias: 'app' }],
      participants: [{ name: 'one' }, { name: 'two' }],
    });
    const { participants, network } = two.canticle;
    const carol = participants[0]!.allocateParty('carol', { synchronizers: ['app'] });
    const dave = participants[1]!.allocateParty('dave');
    const connected = async (query = '') =>
      (await two.client.ledger('GET', `/v2/state/connected-synchronizers${query}`)).body
        .connectedSynchronizers;
    const [global, app] = network.synchronizers.map(({ alias, id }) => ({
      synchronizerAlias: alias,
      synchronizerId: id,
    }));
    const unspecified = { permission: 'PARTICIPANT_PERMISSION_UNSPECIFIED' };
    const submission = { permission: 'PARTICIPANT_PERMISSION_SUBMISSION' };
    expect(await connected()).toEqual([
      { ...global, ...unspecified },
      { ...app, ...unspecified },
    ]);
    expect(await connected(`?party=${encodeURIComponent(carol)}`)).toEqual([
      { ...app, ...submission },
    ]);
    expect(await connected(`?party=${encodeURIComponent(dave)}`)).toEqual([]);
    const there = `&participantId=${encodeURIComponent(participants[1]!.id)}`;
    expect(await connected(`?party=${encodeURIComponent(dave)}${there}`)).toEqual([
      { ...global, ...submission },
      { ...app, ...submission },
    ]);
    expect(await connected('?party=nobody')).toEqual([]);
    // Whichever participant is asked about, the connections are those of this one.
    const nowhere = `participantId=nobody::1220${'0'.repeat(64)}`;
    expect(await connected(`?${nowhere}`)).toEqual(await connected());
    expect(await connected(`?party=${encodeURIComponent(dave)}&${nowhere}`)).toEqual([]);
    const refused = await two.client.ledger(
      'GET',
      '/v2/state/connected-synchronizers?participantId=x',
    );
    expect(refused.body.code).toBe('INVALID_FIELD');
    await two.client.close();
  });
});
