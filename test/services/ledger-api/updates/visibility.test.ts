/** The fields of events, and the parties that see each node (B-EVT-*, B-FLT-*). */
import {
  byInterface,
  byTemplate,
  create,
  createAndExercise,
  eventFormat,
  exercise,
  startLedgerApi,
  transactionFormat,
  wildcard,
  type LedgerApi,
  type JsonAnswer,
} from '../../../support/ledger-api.js';
import { model } from '../../../support/daml/model-package.js';

let api: LedgerApi;
let alice: string;
let bob: string;
let carol: string;

beforeAll(async () => {
  api = await startLedgerApi();
  [alice, bob, carol] = await api.parties('alice', 'bob', 'carol');
});
afterAll(() => api.client.close());

type Shape = 'ACS_DELTA' | 'LEDGER_EFFECTS';

/** Submits, and reads the transaction back as each of the parties. */
async function seenBy(submitted: unknown, actAs: string | string[], readAs: string[] = []) {
  const { updateId } = await api.submit(submitted, { actAs, readAs });
  return async (party: string, shape: Shape = 'LEDGER_EFFECTS') => {
    const format = { includeTransactions: transactionFormat(shape, eventFormat([party])) };
    const { status, body } = await api.post('/v2/updates/update-by-id', {
      updateId,
      updateFormat: format,
    });
    return status === 404 ? [] : body.update.Transaction.value.events.map(short);
  };
}

/** `+Dummy`, `-Dummy` (archived), `Dummy.Look`, `Dummy!Consume` (consuming), with the node id. */
function short(event: JsonAnswer): string {
  const [[kind, { templateId, choice, consuming, nodeId }]] = Object.entries<JsonAnswer>(event) as [
    [string, JsonAnswer],
  ];
  const entity = templateId.split(':')[2];
  const text =
    { CreatedEvent: `+${entity}`, ArchivedEvent: `-${entity}` }[kind] ??
    `${entity}${consuming ? '!' : '.'}${choice}`;
  return `${nodeId} ${text}`;
}

const watched = (giver: string, observers: string[]) =>
  api.create(model('WithObservers'), { giver, observers }, { actAs: giver });

describe('a create', () => {
  it('is visible to its stakeholders, in both shapes (B-EVT-019, B-EVT-020)', async () => {
    const seen = await seenBy(
      create(model('WithObservers'), { giver: alice, observers: [bob] }),
      alice,
    );
    for (const shape of ['ACS_DELTA', 'LEDGER_EFFECTS'] as const) {
      expect(await seen(alice, shape)).toEqual(['0 +WithObservers']);
      expect(await seen(bob, shape)).toEqual(['0 +WithObservers']);
      expect(await seen(carol, shape)).toEqual([]);
    }
  });

  it('has all fields of the contract (B-EVT-010 to B-EVT-014, B-PSL-008, B-PSL-009)', async () => {
    const { events, offset, effectiveAt } = await api.transact(
      create(model('WithObservers'), { giver: alice, observers: [bob, alice] }),
      { actAs: alice },
    );
    const { contractId, templateId, ...event } = events[0].CreatedEvent;
    expect(contractId).toMatch(/^00[0-9a-f]{64}ca121220[0-9a-f]{64}$/);
    expect(templateId).toMatch(/^[0-9a-f]{64}:Test:WithObservers$/);
    expect(event).toEqual({
      offset,
      nodeId: 0,
      contractKey: null,
      contractKeyHash: '',
      createArgument: { giver: alice, observers: [bob, alice] },
      createdEventBlob: '',
      interfaceViews: [],
      witnessParties: [alice],
      signatories: [alice],
      observers: [bob],
      createdAt: effectiveAt,
      packageName: 'model-tests',
      representativePackageId: templateId.split(':')[0],
      acsDelta: true,
    });
  });
});

