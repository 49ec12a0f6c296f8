/** Updates as a list and one by one (B-UPD-*, B-PTW-*, B-LEG-*, B-TOP-*). */
import {
  byTemplate,
  create,
  eventFormat,
  exercise,
  startLedgerApi,
  transactionFormat,
  updateFormat,
  wildcard,
  type LedgerApi,
  type JsonAnswer,
} from '../../../support/ledger-api.js';
import { LONGEST_IDLE_MS } from '../../../../src/services/ledger-api/formats/stream-list.js';
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

const dummies = async (count: number) => {
  for (let i = 0; i < count; i++)
    await api.submit(create(model('Dummy'), { operator: alice }), { actAs: alice });
};
const deltas = (...parties: string[]) => updateFormat('ACS_DELTA', eventFormat(parties));
const offsetsOf = (updates: JsonAnswer[]) =>
  updates.map((update) => (Object.values(update)[0] as JsonAnswer).value.offset);
const topology = (...parties: string[]) => ({
  includeTopologyEvents: { includeParticipantAuthorizationEvents: { parties } },
});

describe('a list of updates', () => {
  it('excludes its begin and includes its end, ascending or descending (B-UPD-001, B-UPD-002, B-UPD-012)', async () => {
    await dummies(4);
    const all = offsetsOf(await api.updates(deltas(alice)));
    expect(all).toEqual([1, 2, 3, 4].map((n) => start + n));
    const range = { beginExclusive: start + 1, endInclusive: start + 3 };
    expect(offsetsOf(await api.updates(deltas(alice), range))).toEqual([start + 2, start + 3]);
    const down = await api.updates(deltas(alice), { ...range, descendingOrder: true });
    expect(offsetsOf(down)).toEqual([start + 3, start + 2]);
    expect(await api.updates(deltas(alice), { ...range, beginExclusive: start + 3 })).toEqual([]); // B-UPD-003
  });

  it('keeps the order of events in a transaction, ascending and descending (B-UPD-013)', async () => {
    const contractId = await api.create(model('Dummy'), { operator: alice }, { actAs: alice });
    await api.submit(exercise(model('Dummy'), contractId, 'Clone'), { actAs: alice });
    const format = {
      includeTransactions: transactionFormat('LEDGER_EFFECTS', eventFormat([alice])),
    };
    const [last] = await api.updates(format, { descendingOrder: true });
    const nodeIds = last.Transaction.value.events.map(
      (event: JsonAnswer) => (Object.values(event)[0] as JsonAnswer).nodeId,
    );
    expect(nodeIds).toEqual([0, 1, 2]);
  });

  it('is the same for each read and reader, and contains each transaction once (B-UPD-016 to B-UPD-018)', async () => {
    await dummies(3);
    await api.submit(create(model('WithObservers'), { giver: alice, observers: [bob] }), {
      actAs: alice,
    });
    const format = deltas(alice, bob);
    const all = await api.updates(format);
    expect(await api.updates(format)).toEqual(all);
    expect(new Set(offsetsOf(all)).size).toBe(all.length);
    const resumed = [];
    for (let begin = 0; begin < (await api.ledgerEnd()); begin++)
      resumed.push(
        ...(await api.updates(format, { beginExclusive: begin, endInclusive: begin + 1 })),
      );
    expect(resumed).toEqual(all);
  });

  it("has each contract's creation before its archival (B-UPD-023)", async () => {
    const contractId = await api.create(model('Dummy'), { operator: alice }, { actAs: alice });
    await api.submit(exercise(model('Dummy'), contractId, 'Clone'), { actAs: alice });
    for (const created of await api.active(eventFormat([alice])))
      await api.submit(exercise(model('Dummy'), created.contractId, 'Consume'), { actAs: alice });
    const active = new Set<string>();
    let archived = 0;
    for (const { Transaction } of await api.updates(deltas(alice)))
      for (const { CreatedEvent, ArchivedEvent } of Transaction.value.events) {
        if (CreatedEvent) active.add(CreatedEvent.contractId);
        else archived += Number(active.delete(ArchivedEvent.contractId));
      }
    expect([archived, active.size]).toEqual([3, 0]);
  });

  it('without an end waits for new updates, also of new parties (B-UPD-011, B-WS-018, B-WS-020)', async () => {
    await dummies(1);
    const body = { beginExclusive: start, updateFormat: deltas() };
    const listed = api.ok('/v2/updates?limit=2&stream_idle_timeout_ms=20000', body);
    const [carol] = await api.parties('carol');
    await api.submit(create(model('Dummy'), { operator: carol }), { actAs: carol! });
    const [, second] = await listed;
    expect(second.update.Transaction.value.events[0].CreatedEvent.signatories).toEqual([carol]);
    const idle = await api.ok('/v2/updates?stream_idle_timeout_ms=1', {
      ...body,
      beginExclusive: await api.ledgerEnd(),
    });
    expect(idle).toEqual([]);
  });

  it('with an end does not stop at the idle timeout (B-WS-019, B-UPD-010)', async () => {
    await dummies(3);
    const body = {
      beginExclusive: start,
      endInclusive: await api.ledgerEnd(),
      updateFormat: deltas(alice),
    };
    expect(await api.ok('/v2/updates?stream_idle_timeout_ms=1', body)).toHaveLength(3);
  });

  it.each([
    [0, 0],
    [-5, 0],
    [-1999, 0],
    [-2000, -1],
    [-LONGEST_IDLE_MS, -4_611_686_018],
  ])('with an idle timeout of %d is rejected (B-WS-023)', async (idle, seconds) => {
    const query = `?stream_idle_timeout_ms=${idle}`;
    for (const [path, body] of [
      ['/v2/updates', { beginExclusive: 0, filter: { filtersForAnyParty: {} } }],
      ['/v2/state/active-contracts', { activeAtOffset: 0, filter: { filtersForAnyParty: {} } }],
    ] as const)
      expect(await api.post(path + query, body)).toMatchObject({
        status: 400,
        body: {
          code: 'INVALID_ARGUMENT',
          cause:
            'The submitted request has invalid arguments: Task scheduled with [SECONDS] seconds delay, which means creating an infinite loop. The expected delay must be greater than 0.'.replace(
              'SECONDS',
              String(seconds),
            ),
          context: {},
        },
      });
  });

  it('with an idle timeout above 64-bit nanoseconds fails (B-WS-024)', async () => {
    const list = (idle: number | string) =>
      api.client.send('POST', `/v2/state/active-contracts?stream_idle_timeout_ms=${idle}`, {
        activeAtOffset: 0,
        filter: { filtersForAnyParty: {} },
      });
    for (const idle of [LONGEST_IDLE_MS + 1, -LONGEST_IDLE_MS - 1, '9223372036854775807'])
      expect(await list(idle)).toMatchObject({ status: 500, body: 'Internal server error' });
    expect(await list(LONGEST_IDLE_MS)).toMatchObject({ status: 200 });
  });

  it('has at most 200 elements, or the requested limit (B-WS-010 to B-WS-016)', async () => {
    const { participant } = api.canticle;
    for (let i = 0; i < 201; i++)
      participant.create(model('Dummy'), { operator: alice }, { actAs: [alice] });
    const list = (query: string, endInclusive: number) =>
      api.post(`/v2/updates${query}`, {
        beginExclusive: start,
        endInclusive,
        updateFormat: deltas(alice),
      });
    const end = start + 201;
    expect((await list('', end - 1)).body).toHaveLength(200);
    for (const query of ['', '?limit=201', '?limit=1000']) {
      const { status, body } = await list(query, end);
      expect(status).toBe(413);
      expect(body).toMatchObject({
        code: 'JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED',
        errorCategory: 2,
        grpcCodeValue: 10,
      });
    }
    expect((await list('?limit=200', end)).body).toHaveLength(200);
    expect((await list('?limit=7', end)).body).toHaveLength(7);
    expect((await list('?limit=0', end)).body).toEqual([]);
    const acs = await api.post('/v2/state/active-contracts', {
      eventFormat: eventFormat([alice]),
      activeAtOffset: end,
    });
    expect(acs.status).toBe(413); // B-ACS-022
  });

  it('has transactions, reassignments or topology, as requested (B-UPD-014, B-UPD-015)', async () => {
    await dummies(1);
    const kinds = async (format: object) =>
      [
        ...new Set((await api.updates(format)).flatMap((update: object) => Object.keys(update))),
      ].sort();
    expect(await kinds({ includeReassignments: eventFormat([alice]) })).toEqual([]);
    expect(
      await kinds({ includeTransactions: transactionFormat('ACS_DELTA', eventFormat([alice])) }),
    ).toEqual(['Transaction']);
    expect(await kinds(topology())).toEqual(['TopologyTransaction']);
    expect(await kinds({ ...deltas(alice), ...topology(alice) })).toEqual([
      'TopologyTransaction',
      'Transaction',
    ]);
    expect(await kinds({ includeTopologyEvents: {} })).toEqual([]);
  });

  it('omits a transaction without events in its shape (B-UPD-019, B-UPD-020)', async () => {
    const contractId = await api.create(model('Dummy'), { operator: alice }, { actAs: alice });
    for (const choice of ['Look', 'Flash', 'Clone'])
      await api.submit(exercise(model('Dummy'), contractId, choice), { actAs: alice });
    const events = async (shape: 'ACS_DELTA' | 'LEDGER_EFFECTS') =>
      (
        await api.updates({ includeTransactions: transactionFormat(shape, eventFormat([alice])) })
      ).flatMap(({ Transaction }: JsonAnswer) =>
        Transaction.value.events.map((event: JsonAnswer) => Object.values(event)[0]),
      );
    const delta = await events('ACS_DELTA');
    const effects = await events('LEDGER_EFFECTS');
    expect(offsetsOf(delta.map((value: JsonAnswer) => ({ any: { value } })))).toEqual([
      start + 1,
      start + 4,
      start + 4,
      start + 4,
    ]);
    const place = ({ offset, nodeId }: JsonAnswer) => `${offset}.${nodeId}`;
    const shown = new Map(effects.map((event: JsonAnswer) => [place(event), event]));
    for (const event of delta) {
      expect(shown.get(place(event))).toMatchObject({ acsDelta: true });
      expect((shown.get(place(event)) as JsonAnswer).witnessParties).toEqual(
        expect.arrayContaining(event.witnessParties),
      );
    }
    expect(effects.filter(({ acsDelta }: JsonAnswer) => acsDelta)).toHaveLength(delta.length); // B-EVT-015
  });

  it('has the command id for submitters only, and the workflow id for all (B-UPD-021, B-UPD-022, B-EVT-028)', async () => {
    await api.submit(create(model('WithObservers'), { giver: alice, observers: [bob] }), {
      actAs: alice,
      commandId: 'mine',
      workflowId: 'flow',
    });
    const [forAlice] = await api.updates(deltas(alice));
    const [forBob] = await api.updates(deltas(bob));
    expect(forAlice.Transaction.value).toMatchObject({ commandId: 'mine', workflowId: 'flow' });
    expect(forBob.Transaction.value).toMatchObject({ commandId: '', workflowId: 'flow' });
    expect(forBob.Transaction.value.recordTime > forBob.Transaction.value.effectiveAt).toBe(true);
  });

  it('has the trace context of the submission (B-UPD-024, B-GEN-012)', async () => {
    const trace = '0af7651916cd43dd8448eb211c80319c';
    const body = api.commands(create(model('Dummy'), { operator: alice }), { actAs: alice });
    const headers = { traceparent: `00-${trace}-b7ad6b7169203331-01` };
    await api.client.ledger('POST', '/v2/commands/submit-and-wait', body, { headers });
    const [update] = await api.updates(deltas(alice));
    expect(update.Transaction.value.traceContext.traceparent).toContain(trace);
  });
});

