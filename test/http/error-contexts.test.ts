/** The context of an error about its call: the participant, the submission, and the refusing component. */
import { type Canticle, startCanticle } from 'canticle';
import { multiSync } from '../../src/cli/index.js';
import { modelPackage } from '../support/daml/model-package.js';
import { TestClient } from '../support/client.js';
import {
  byTemplate,
  create,
  eventFormat,
  exercise,
  LedgerApi,
  startLedgerApi,
  transactionFormat,
  wildcard,
  type Submit,
  type JsonAnswer,
} from '../support/ledger-api.js';

const DUMMY = '#model-tests:Test:Dummy';
const WITH_OBSERVERS = '#model-tests:Test:WithObservers';
const NOWHERE = `00${'ab'.repeat(32)}ca121220${'cd'.repeat(32)}`;
const SUBMIT = '/v2/commands/submit-and-wait';
const TRACE = /^[0-9a-f]{32}$/;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

let api: LedgerApi;
let alice: string;
let bob: string;
beforeEach(async () => {
  api = await startLedgerApi();
  [alice, bob] = await api.parties('alice', 'bob');
});
afterEach(() => api.client.close());

const name = () => api.canticle.participant.engine.name;
/** Of the synchronizer, as it is printed. */
const psid = () => api.canticle.network.synchronizers[0]!.printedId;
/** The members of a context that not every error has. */
function ownIn({ context }: JsonAnswer): Record<string, string> {
  const { definite_answer: _answer, category: _category, tid: _tid, ...own } = context;
  return own;
}
const refused = async (path: string, body?: unknown): Promise<JsonAnswer> =>
  (await api.post(path, body)).body;
const got = async (path: string): Promise<JsonAnswer> =>
  (await api.client.ledger('GET', path)).body;
const submitted = (command: unknown, options: Partial<Submit> = {}): Promise<JsonAnswer> =>
  refused(SUBMIT, api.commands(command, { actAs: alice, commandId: 'c', ...options }));
const unknownContract = (options: Partial<Submit> = {}): Promise<JsonAnswer> =>
  submitted(exercise(DUMMY, NOWHERE, 'Clone'), options);

describe('an error of the interpreter', () => {
  it('has the command, and the submission id as its correlation id (B-ERR-029, B-ERR-030)', async () => {
    const error = await unknownContract();
    expect(error).toMatchObject({
      code: 'CONTRACT_NOT_FOUND',
      traceId: expect.stringMatching(TRACE),
    });
    expect(error.correlationId).toMatch(UUID);
    const { commands, ...rest } = ownIn(error);
    expect(rest).toEqual({ participant: `'${name()}'` });
    const [before, after] = commands!.split(/submittedAt: '[-0-9T:.]+Z', /);
    expect(before).toBe("{readAs: [], deduplicationPeriod: {duration: 'PT168H'}, ");
    expect(after).toBe(
      `submissionId: '${error.correlationId}', actAs: ['${alice}'], commandId: 'c', userId: 'tester', workflowId: }`,
    );
  });

  it('has the metadata of the submission (B-ERR-030)', async () => {
    const { context } = await unknownContract({
      actAs: [bob, alice],
      readAs: [alice, bob, alice],
      submissionId: 'sub',
      workflowId: 'flow',
      deduplicationPeriod: { DeduplicationDuration: { value: { seconds: 61, nanos: 5000 } } },
    });
    expect(context.commands).toMatch(
      "{readAs: [], deduplicationPeriod: {duration: 'PT1M1.000005S'}",
    );
    expect(context.commands).toMatch(`submissionId: 'sub', actAs: ['${bob}', '${alice}']`);
    expect(context.commands).toMatch(/workflowId: 'flow'\}$/);
    const reading = await unknownContract({ readAs: [alice, bob] });
    expect(reading.context.commands).toMatch(`{readAs: ['${bob}'], `);
  });

  it.each([
    [0, '{offset: }'],
    [3, '{offset: 3}'],
  ])('has a deduplication period that begins at offset %s (B-ERR-030)', async (value, shown) => {
    const { context } = await unknownContract({
      deduplicationPeriod: { DeduplicationOffset: { value } },
    });
    expect(context.commands).toMatch(`deduplicationPeriod: ${shown}, `);
  });

  it('has neither an id nor a deduplication period for a prepared submission (B-ERR-029, B-ERR-030)', async () => {
    const prepare = (command: unknown, commandId = 'p') =>
      refused('/v2/interactive-submission/prepare', {
        commands: [command],
        commandId,
        userId: 'tester',
        actAs: [alice],
        synchronizerId: '',
        packageIdSelectionPreference: [],
      });
    const error = await prepare(exercise(DUMMY, NOWHERE, 'Clone'));
    expect(error).toMatchObject({ code: 'CONTRACT_NOT_FOUND', correlationId: null });
    expect(error.context.commands).toMatch("deduplicationPeriod: {duration: 'PT0S'}, ");
    expect(error.context.commands).toMatch('submissionId: , ');
    const invalid = await prepare(create(DUMMY, { operator: alice }), '!'.repeat(300));
    expect(invalid).toMatchObject({ code: 'INVALID_FIELD', correlationId: null });
    expect(ownIn(invalid)).toEqual({ participant: `'${name()}'` });
  });
});

