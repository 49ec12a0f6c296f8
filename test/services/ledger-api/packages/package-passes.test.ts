/** Which version of a package a command by name gets, where participants have vetted different ones (B-PSL-006, B-PSL-007). */
import { addPackages } from '../../../../src/network/index.js';
import { d, defineInterface, definePackage, defineTemplate } from 'canticle';
import {
  create,
  eventFormat,
  exercise,
  startLedgerApi,
  wildcard,
  type LedgerApi,
} from '../../../support/ledger-api.js';

/** Version 2 adds a field. A note is shared with one observer; publishing it creates a notice of another package for everyone. */
function notes(major: 1 | 2) {
  const fields = { owner: d.party, observer: d.party };
  const more = { topic: d.optional(d.text) } as object;
  return definePackage({
    name: 'notes',
    version: `${major}.0.0`,
    templates: [
      defineTemplate({
        name: 'Main:Note',
        fields: major === 2 ? { ...fields, ...more } : fields,
        signatories: ({ owner }) => [owner],
        observers: ({ observer }) => [observer],
        choices: (choice) => ({
          Read: choice({
            consuming: false,
            argument: { reader: d.party },
            result: d.text,
            controllers: (_payload, { reader }) => [reader],
            run: (_update, { payload }) => `version ${major} of ${Object.keys(payload).join(', ')}`,
          }),
        }),
      }),
    ],
  });
}

const [v1, v2] = [notes(1), notes(2)];
const Diary = defineTemplate({
  name: 'Main:Diary',
  fields: { owner: d.party },
  signatories: ({ owner }) => [owner],
  choices: (choice) => ({
    Share: choice({
      consuming: false,
      argument: { observer: d.party },
      result: d.contractId(),
      controllers: ({ owner }) => [owner],
      run: (update, { payload }, { observer }) =>
        update.create(
          { id: '#notes:Main:Note' } as never,
          { owner: payload.owner, observer } as never,
        ),
    }),
  }),
});
const diaries = definePackage({ name: 'diaries', version: '1.0.0', templates: [Diary] });

let api: LedgerApi;
let owner: string;
let observer: string;
beforeEach(async () => {
  api = await startLedgerApi({ participants: [{ name: 'new' }, { name: 'old' }] });
  const [first, second] = api.canticle.participants;
  addPackages(first!.engine, [v1, v2, diaries]);
  addPackages(second!.engine, [v1]);
  owner = first!.allocateParty('owner');
  observer = second!.allocateParty('observer');
});
afterEach(() => api.client.close());

const noteFor = (party: string, more: object = {}) =>
  create('#notes:Main:Note', { owner, observer: party, ...more });
const versionsIn = async (command: object): Promise<string[]> => {
  const { events } = await api.transact(command, { actAs: owner });
  return events.map(({ CreatedEvent }: any) => CreatedEvent.templateId.split(':')[0]);
};

it('is the highest if all involved participants have vetted it', async () => {
  expect(await versionsIn(noteFor(owner))).toEqual([v2.id]);
});

it('is lower if a participant has vetted only a lower version', async () => {
  expect(await versionsIn(noteFor(observer))).toEqual([v1.id]);
  addPackages(api.canticle.participants[1]!.engine, [v2]);
  expect(await versionsIn(noteFor(observer))).toEqual([v2.id]);
});