describe('legacy requests', () => {
  it('select ACS_DELTA transactions and reassignments with a filter (B-LEG-001, B-LEG-004, B-LEG-005)', async () => {
    await dummies(2);
    const endInclusive = await api.ledgerEnd();
    const filter = { filtersByParty: { [alice]: { cumulative: [byTemplate(model('Dummy'))] } } };
    const legacy = await api.ok('/v2/updates', {
      beginExclusive: 0,
      endInclusive,
      filter,
      verbose: true,
    });
    expect(legacy.map(({ update }: JsonAnswer) => update)).toEqual(
      await api.updates(deltas(alice)),
    );
    const contracts = await api.ok('/v2/state/active-contracts', {
      filter,
      activeAtOffset: endInclusive,
    });
    const current = await api.acs(eventFormat([alice]));
    const entries = (list: JsonAnswer[]) => list.map(({ contractEntry }) => contractEntry);
    expect(entries(contracts)).toEqual(entries(current));
  });

  it.each(['/v2/updates', '/v2/state/active-contracts'])(
    '%s requires exactly one form (B-LEG-002, B-LEG-003)',
    async (path) => {
      const [name, format] =
        path === '/v2/updates'
          ? ['updateFormat', deltas(alice)]
          : ['eventFormat', eventFormat([alice])];
      const base = { beginExclusive: 0, endInclusive: start, activeAtOffset: start };
      const filter = { filtersByParty: { [alice]: {} } };
      const causes = new Set<string>();
      for (const body of [{ filter, [name]: format }, { verbose: true, [name]: format }, {}]) {
        const answer = await api.post(path, { ...base, ...body });
        expect(answer.body).toMatchObject({ code: 'INVALID_ARGUMENT' });
        causes.add(answer.body.cause);
      }
      expect(causes.size).toBe(3);
      expect((await api.post(path, { ...base, [name]: format, verbose: false })).status).toBe(200);
    },
  );
});