describe('an error of a submission from another component', () => {
  it('has a correlation id and no metadata, if validation rejects it (B-ERR-029)', async () => {
    const error = await submitted([]);
    expect(error).toMatchObject({
      code: 'MISSING_FIELD',
      correlationId: expect.stringMatching(UUID),
    });
    expect(ownIn(error)).toEqual({ participant: `'${name()}'`, field_name: 'commands' });
    expect(await submitted([], { submissionId: 'mine' })).toMatchObject({ correlationId: 'mine' });
  });

  it('has a trace id and no correlation id, if the topology rejects it before interpretation (B-ERR-029)', async () => {
    const error = await submitted(create(DUMMY, { operator: alice }), {
      synchronizerId: `other::${'1220'.padEnd(68, 'a')}`,
    });
    expect(error).toMatchObject({
      code: 'INVALID_PRESCRIBED_SYNCHRONIZER_ID',
      correlationId: null,
      traceId: expect.stringMatching(TRACE),
      context: { participant: name() },
    });
  });

  it('has only its code and cause, if routing rejects it after interpretation (B-ERR-036)', async () => {
    const stranger = `stranger::${'1220'.padEnd(68, 'a')}`;
    const error = await submitted(create(DUMMY, { operator: alice }), { actAs: [alice, stranger] });
    expect(error).toMatchObject({
      code: 'UNKNOWN_SUBMITTERS',
      correlationId: null,
      traceId: null,
      context: { definite_answer: 'false', category: '11' },
      resources: [],
    });
    expect(ownIn(error)).toEqual({});
  });

  it('names unknown informees (B-ERR-036)', async () => {
    const observer = `stranger::${'1220'.padEnd(68, 'a')}`;
    const error = await submitted(create(WITH_OBSERVERS, { giver: alice, observers: [observer] }));
    expect(error).toMatchObject({ code: 'UNKNOWN_INFORMEES', correlationId: null });
    expect(error.traceId).toMatch(TRACE);
    expect(ownIn(error)).toEqual({
      participant: name(),
      unknownInformees: `Set(${observer})`,
    });
  });

  it('names the synchronizer of a duplicate, in the completion too (B-ERR-031)', async () => {
    const command = create(DUMMY, { operator: alice });
    await api.submit(command, { actAs: alice, commandId: 'once' });
    const end = await api.ledgerEnd();
    const error = await submitted(command, { commandId: 'once' });
    expect(error).toMatchObject({
      code: 'DUPLICATE_COMMAND',
      correlationId: null,
      context: { participant: name(), psid: psid() },
    });
    const [{ completionResponse }] = await api.ok('/v2/commands/command-completions?limit=1', {
      beginExclusive: end,
    });
    const { status, traceContext } = completionResponse.Completion.value;
    const [info, request] = status.details;
    expect(info.valueDecoded.metadata).toEqual(error.context);
    expect(request.valueDecoded.requestId).toBe(error.traceId);
    expect(traceContext.traceparent.split('-')[1]).toBe(error.traceId);
  });

  it('has no ids if it is unexpected (B-ERR-037)', async () => {
    const error = await submitted(create(DUMMY, { operator: alice }), {
      deduplicationPeriod: { DeduplicationDuration: { value: { seconds: 1, nanos: 1 } } },
    });
    expect(error).toMatchObject({ code: 'NA', correlationId: null, traceId: null });
  });
});

describe('an error of a verdict', () => {
  const archivedBefore = async () => {
    const contractId = await api.create(DUMMY, { operator: alice }, { actAs: alice });
    const [event] = await api.active(eventFormat([alice], wildcard(true)));
    await api.submit(exercise(DUMMY, contractId, 'Archive'), { actAs: alice });
    const { createdEventBlob, templateId } = event;
    return submitted(exercise(DUMMY, contractId, 'Clone'), {
      disclosedContracts: [{ contractId, createdEventBlob, templateId, synchronizerId: '' }],
    });
  };

  it('names the reporting participant and the recipient (B-ERR-031)', async () => {
    const error = await archivedBefore();
    const { id } = api.canticle.participant.engine;
    expect(error).toMatchObject({
      code: 'LOCAL_VERDICT_INACTIVE_CONTRACTS',
      correlationId: null,
      traceId: expect.stringMatching(TRACE),
    });
    expect(ownIn(error)).toEqual({
      participant: name(),
      CONTRACT_ID: expect.stringMatching(/^List\(00[0-9a-f]+\)$/),
      psid: psid(),
      reported_by_participant_id: `PAR::${id}`,
      confirming_parties: `${alice}, ${id}`,
    });
  });
});