/** As the preprocessor of commands reads labelled records (refinement.ValueTranslator). */
describe('converts the arguments to the selected version', () => {
  const answerTo = async (command: unknown) => {
    const { body } = await api.post(
      '/v2/commands/submit-and-wait',
      api.commands(command, { actAs: owner }),
    );
    return [body.code, body.cause];
  };
  const both = (lower: object, higher: object) => {
    const made = ([lower, higher] as const).map((fields, index) =>
      definePackage({
        name: 'memos',
        version: `${index + 1}.0.0`,
        templates: [
          defineTemplate({
            name: 'Main:Memo',
            fields: { ...fields, owner: d.party, observer: d.party } as {
              owner: typeof d.party;
              observer: typeof d.party;
            },
            signatories: ({ owner }) => [owner],
            observers: ({ observer }) => [observer],
          }),
        ],
      }),
    );
    const [first, second] = api.canticle.participants;
    addPackages(first!.engine, made);
    addPackages(second!.engine, [made[0]!]);
    return (more: object) => create('#memos:Main:Memo', { owner, observer, ...more });
  };

  it('by field names, in any order', async () => {
    const memo = both(
      { a: d.text, b: d.numeric(2), c: d.optional(d.text) },
      { b: d.numeric(10), a: d.text },
    );
    const { events } = await api.transact(memo({ a: 'a', b: '1.25' }), { actAs: owner });
    expect(events[0].CreatedEvent.createArgument).toEqual({
      a: 'a',
      b: '1.25',
      c: null,
      owner,
      observer,
    });
  });

  it.each<[string, object, object, object, string]>([
    [
      'a field would lose its value',
      {},
      { n: d.optional(d.text) },
      { n: 'x' },
      'An optional contract field ("n") with a value of Some may not be dropped during downgrading.',
    ],
    [
      'a field with a value is removed',
      {},
      { n: d.int64 },
      { n: '1' },
      'Found non-optional extra field "n", cannot remove for downgrading.',
    ],
    [
      'a field is missing',
      { n: d.int64 },
      {},
      {},
      'Missing non-optional field "n", cannot upgrade non-optional fields.',
    ],
    [
      'a field has another type',
      { n: d.text },
      { n: d.record('Main:N', { i: d.int64, o: d.optional(d.text) }) },
      { n: { i: '1' } },
      'mismatching type: Text and value: Record(None,ImmArray((Some(i),Int64(1)),(Some(o),Optional(None))))',
    ],
    [
      'decimals would be lost',
      { n: d.numeric(2) },
      { n: d.numeric(10) },
      { n: '1.255' },
      'Cannot represent 1.255 as (Numeric 2) without loss of precision',
    ],
  ])('and rejects them if %s', async (_what, lower, higher, payload, cause) => {
    expect(await answerTo(both(lower, higher)(payload))).toEqual([
      'COMMAND_PREPROCESSING_FAILED',
      cause,
    ]);
  });
});

describe('converts an exercise to a lower version that the observer has vetted', () => {
  /** An album with a key, or without; version 2 has covers as well. */
  const albums = (major: 1 | 2, isKeyed: boolean) => {
    const shared = {
      fields: { owner: d.party, observer: d.party },
      signatories: ({ owner }: { owner: string }) => [owner],
      observers: ({ observer: party }: { observer: string }) => [party],
    };
    const Album = defineTemplate({
      name: 'Main:Album',
      fields: { owner: d.party },
      signatories: ({ owner }) => [owner],
      ...(isKeyed && {
        key: {
          type: d.party,
          of: (it: { owner: string }) => it.owner,
          maintainers: (party: string) => [party],
        },
      }),
      choices: (choice) => ({
        Publish: choice({
          consuming: false,
          argument: { to: d.party },
          result: d.contractId(),
          controllers: ({ owner }) => [owner],
          run: (update, { payload }, { to }) =>
            update.create(
              { id: '#albums:Main:Page' } as never,
              { ...payload, observer: to } as never,
            ),
        }),
      }),
    });
    const Page = defineTemplate({ name: 'Main:Page', ...shared });
    const Cover = defineTemplate({ name: 'Main:Cover', ...shared });
    const templates = major === 1 ? [Album, Page] : [Album, Page, Cover];
    return definePackage({ name: 'albums', version: `${major}.0.0`, templates });
  };
  const publish = () => ({
    ExerciseByKeyCommand: {
      templateId: '#albums:Main:Album',
      contractKey: owner,
      choice: 'Publish',
      choiceArgument: { to: observer },
    },
  });
  const set = async (isKeyedFirst: boolean) => {
    const [lower, higher] = [albums(1, isKeyedFirst), albums(2, true)] as const;
    const [first, second] = api.canticle.participants;
    addPackages(first!.engine, [lower, higher]);
    addPackages(second!.engine, [lower]);
    await api.submit(create('#albums:Main:Album', { owner }), { actAs: owner });
    return lower;
  };

  it('with its key', async () => {
    const lower = await set(true);
    expect(await versionsIn(publish())).toEqual([lower.id]);
  });

  it('and rejects it if the lower version has no key, or no such template', async () => {
    await set(false);
    expect(await api.submitRefusal(publish(), { actAs: owner })).toBe(
      'COMMAND_PREPROCESSING_FAILED',
    );
    const cover = create('#albums:Main:Cover', { owner, observer });
    expect(await api.submitRefusal(cover, { actAs: owner })).toBe('COMMAND_PREPROCESSING_FAILED');
  });
});