describe('a single update', () => {
  it('equals the update in the list, by id and by offset (B-PTW-001, B-PTW-007)', async () => {
    await dummies(1);
    const [update] = await api.updates(deltas(alice));
    const { offset, updateId } = update.Transaction.value;
    const found = { update };
    expect(
      await api.ok('/v2/updates/update-by-offset', { offset, updateFormat: deltas(alice) }),
    ).toEqual(found);
    expect(
      await api.ok('/v2/updates/update-by-id', { updateId, updateFormat: deltas(alice) }),
    ).toEqual(found);
  });

  it('is not found without a visible event (B-PTW-002, B-PTW-003, B-PTW-004, B-PTW-009, B-PTW-010)', async () => {
    const { contractId } = {
      contractId: await api.create(model('Dummy'), { operator: alice }, { actAs: alice }),
    };
    const { updateId, completionOffset: offset } = await api.submit(
      exercise(model('Dummy'), contractId, 'Flash'),
      { actAs: alice },
    );
    const byId = (format: unknown, id = updateId) =>
      api.post('/v2/updates/update-by-id', { updateId: id, updateFormat: format });
    const effects = (...parties: string[]) => updateFormat('LEDGER_EFFECTS', eventFormat(parties));
    expect((await byId(effects(alice))).status).toBe(200);
    const unknown = `1220${'0'.repeat(64)}`;
    const missing = [
      await byId(deltas(alice)),
      await byId(effects(bob)),
      await byId(updateFormat('LEDGER_EFFECTS', eventFormat([alice], byTemplate(model('Nest'))))),
      await byId(effects(alice), unknown),
    ];
    for (const { status, body } of missing)
      expect([status, body.code]).toEqual([404, 'UPDATE_NOT_FOUND']);
    expect(missing[3]!.body.resources).toEqual([['ErrorResource(UPDATE_ID)', unknown]]);
    expect((await byId(effects(alice), updateId.toUpperCase())).status).toBe(200);
    const byOffset = (at: number) =>
      api.post('/v2/updates/update-by-offset', { offset: at, updateFormat: effects(alice) });
    expect((await byOffset(offset + 100)).body).toMatchObject({
      code: 'UPDATE_NOT_FOUND',
      resources: [['ErrorResource(OFFSET)', String(offset + 100)]],
    });
    expect((await byOffset(offset)).status).toBe(200);
    api.canticle.participant.allocateParty('later');
    api.canticle.participant.engine.prune(offset);
    expect((await byOffset(offset)).body.code).toBe('UPDATE_NOT_FOUND');
  });

  it.each([
    ['/v2/updates/update-by-offset', { offset: 0 }, 'NON_POSITIVE_OFFSET'],
    ['/v2/updates/update-by-offset', { offset: 1 }, 'MISSING_FIELD'],
    ['/v2/updates/update-by-id', { updateId: '' }, 'MISSING_FIELD'],
    ['/v2/updates/update-by-id', { updateId: 'ff' }, 'INVALID_ARGUMENT'],
    ['/v2/updates/update-by-id', { updateId: `1220${'0'.repeat(64)}` }, 'MISSING_FIELD'],
  ])('%s with %j returns %s (B-PTW-004 to B-PTW-006, B-ID-022)', async (path, body, code) => {
    expect(await api.refusal(path, body)).toBe(code);
  });

  it.each([
    ['x:y', 'Failed to parse hex string: x:y'],
    ['ffff', 'Failed to decode unsigned var-int: Input bytes already consumed'],
    ['1320', 'Invalid hash algorithm: Unknown hash algorithm for index: 19'],
    ['1221', 'Invalid hash algorithm: Mismatch of lengths for SHA-256: given 33, expected 32'],
    ['122000', 'Size of given hash 1 does not match expected size 32 for SHA-256'],
  ])('rejects the update id %s, which is not a hash (B-ID-022)', async (updateId, reason) => {
    const { body } = await api.post('/v2/updates/update-by-id', { updateId });
    expect(body.cause).toBe(`The submitted request has invalid arguments: ${reason}`);
  });
});