describe('errors of reads', () => {
  it('have the filters of a valid request for active contracts (B-ERR-034)', async () => {
    const activeAtOffset = (await api.ledgerEnd()) + 1;
    const format = eventFormat([bob, alice], byTemplate(DUMMY, true), wildcard(true));
    const error = await refused('/v2/state/active-contracts', {
      activeAtOffset,
      eventFormat: format,
    });
    const filter = `{templates: ['${DUMMY}'], interfaces: [], all-templates, created_event_blob: true}`;
    expect(ownIn(error)).toEqual({
      participant: `'${name()}'`,
      filters: `{${bob}: ${filter}, ${alice}: ${filter}}`,
    });
    const page = await refused('/v2/state/active-contracts-page', {
      activeAtOffset,
      eventFormat: eventFormat([], wildcard()),
    });
    expect(ownIn(page)).toEqual({
      participant: `'${name()}'`,
      filters:
        '{anyParty: {templates: [], interfaces: [], all-templates, created_event_blob: false}}',
      maxPageSize: '2000',
      activeAtOffset: String(activeAtOffset),
    });
    const invalid = await refused('/v2/state/active-contracts', {
      activeAtOffset: -1,
      eventFormat: format,
    });
    expect(ownIn(invalid)).toEqual({ participant: name() });
  });

  it('have the package id of a package request (B-ERR-039)', async () => {
    for (const path of ['', '/status'])
      expect(ownIn(await got(`/v2/packages/a!${path}`))).toEqual({
        participant: `'${name()}'`,
        packageId: "'a!'",
      });
  });

  it.each([
    ['/v2/updates', { beginExclusive: -1, updateFormat: {} }, 'quoted'],
    ['/v2/updates/update-by-offset', { offset: -1, updateFormat: {} }, 'quoted'],
    ['/v2/updates/update-by-offset', { offset: 1, updateFormat: {} }, 'quoted'],
    ['/v2/updates/update-by-id', { updateId: '', updateFormat: {} }, 'quoted'],
    ['/v2/updates/update-by-id', { updateId: `1220${'ab'.repeat(32)}`, updateFormat: {} }, 'plain'],
    ['/v2/commands/completions', { userId: 'u', parties: [], beginExclusive: 0 }, 'quoted'],
    ['/v2/commands/completions', { userId: '', parties: [], beginExclusive: 0 }, 'plain'],
    ['/v2/contracts/contract-by-id', { contractId: NOWHERE }, 'plain'],
    ['/v2/events/events-by-contract-id', { contractId: '' }, 'plain'],
  ])(
    "of %s %j have the participant in the format of the service's log (B-ERR-028)",
    async (path, body, form) => {
      const { context } = await refused(path, body);
      expect(context.participant).toBe(form === 'quoted' ? `'${name()}'` : name());
    },
  );

  it('have no trace for the result of a submission with an invalid format (B-ERR-038)', async () => {
    const commands = api.commands(create(DUMMY, { operator: alice }), { actAs: alice });
    const error = await refused('/v2/commands/submit-and-wait-for-transaction', {
      commands,
      transactionFormat: transactionFormat(
        'ACS_DELTA',
        eventFormat([alice], byTemplate('#nope:A:B')),
      ),
    });
    expect(error).toMatchObject({
      code: 'PACKAGE_NAMES_NOT_FOUND',
      correlationId: null,
      traceId: null,
    });
    expect(error.context).toEqual({
      participant: name(),
      definite_answer: 'false',
      category: '11',
    });
  });
});