describe('an exercise', () => {
  it('that is non-consuming is not visible to observers (B-EVT-021)', async () => {
    const contractId = await watched(alice, [bob]);
    const seen = await seenBy(exercise(model('WithObservers'), contractId, 'Ping'), alice);
    expect(await seen(alice)).toEqual(['0 WithObservers.Ping']);
    expect(await seen(bob)).toEqual([]);
  });

  it('that is consuming is visible to each stakeholder (B-EVT-022), and Archive is an archived event (B-EVT-018)', async () => {
    const contractId = await watched(alice, [bob]);
    const seen = await seenBy(exercise(model('WithObservers'), contractId, 'Archive'), alice);
    expect(await seen(bob)).toEqual(['0 WithObservers!Archive']);
    expect(await seen(bob, 'ACS_DELTA')).toEqual(['0 -WithObservers']);
    expect(await seen(carol)).toEqual([]);
  });

  it('is visible to the choice observers (B-EVT-023)', async () => {
    const contractId = await watched(alice, []);
    const seen = await seenBy(
      exercise(model('WithObservers'), contractId, 'Announce', { audience: [carol] }),
      alice,
    );
    expect(await seen(carol)).toEqual(['0 WithObservers.Announce']);
    expect(await seen(carol, 'ACS_DELTA')).toEqual([]);
  });

  it('by a controller that is not a stakeholder is visible to it in LEDGER_EFFECTS only (B-EVT-025)', async () => {
    const contractId = await watched(alice, []);
    const seen = await seenBy(
      exercise(model('WithObservers'), contractId, 'Take', { actor: carol }),
      carol,
      [alice],
    );
    expect(await seen(carol)).toEqual(['0 WithObservers!Take']);
    expect(await seen(carol, 'ACS_DELTA')).toEqual([]);
    expect(await seen(alice, 'ACS_DELTA')).toEqual(['0 -WithObservers']);
  });

  it('has its consequences for its informees (B-EVT-003, B-EVT-020, B-EVT-026)', async () => {
    const parties = { operator: alice, receiver: bob, giver: carol };
    const proposal = await api.create(model('TriProposal'), parties, { actAs: alice });
    const [dave] = await api.parties('dave');
    const seen = await seenBy(
      [
        exercise(model('TriProposal'), proposal, 'Accept'),
        create(model('Dummy'), { operator: bob }),
      ],
      [bob, carol],
    );
    for (const party of [alice, carol])
      expect(await seen(party)).toEqual(['0 TriProposal!Accept', '1 +TriAgreement']);
    expect(await seen(bob)).toEqual(['0 TriProposal!Accept', '1 +TriAgreement', '2 +Dummy']);
    expect(await seen(dave!)).toEqual([]);
  });

  it('has all its fields (B-EVT-002, B-EVT-017, B-EVT-027)', async () => {
    const contractId = await api.create(model('Dummy'), { operator: alice }, { actAs: alice });
    const format = transactionFormat('LEDGER_EFFECTS', eventFormat([alice]));
    const { events, offset } = await api.transact(
      exercise(model('Dummy'), contractId, 'Clone'),
      { actAs: alice },
      format,
    );
    const [{ ExercisedEvent: event }, first, second] = events;
    expect(event).toEqual({
      offset,
      nodeId: 0,
      contractId,
      templateId: expect.stringMatching(/:Test:Dummy$/),
      interfaceId: null,
      choice: 'Clone',
      choiceArgument: {},
      actingParties: [alice],
      consuming: true,
      witnessParties: [alice],
      lastDescendantNodeId: 2,
      exerciseResult: {
        first: first.CreatedEvent.contractId,
        second: second.CreatedEvent.contractId,
      },
      packageName: 'model-tests',
      implementedInterfaces: [],
      acsDelta: true,
    });
    const looked = await api.transact(
      createAndExercise(model('Dummy'), { operator: alice }, 'Look'),
      { actAs: alice },
      format,
    );
    expect(looked.events[1].ExercisedEvent).toMatchObject({
      exerciseResult: {},
      lastDescendantNodeId: 1,
      acsDelta: false,
    });
  });

  it('has a range of node ids that counts fetches (B-EVT-004, B-EVT-006)', async () => {
    const contractId = await api.create(model('Nest'), { owner: alice }, { actAs: alice });
    const format = transactionFormat('LEDGER_EFFECTS', eventFormat([alice]));
    const { events } = await api.transact(
      exercise(model('Nest'), contractId, 'Deepen', { levels: '2' }),
      { actAs: alice },
      format,
    );
    const ranges = events.map((event: JsonAnswer) => {
      const [{ nodeId, lastDescendantNodeId }] = Object.values<JsonAnswer>(event) as [JsonAnswer];
      return lastDescendantNodeId === undefined ? `${nodeId}` : `${nodeId}-${lastDescendantNodeId}`;
    });
    // 0 exercises 2, which exercises 4; 1, 3 and 5 are fetches; 6, 7 and 8 what each creates at its end.
    expect(ranges).toEqual(['0-8', '2-7', '4-6', '6', '7', '8']);
  });
});