describe('topology', () => {
  it('updates have an event for each allocation (B-TOP-001, B-TOP-002, B-TOP-004)', async () => {
    const [carol] = await api.parties('carol');
    const [update, ...more] = await api.updates(topology(carol!));
    expect(more).toEqual([]);
    const { events, updateId, offset, ...header } = update.TopologyTransaction.value;
    expect(events).toEqual([
      {
        event: {
          ParticipantAuthorizationAdded: {
            value: {
              partyId: carol,
              participantId: api.canticle.participant.id,
              participantPermission: 'PARTICIPANT_PERMISSION_SUBMISSION',
            },
          },
        },
      },
    ]);
    expect(Object.keys(header).sort()).toEqual(['recordTime', 'synchronizerId', 'traceContext']);
    const found = await api.ok('/v2/updates/update-by-id', { updateId, updateFormat: topology() }); // B-PTW-008
    expect(found).toEqual({ update });
    expect(
      await api.refusal('/v2/updates/update-by-offset', { offset, updateFormat: topology(bob) }),
    ).toBe('UPDATE_NOT_FOUND'); // B-TOP-005
  });
});

describe('hosting', () => {
  it('updates have changes and revocations, and a revocation has no permission (B-TOP-003)', async () => {
    const { network, participant } = api.canticle;
    const [carol] = await api.parties('carol');
    const beginExclusive = await api.ledgerEnd();
    const about = { party: carol!, participantId: participant.id };
    const synchronizerId = network.synchronizers[0]!.id;
    for (const event of [
      { kind: 'changed', permission: 'observation', ...about },
      { kind: 'revoked', ...about },
    ] as const)
      network.commit({ kind: 'topology', synchronizerId, workflowId: '', events: [event] });
    const updates = await api.updates(topology(), { beginExclusive });
    const value = { partyId: carol, participantId: participant.id };
    expect(
      updates.map(({ TopologyTransaction }: JsonAnswer) => TopologyTransaction.value.events),
    ).toEqual([
      [
        {
          event: {
            ParticipantAuthorizationChanged: {
              value: { ...value, participantPermission: 'PARTICIPANT_PERMISSION_OBSERVATION' },
            },
          },
        },
      ],
      [{ event: { ParticipantAuthorizationRevoked: { value } } }],
    ]);
  });
});