describe('errors of administration', () => {
  it('have a submission id for user changes (B-ERR-032)', async () => {
    const user = { id: 'tester', identityProviderId: '' };
    await api.ok('/v2/users', { user, rights: [] });
    const ids = new Set<string>();
    for (let i = 0; i < 2; i++) {
      const error = await refused('/v2/users', { user, rights: [] });
      expect(error).toMatchObject({ code: 'USER_ALREADY_EXISTS', correlationId: null });
      const { submissionId, ...rest } = ownIn(error);
      expect(rest).toEqual({ participant: `'${name()}'` });
      ids.add(/^'(.*)'$/.exec(submissionId!)![1]!);
    }
    expect(ids.size).toBe(2);
    for (const id of ids) expect(id).toMatch(UUID);
    expect(ownIn(await got('/v2/users/nobody'))).toEqual({ participant: `'${name()}'` });
  });

  it('list the parties of the request (B-ERR-033)', async () => {
    expect(ownIn(await got(`/v2/parties/a!?parties=${encodeURIComponent(bob)}`))).toEqual({
      participant: `'${name()}'`,
      parties: `['a!', '${bob}']`,
    });
    expect(ownIn(await refused('/v2/parties', { partyIdHint: 'a!' }))).toEqual({
      participant: `'${name()}'`,
      parties: "['a!']",
    });
  });

  it('have the id of the party allocation as correlation id, once it exists (B-ERR-033)', async () => {
    const error = await refused('/v2/parties', { partyIdHint: 'alice' });
    expect(error.correlationId).toMatch(/^1220[0-9a-f]{64}$/);
    expect(ownIn(error)).toEqual({
      participant: `'${name()}'`,
      parties: "['alice']",
      submissionId: `'${error.correlationId}'`,
    });
    // The id is that of the party, however often it is asked for.
    const again = await refused('/v2/parties', { partyIdHint: 'alice' });
    expect(again.correlationId).toBe(error.correlationId);
    const other = await refused('/v2/parties', { partyIdHint: 'bob' });
    expect(other.correlationId).not.toBe(error.correlationId);
  });

  it('have the synchronizer of the request if it is not connected (B-ERR-033)', async () => {
    const synchronizerId = `other::${'1220'.padEnd(68, 'a')}`;
    const error = await refused('/v2/parties', { partyIdHint: 'carol', synchronizerId });
    expect(error).toMatchObject({ code: 'NOT_CONNECTED_TO_SYNCHRONIZER', correlationId: null });
    expect(ownIn(error)).toEqual({ participant: name(), synchronizer: synchronizerId });
  });
});

describe('with several participants, a verdict', () => {
  let canticle: Canticle;
  beforeEach(async () => {
    canticle = await startCanticle({ ...multiSync(0), seed: 1, packages: [modelPackage] });
  });
  afterEach(() => canticle.close());
  const at = (who: string) =>
    new LedgerApi(
      new TestClient(Object.create(canticle, { url: { value: canticle.ledgerApis[who] } }), {}),
    );

  it('comes from the host of a stakeholder, for a submission of another participant (B-ERR-031)', async () => {
    const [here, there] = [at('sandbox'), at('pebblebox')];
    const owner = canticle.participants[0]!.allocateParty('owner');
    const reader = canticle.participants[1]!.allocateParty('reader');
    const args = { giver: owner, observers: [] };
    const contractId = await here.create(WITH_OBSERVERS, args, { actAs: owner });
    const [{ createdEventBlob, templateId }] = await here.active(
      eventFormat([owner], wildcard(true)),
    );
    await here.submit(exercise(WITH_OBSERVERS, contractId, 'Archive'), { actAs: owner });
    const { body } = await there.post(
      SUBMIT,
      there.commands(exercise(WITH_OBSERVERS, contractId, 'Take', { actor: reader }), {
        actAs: reader,
        disclosedContracts: [{ contractId, createdEventBlob, templateId, synchronizerId: '' }],
      }),
    );
    expect(body).toMatchObject({
      context: {
        participant: 'pebblebox',
        reported_by_participant_id: `PAR::${canticle.participants[0]!.engine.id}`,
        confirming_parties: owner,
      },
    });
  });

  it('never comes from a host of observers only (B-ERR-031)', async () => {
    await canticle.close();
    canticle = await startCanticle({
      seed: 1,
      packages: [modelPackage],
      participants: [{ name: 'first' }, { name: 'second' }, { name: 'third' }],
    });
    const [seen, owner, reader] = canticle.participants.map((each) => each.allocateParty('party'));
    const [second, third] = [at('second'), at('third')];
    const args = { giver: owner, observers: [seen] };
    const contractId = await second.create(WITH_OBSERVERS, args, { actAs: owner! });
    const [{ createdEventBlob }] = await second.active(eventFormat([owner!], wildcard(true)));
    await second.submit(exercise(WITH_OBSERVERS, contractId, 'Archive'), { actAs: owner! });
    const { body } = await third.post(
      SUBMIT,
      third.commands(exercise(WITH_OBSERVERS, contractId, 'Take', { actor: reader }), {
        actAs: reader!,
        disclosedContracts: [{ createdEventBlob }],
      }),
    );
    expect(body.context).toMatchObject({
      reported_by_participant_id: `PAR::${canticle.participants[1]!.engine.id}`,
      confirming_parties: owner,
    });
  });
});