describe('divulgence', () => {
  it('a fetch reveals its contract neither in the ACS nor in a transaction (B-EVT-024)', async () => {
    const delegated = await api.create(model('Delegated'), { owner: alice }, { actAs: alice });
    const delegation = await api.create(
      model('Delegation'),
      { owner: alice, delegate: bob },
      { actAs: alice },
    );
    const fetch = exercise(model('Delegation'), delegation, 'FetchDelegated', { delegated });
    expect(await api.submitRefusal(fetch, { actAs: bob })).toBe('CONTRACT_NOT_FOUND');
    const seen = await seenBy(fetch, bob, [alice]);
    expect(await seen(bob)).toEqual(['0 Delegation.FetchDelegated']);
    expect(await api.submitRefusal(fetch, { actAs: bob })).toBe('CONTRACT_NOT_FOUND');
    expect(await api.active(eventFormat([bob], byTemplate(model('Delegated'))))).toEqual([]);
  });

  it('witnessed contracts are in LEDGER_EFFECTS, and not in ACS_DELTA or the ACS (B-EVT-015, B-EVT-024)', async () => {
    const delegation = await api.create(
      model('Delegation'),
      { owner: alice, delegate: bob },
      { actAs: alice },
    );
    const { events } = await api.transact(
      exercise(model('Delegation'), delegation, 'CreateDelegated'),
      { actAs: bob },
      transactionFormat('LEDGER_EFFECTS', eventFormat([alice, bob])),
    );
    expect(events[1].CreatedEvent).toMatchObject({
      witnessParties: [alice, bob],
      acsDelta: true,
    });
    const seen = await seenBy(exercise(model('Delegation'), delegation, 'CreateDelegated'), bob);
    expect(await seen(bob)).toEqual(['0 Delegation.CreateDelegated', '1 +Delegated']);
    expect(await seen(bob, 'ACS_DELTA')).toEqual([]);
    expect(await seen(alice, 'ACS_DELTA')).toEqual(['1 +Delegated']);
    expect(await api.active(eventFormat([bob], byTemplate(model('Delegated'))))).toEqual([]);
  });
});