it('omits updates of a synchronizer without a connection', async () => {
  const two = await startLedgerApi({
    synchronizers: ['here', 'there'],
    participants: [
      { name: 'one', synchronizers: ['here'] },
      { name: 'two', synchronizers: ['there'] },
    ],
  });
  two.canticle.participants[1]!.allocateParty('bob');
  const { updateId } = two.canticle.network.updates.last()!;
  const request = { updateId, updateFormat: topology() };
  expect(await two.refusal('/v2/updates/update-by-id', request)).toBe('UPDATE_NOT_FOUND');
  await two.client.close();
});

describe('after pruning', () => {
  it('updates begin there, and the ACS and blobs remain (B-STA-004, B-UPD-003, B-UPD-007, B-ACS-004)', async () => {
    await dummies(3);
    const end = await api.ledgerEnd();
    const offsets = async () =>
      (await api.client.ledger('GET', '/v2/state/latest-pruned-offsets')).body;
    expect(await offsets()).toEqual({
      participantPrunedUpToInclusive: 0,
      allDivulgedContractsPrunedUpToInclusive: 0,
    });
    const before = await api.active(eventFormat([alice], wildcard(true)));
    api.canticle.participant.engine.prune(end - 1);
    expect(await offsets()).toEqual({
      participantPrunedUpToInclusive: end - 1,
      allDivulgedContractsPrunedUpToInclusive: end - 1,
    });
    expect(await api.active(eventFormat([alice], wildcard(true)))).toEqual(before);
    expect(await api.updates(deltas(alice), { beginExclusive: end - 1 })).toHaveLength(1);
    expect(await api.updates(deltas(alice), { beginExclusive: 1, endInclusive: 1 })).toEqual([]);
    const { body } = await api.post('/v2/updates', {
      beginExclusive: 0,
      endInclusive: end,
      updateFormat: deltas(alice),
    });
    expect(body).toMatchObject({
      code: 'PARTICIPANT_PRUNED_DATA_ACCESSED',
      context: { earliest_offset: String(end - 1) },
    });
  });
});