/** A choice of an interface, which the observer sees. */
function seen() {
  const Seen = defineInterface({
    name: 'Main:Seen',
    view: d.record('Main:SeenView', {}),
    choices: (choice) => ({
      Look: choice({
        consuming: false,
        argument: { owner: d.party, observer: d.party },
        result: d.text,
        controllers: (_contract, { owner }) => [owner],
        observers: (_contract, { observer }) => [observer],
        run: () => 'seen',
      }),
    }),
  });
  const Thing = defineTemplate({
    name: 'Main:Thing',
    fields: { owner: d.party },
    signatories: ({ owner }) => [owner],
    implements: (implement) => [implement(Seen, { view: () => ({}) })],
  });
  const [interfaces, things] = [
    definePackage({ name: 'seen', version: '1.0.0', interfaces: [Seen] }),
    definePackage({ name: 'things', version: '1.0.0', templates: [Thing] }),
  ];
  return { interfaces, things };
}

it('does not replace a package that only code refers to, and reports it if no version matches (B-PSL-018)', async () => {
  const { interfaces, things } = seen();
  const [first, second] = api.canticle.participants;
  addPackages(first!.engine, [interfaces!, things!]);
  const thing = await api.create('#things:Main:Thing', { owner }, { actAs: owner });
  const look = () => exercise(`${interfaces!.id}:Main:Seen`, thing, 'Look', { owner, observer });
  const answer = async () =>
    (await api.post('/v2/commands/submit-and-wait', api.commands(look(), { actAs: owner }))).body;
  expect(await answer()).toMatchObject({
    code: 'UNRESOLVED_PACKAGE_NAME',
    cause: expect.stringMatching(/failed package name resolution: things$/),
  });
  addPackages(second!.engine, [interfaces!, things!]);
  expect(await api.submitRefusal(look(), { actAs: owner })).toBe('accepted');
});

it('is rejected if the request prefers or names the unvetted version', async () => {
  const preference = { packageIdSelectionPreference: [v2.id] };
  expect(await api.submitRefusal(noteFor(observer), { actAs: owner, ...preference })).toBe(
    'PACKAGE_SELECTION_FAILED',
  );
  const byId = create(`${v2.id}:Main:Note`, { owner, observer });
  expect(await api.submitRefusal(byId, { actAs: owner })).toBe('NO_SYNCHRONIZER_FOR_SUBMISSION');
});

describe("has the participant's errors (SystematicTopologyAwareUpgradingIntegrationTest)", () => {
  const cut = (hash: string) => (hash.length > 12 ? `${hash.slice(0, 12)}...` : hash);
  const cutId = (id: string) =>
    id.replace(/::.*/, (fingerprint) => `::${cut(fingerprint.slice(2))}`);
  const answerTo = async (command: unknown, more: object = {}) => {
    const request = api.commands(command, { actAs: owner, ...more });
    const { body } = await api.post('/v2/commands/submit-and-wait', request);
    // The cause includes all lines of the message.
    return { ...body, cause: body.cause.replace(/^\w+\(\d+,\w+\): /, '') };
  };
  const place = () => `${cutId(api.canticle.network.synchronizers[0]!.id)}::35-0`;
  const oldHost = () => cutId(api.canticle.participants[1]!.engine.id);
  const unknown = () =>
    `Some packages are not known to all informees on synchronizer ${place()}\nParticipant PAR::${oldHost()} has not vetted ${cut(v2.id)}`;

  it('for packages that no participant on the synchronizer has vetted', async () => {
    const byId = create(`${v2.id}:Main:Note`, { owner, observer });
    expect(await answerTo(byId)).toMatchObject({
      code: 'NO_SYNCHRONIZER_FOR_SUBMISSION',
      cause: `No valid synchronizer for submission found. Discarded synchronizers: ${place()}: ${unknown()}`,
      // The last pass returns only the code and the cause.
      context: { category: '9' },
    });
    const { id } = api.canticle.network.synchronizers[0]!;
    expect(await answerTo(byId, { synchronizerId: id })).toMatchObject({
      code: 'INVALID_PRESCRIBED_SYNCHRONIZER_ID',
      cause: `Cannot submit transaction to prescribed synchronizer \`${cutId(id)}\` because: ${unknown()}`,
      context: { category: '9' },
    });
  });

  it('for a command without a possible version', async () => {
    const insisting = { packageIdSelectionPreference: [v2.id] };
    expect(await answerTo(noteFor(observer), insisting)).toMatchObject({
      code: 'PACKAGE_SELECTION_FAILED',
      cause:
        `No synchronizers satisfy the topology requirements for the submitted command: Discarded synchronizers: \n\t${place()}: ` +
        `Failed to select package-id for package-name 'notes' appearing in a command root node due to: No vetted package candidate satisfies ` +
        `the package-id filter 'Commands.package_id_selection_preference'=notes -> ${cut(v2.id)}.\nCandidates: ${cut(v1.id)}`,
    });
  });

  it('for a preference request, with the participants that have not vetted', async () => {
    const { body } = await api.post('/v2/interactive-submission/preferred-packages', {
      packageVettingRequirements: [{ packageName: 'diaries', parties: [observer] }],
    });
    expect(body).toMatchObject({
      code: 'NO_PREFERRED_PACKAGES_FOUND',
      cause:
        'Failed to compute package preferences. Reason: No synchronizer satisfies the vetting requirements. Discarded synchronizers: ' +
        `List((${place()},No package with package-name 'diaries' is consistently vetted by all hosting participants of party ${cutId(observer)}.))`,
    });
  });
});