describe('filters', () => {
  let coin: string;
  let ticket: string;
  let broken: string;

  beforeAll(async () => {
    coin = await api.create(model('Coin'), { owner: carol, label: 'gold' }, { actAs: carol });
    ticket = await api.create(
      model('Ticket'),
      { issuer: bob, owner: carol, seat: '7' },
      { actAs: bob },
    );
    broken = await api.create(model('Coin'), { owner: carol, label: 'broken' }, { actAs: carol });
  });

  const ids = (events: JsonAnswer[]) => events.map(({ contractId }) => contractId);

  it('may name a template, an interface, several, none or any (B-FLT-001 to B-FLT-007, B-FLT-013, B-FLT-014, B-FLT-017)', async () => {
    const of = async (...cumulative: unknown[]) =>
      ids(await api.active(eventFormat([carol], ...cumulative)));
    const coins = byTemplate(model('Coin'));
    const tickets = byTemplate(model('Ticket'));
    expect(await of(coins)).toEqual([coin, broken]);
    expect(await of(byInterface(model('Asset')))).toEqual([coin, ticket, broken]);
    expect(await of(coins, tickets)).toEqual([coin, ticket, broken]);
    expect(await of(byInterface(model('Unused')))).toEqual([]);
    const empty = { identifierFilter: { Empty: {} } };
    const all = await of(wildcard());
    expect(await of()).toEqual(all);
    expect(await of(empty)).toEqual(all);
    expect(await of(empty, coins)).toEqual([coin, broken]);
    expect(ids(await api.active({ filtersByParty: { [carol]: {} } }))).toEqual(all);
    expect(
      ids(
        await api.active({
          filtersByParty: {
            [carol]: { cumulative: [{ identifierFilter: { WildcardFilter: { value: {} } } }] },
          },
        }),
      ),
    ).toEqual(all);
    expect(
      ids(
        await api.active({
          filtersForAnyParty: { cumulative: [tickets] },
          filtersByParty: { [carol]: { cumulative: [coins] } },
        }),
      ),
    ).toEqual([coin, ticket, broken]);
    expect(ids(await api.active(eventFormat(['nobody::1220'])))).toEqual([]); // B-FLT-023, B-ACS-023
  });

  it('return the blob and views on request, as a union (B-FLT-008 to B-FLT-011, B-FLT-016)', async () => {
    const of = async (format: object, id = ticket) =>
      (await api.active(format as JsonAnswer)).find(
        ({ contractId }: JsonAnswer) => contractId === id,
      );
    const plain = await of(eventFormat([carol], byInterface(model('Asset'))));
    expect(plain).toMatchObject({ createdEventBlob: '', interfaceViews: [] });
    const viewed = await of(
      eventFormat(
        [carol],
        byInterface(model('Asset'), { view: true }),
        byInterface(model('Asset'), { blob: true }),
      ),
    );
    expect(viewed.createdEventBlob).not.toBe('');
    expect(viewed.interfaceViews).toEqual([
      {
        interfaceId: expect.stringMatching(/:Test:Asset$/),
        viewStatus: { code: 0, message: '', details: [] },
        viewValue: { owner: carol, label: 'seat 7' },
        implementationPackageId: viewed.templateId.split(':')[0],
      },
    ]); // B-FLT-019, B-PSL-016
    const each = await of({
      filtersByParty: {
        [bob]: { cumulative: [wildcard(true)] },
        [carol]: { cumulative: [byInterface(model('Asset'), { view: true })] },
      },
    });
    expect(each).toMatchObject({
      witnessParties: [bob, carol].sort(),
      createdEventBlob: viewed.createdEventBlob,
    });
    expect(each.interfaceViews).toHaveLength(1);
    const other = await of(
      eventFormat([carol], byTemplate(model('Ticket')), byTemplate(model('Coin'), true)),
    );
    expect(other.createdEventBlob).toBe('');
    // One of those that match is enough, whichever kind it is.
    for (const both of [
      [wildcard(), wildcard(true)],
      [wildcard(), byTemplate(model('Ticket'), true)],
      [wildcard(true), byTemplate(model('Ticket'))],
      [byTemplate(model('Ticket')), byInterface(model('Asset'), { blob: true })],
    ]) {
      const { createdEventBlob } = await of(eventFormat([carol], ...both));
      expect(createdEventBlob).toBe(viewed.createdEventBlob);
    }
  });

  it('return the error of a failed view in its status (B-FLT-018)', async () => {
    const events = await api.active(
      eventFormat([carol], byInterface(model('Asset'), { view: true })),
    );
    const [good, , bad] = events;
    expect(bad.contractId).toBe(broken);
    expect(bad.interfaceViews[0].viewValue).toBeNull();
    expect(bad.interfaceViews[0].viewStatus.code).not.toBe(0);
    expect(bad.interfaceViews[0].viewStatus.message).toContain('This view is broken');
    expect(good.interfaceViews[0].viewStatus.code).toBe(0);
  });

  it("have the request's trace in the status of a failed view (B-FLT-018)", async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const viewed = eventFormat([carol], byInterface(model('Asset'), { view: true }));
    const { body } = await api.client.ledger(
      'POST',
      '/v2/state/active-contracts',
      { eventFormat: viewed, activeAtOffset: await api.ledgerEnd() },
      { headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` } },
    );
    const [, , bad] = body.map(
      (each: JsonAnswer) => each.contractEntry.JsActiveContract.createdEvent,
    );
    const { message, details } = bad.interfaceViews[0].viewStatus;
    expect(message).toContain(`(9,${traceId.slice(0, 8)}): `);
    expect(details[0].valueDecoded.metadata).toMatchObject({ tid: traceId });
    expect(details[1]).toMatchObject({
      typeUrl: 'type.googleapis.com/google.rpc.RequestInfo',
      valueDecoded: { requestId: traceId, servingData: '' },
    });
  });

  it('have no trace in the status of a failed view after a submission (B-FLT-018)', async () => {
    const viewed = eventFormat([carol], byInterface(model('Asset'), { view: true }));
    const { events } = await api.transact(
      create(model('Coin'), { owner: carol, label: 'broken' }),
      { actAs: carol },
      transactionFormat('ACS_DELTA', viewed),
    );
    const [{ message, details }] = events.map(
      ({ CreatedEvent }: JsonAnswer) => CreatedEvent.interfaceViews[0].viewStatus,
    );
    expect(message).toContain('(9,0): ');
    expect(details[0].valueDecoded.metadata).not.toHaveProperty('tid');
  });

  it('return the witnesses among the requesting parties, and for any party all of them (B-FLT-015)', async () => {
    const witnesses = async (...parties: string[]) =>
      (await api.active(eventFormat(parties, byTemplate(model('Ticket')))))[0].witnessParties;
    expect(await witnesses(carol)).toEqual([carol]);
    expect(await witnesses()).toEqual([bob, carol].sort());
  });

  it('match exercises by their contract, and list its interfaces if views are requested (B-FLT-012, B-FLT-021, B-FLT-022)', async () => {
    const burnt = await api.create(model('Coin'), { owner: carol, label: 'x' }, { actAs: carol });
    const { updateId } = await api.submit(
      [exercise(model('Asset'), burnt, 'Burn'), create(model('Dummy'), { operator: carol })],
      { actAs: carol },
    );
    const read = async (shape: Shape, ...cumulative: unknown[]) => {
      const format = {
        includeTransactions: transactionFormat(shape, eventFormat([carol], ...cumulative)),
      };
      const { body } = await api.post('/v2/updates/update-by-id', {
        updateId,
        updateFormat: format,
      });
      return body.code ?? body.update.Transaction.value.events;
    };
    const [{ ExercisedEvent: plain }] = await read('LEDGER_EFFECTS', byTemplate(model('Coin')));
    expect(plain).toMatchObject({ choice: 'Burn', implementedInterfaces: [] });
    const viewed = byInterface(model('Asset'), { view: true });
    const [{ ExercisedEvent: effect }, ...more] = await read('LEDGER_EFFECTS', viewed);
    expect(more).toEqual([]);
    expect(effect.implementedInterfaces).toEqual([expect.stringMatching(/:Test:Asset$/)]);
    const [{ ArchivedEvent: delta }] = await read('ACS_DELTA', viewed);
    expect(delta).toEqual({
      offset: effect.offset,
      nodeId: 0,
      contractId: burnt,
      templateId: effect.templateId,
      witnessParties: [carol],
      packageName: 'model-tests',
      implementedInterfaces: effect.implementedInterfaces,
    }); // B-EVT-016
    expect(await read('LEDGER_EFFECTS', byTemplate(model('Nest')))).toBe('UPDATE_NOT_FOUND');
  });
});