it('requires a second pass, up to the allowed number', async () => {
  const once = { actAs: owner, tapsMaxPasses: 1 };
  expect(await api.submitRefusal(noteFor(observer), once)).toBe('NO_SYNCHRONIZER_FOR_SUBMISSION');
  expect(await api.submitRefusal(noteFor(observer), { ...once, tapsMaxPasses: 2 })).toBe(
    'accepted',
  );
});

it('is required only for participants that see this part of the transaction', async () => {
  // The observer has not vetted the diaries' package, and does not see the diary.
  const [created] = (await api.transact(create('#diaries:Main:Diary', { owner }), { actAs: owner }))
    .events;
  const { contractId } = created.CreatedEvent;
  const share = exercise('#diaries:Main:Diary', contractId, 'Share', { observer });
  expect(await versionsIn(share)).toEqual([v1.id]);
});

/** Upstream UpgradeTest, "with creation package unavailable", and CreationPackageUnvettingUpgradingIntegrationTest. */
describe('a disclosed contract of a version that a participant lacks', () => {
  let reader: string;
  beforeEach(() => {
    reader = api.canticle.participants[1]!.allocateParty('reader');
  });

  async function read(path: string, reference: string, note: object = {}) {
    const contractId = await api.create(
      `${v2.id}:Main:Note`,
      { owner, observer: owner, ...note },
      { actAs: owner },
    );
    const [{ createdEventBlob }] = await api.active(eventFormat([owner], wildcard(true)));
    const commands = {
      commands: [exercise(reference, contractId, 'Read', { reader })],
      commandId: 'read',
      userId: 'participant_admin',
      actAs: [reader],
      disclosedContracts: [{ createdEventBlob }],
    };
    const more = path.endsWith('prepare')
      ? { synchronizerId: '', packageIdSelectionPreference: [] }
      : {};
    const request = {
      method: 'POST',
      path: `/participants/old/v2/${path}`,
      body: { ...commands, ...more },
    };
    const answer = await api.canticle.handle(request);
    return { status: answer.status, body: answer.json() };
  }

  it.each(['#notes:Main:Note', `${v1.id}:Main:Note`])(
    'is converted to the version of %s',
    async (reference) => {
      expect(await read('commands/submit-and-wait', reference)).toMatchObject({ status: 200 });
    },
  );

  it('is prepared for external parties in that version', async () => {
    expect(await read('interactive-submission/prepare', '#notes:Main:Note')).toMatchObject({
      status: 200,
      body: { preparedTransaction: expect.any(String) },
    });
  });

  it('is rejected if it has additional data', async () => {
    const { body } = await read('commands/submit-and-wait', '#notes:Main:Note', { topic: 'x' });
    expect(body).toMatchObject({
      code: 'INTERPRETATION_UPGRADE_ERROR_TRANSLATION_FAILED',
      cause: expect.stringContaining(
        'Found an optional contract field with a value of Some at index 2, may not be dropped during downgrading.',
      ),
    });
  });
});
