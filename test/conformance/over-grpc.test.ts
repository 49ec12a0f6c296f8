/**
 * Conformance: cases of the tool's that JSON answers otherwise, as it reads values by their types, always tells labels, and finds by
 * its paths what a request leaves out. Over gRPC they hold as they are; each is shown over JSON where its suite is.
 */
import { GrpcClient } from '../support/grpc/client.js';
import { buildDar } from '../support/daml/dar-builder.js';
import { e, u } from '../support/daml/lf-code.js';
import { encodePackage } from '../support/daml/lf-encoder.js';
import { t } from '../support/daml/lf-types.js';
import { keysPackage } from '../support/daml/keys-package.js';
import { useLedgerApi, useParties } from '../support/shared-ledger-api.js';
import { agreementsPackage } from './support/agreements.js';
import { conformancePackage } from './support/model.js';
import { paintPackage } from './support/paint.js';
import { conformanceSuite } from './support/suite.js';
import { viewsPackage } from './support/views.js';

const api = useLedgerApi({
  grpc: true,
  packages: [agreementsPackage, conformancePackage, keysPackage, paintPackage, viewsPackage],
  participants: [{ name: 'alpha' }, { name: 'beta' }],
});
const [alice, bank, owner] = useParties(api, 'alice', 'bank', 'owner');
const painter = api.canticle.participants[1]!.allocateParty('painter');
let alpha: GrpcClient;
let beta: GrpcClient;
beforeAll(async () => {
  alpha = await GrpcClient.connect(api.canticle.urls.grpc!);
  beta = await GrpcClient.connect(api.canticle.grpcApis['beta']!);
});
afterAll(() => [alpha, beta].forEach((each) => each.close()));

type Fields = Readonly<Record<string, object>>;
const party = (value: string) => ({ party: value });
const text = (value: string) => ({ text: value });
const id = (name: string) => {
  const [packageId, moduleName, entityName] = name.split(':');
  return { packageId, moduleName, entityName };
};
const record = (fields: Fields) => ({
  fields: Object.entries(fields).map(([label, value]) => ({ label, value })),
});
const creation = (template: string, fields: Fields) => ({
  create: { templateId: id(template), createArguments: record(fields) },
});
const exercise = (on: string, contractId: string, choice: string, fields: Fields = {}) => ({
  exercise: { templateId: id(on), contractId, choice, choiceArgument: { record: record(fields) } },
});

let commandIds = 0;
const commandsOf = (actAs: string, command: object, more: object = {}) => ({
  userId: 'tester',
  commandId: `command-${(commandIds += 1)}`,
  actAs: [actAs],
  commands: [command],
  ...more,
});
const formatFor = (parties: readonly string[], verbose = true, filters: object = {}) => ({
  filtersByParty: Object.fromEntries(parties.map((each) => [each, filters])),
  verbose,
});
const EFFECTS = 'TRANSACTION_SHAPE_LEDGER_EFFECTS';
const DELTA = 'TRANSACTION_SHAPE_ACS_DELTA';

/** The events of a command, as one who acts sees them. */
async function submit(
  to: GrpcClient,
  actAs: string,
  command: object,
  {
    transactionFormat,
    ...more
  }: { transactionFormat?: object; disclosedContracts?: object[] } = {},
): Promise<any[]> {
  const format = { eventFormat: formatFor([actAs]), transactionShape: EFFECTS };
  const { transaction } = await to.call('CommandService/SubmitAndWaitForTransaction', {
    commands: commandsOf(actAs, command, more),
    transactionFormat: transactionFormat ?? format,
  });
  return transaction.events;
}
const createdIn = (events: any[], entity: string): any => {
  const found = events.filter(({ created }) => created?.templateId.entityName === entity);
  expect(found).toHaveLength(1);
  return found[0].created;
};
const create = async (to: GrpcClient, actAs: string, template: string, fields: Fields) =>
  createdIn(await submit(to, actAs, creation(template, fields)), template.split(':')[2]!)
    .contractId;
async function transactions(eventFormat: object, transactionShape = DELTA): Promise<any[]> {
  const { offset } = await alpha.call('StateService/GetLedgerEnd');
  const updates = await alpha.stream('UpdateService/GetUpdates', {
    beginExclusive: '0',
    endInclusive: offset,
    updateFormat: { includeTransactions: { eventFormat, transactionShape } },
  });
  return updates.map(({ transaction }) => transaction.events);
}
async function active(eventFormat: object): Promise<any[]> {
  const { offset: activeAtOffset } = await alpha.call('StateService/GetLedgerEnd');
  const request = { activeAtOffset, eventFormat };
  const answers = await alpha.stream('StateService/GetActiveContracts', request);
  return answers.map(({ activeContract }) => activeContract.createdEvent);
}

const refused = (reason: string, message = '') => ({
  details: { ErrorInfo: { reason } },
  message: expect.stringMatching(message),
});
const unprocessed = (message: string) => ({
  message: expect.stringMatching(message),
  details: {
    ErrorInfo: {
      reason: 'COMMAND_PREPROCESSING_FAILED',
      metadata: expect.objectContaining({ definite_answer: 'false' }),
    },
  },
});
const DUMMY = '#model-tests:Test:Dummy';
const operator = party(alice);

conformanceSuite('UserManagementServiceUpdateRpcIT', {}, (reproduce) => {
  reproduce('InvalidUpdateRequestsUserFieldIsUnset', 'MISSING_FIELD user', async () => {
    await expect(
      alpha.call('admin.UserManagementService/UpdateUser', { updateMask: 'metadata' }),
    ).rejects.toMatchObject(refused('MISSING_FIELD', 'missing a mandatory field: user'));
  });
});

conformanceSuite('PartyManagementServiceUpdateRpcIT', {}, (reproduce) => {
  reproduce('FailingUpdateRequestsWhenPartyDetailsFieldIsUnset', 'MISSING_FIELD', async () => {
    const request = { updateMask: 'localMetadata' };
    await expect(
      alpha.call('admin.PartyManagementService/UpdatePartyDetails', request),
    ).rejects.toMatchObject(refused('MISSING_FIELD'));
  });
});

conformanceSuite('UserManagementServiceIT', {}, (reproduce) => {
  reproduce(
    'UserManagementGetUserInvalidArguments',
    'rejects a missing or invalid user id',
    async () => {
      const getUser = (userId: string) =>
        alpha.call('admin.UserManagementService/GetUser', { userId });
      await expect(getUser('')).rejects.toMatchObject(
        refused(
          'INVALID_TOKEN',
          'The submitted request is missing a user-id: requests with an empty user-id are only supported if there is an authenticated user',
        ),
      );
      await expect(getUser('?')).rejects.toMatchObject(refused('INVALID_FIELD', 'user_id'));
    },
  );
});

conformanceSuite('IdentityProviderConfigServiceIT', {}, (reproduce) => {
  const SERVICE = 'admin.IdentityProviderConfigService/';
  const config = (more: object = {}) => ({
    identityProviderId: 'idp',
    issuer: 'https://issuer.test',
    jwksUrl: 'http://daml.com/jwks.json',
    ...more,
  });
  const call = (method: string, request: object) => alpha.call(`${SERVICE}${method}`, request);

  reproduce('GetConfigInvalidArguments', 'MISSING_FIELD, INVALID_FIELD', async () => {
    const get = (identityProviderId: string) =>
      call('GetIdentityProviderConfig', { identityProviderId });
    await expect(get('')).rejects.toMatchObject(refused('MISSING_FIELD'));
    await expect(get('!@')).rejects.toMatchObject(refused('INVALID_FIELD'));
  });

  reproduce('DeleteConfigInvalidArguments', 'MISSING_FIELD, INVALID_FIELD', async () => {
    const remove = (identityProviderId: string) =>
      call('DeleteIdentityProviderConfig', { identityProviderId });
    await expect(remove('')).rejects.toMatchObject(refused('MISSING_FIELD'));
    await expect(remove('!@')).rejects.toMatchObject(refused('INVALID_FIELD'));
  });

  reproduce(
    'UpdateConfigInvalidArguments',
    'returns an error code for each invalid argument',
    async () => {
      const update = (identityProviderConfig: object | undefined, updateMask?: string) =>
        call('UpdateIdentityProviderConfig', {
          ...(identityProviderConfig && { identityProviderConfig }),
          ...(updateMask !== undefined && { updateMask }),
        });
      const tries: [object | undefined, string | undefined, string][] = [
        [config({ identityProviderId: '' }), 'isDeactivated', 'MISSING_FIELD'],
        [config({ identityProviderId: '!@' }), 'isDeactivated', 'INVALID_FIELD'],
        [config({ jwksUrl: 'url.com' }), 'isDeactivated', 'INVALID_FIELD'],
        [config(), undefined, 'MISSING_FIELD'],
        [undefined, undefined, 'MISSING_FIELD'],
      ];
      for (const [given, mask, reason] of tries)
        await expect(update(given, mask)).rejects.toMatchObject(refused(reason));
      await call('CreateIdentityProviderConfig', { identityProviderConfig: config() });
      await expect(update(config(), '')).rejects.toMatchObject(
        refused('INVALID_IDENTITY_PROVIDER_UPDATE_REQUEST'),
      );
    },
  );
});

conformanceSuite('PackageManagementServiceIT', {}, (reproduce) => {
  reproduce(
    'PMLoad',
    'accepts eight concurrent uploads of one package, which is then listed once and usable',
    async () => {
      const owners = e.list(t.party, [e.field(t.con('Main:Thing'), 'owner', e.var('this'))]);
      const main = encodePackage({
        name: 'loaded',
        modules: {
          Main: {
            templates: {
              Thing: {
                fields: { owner: t.party },
                signatories: owners,
                choices: {
                  Use: {
                    argument: t.unit,
                    returns: t.unit,
                    controllers: owners,
                    update: u.pure(t.unit, e.unit),
                  },
                },
              },
            },
          },
        },
      });
      const service = 'admin.PackageManagementService/';
      const darFile = Buffer.from(buildDar(main)).toString('base64');
      const upload = () => alpha.call(`${service}UploadDarFile`, { darFile });
      await Promise.all(Array.from({ length: 8 }, upload));
      const { packageDetails } = await alpha.call(`${service}ListKnownPackages`);
      const ids = packageDetails.map(({ packageId }: any) => packageId);
      expect(ids).toContain(main.id);
      expect(new Set(ids).size).toBe(ids.length);
      const thing = '#loaded:Main:Thing';
      const contractId = await create(alpha, alice, thing, { owner: party(alice) });
      expect(await active(formatFor([alice]))).toHaveLength(1);
      const { exercise: use } = exercise(thing, contractId, 'Use');
      await submit(alpha, alice, { exercise: { ...use, choiceArgument: { unit: {} } } });
      expect(await active(formatFor([alice]))).toEqual([]);
    },
  );
});

conformanceSuite('TimeServiceIT', {}, (reproduce) => {
  const time = async (): Promise<string> =>
    (await alpha.call('testing.TimeService/GetTime')).currentTime;

  reproduce('TSTimeIsStatic', 'the time does not change without a request', async () => {
    const before = await time();
    await new Promise((resolve) => setImmediate(resolve));
    expect(await time()).toBe(before);
  });

  reproduce('TSTimeCanBeAdvanced', 'sets the time to the requested one', async () => {
    const currentTime = await time();
    const newTime = new Date(Date.parse(currentTime) + 30_000).toISOString();
    await alpha.call('testing.TimeService/SetTime', { currentTime, newTime });
    expect(Date.parse(await time())).toBe(Date.parse(newTime));
  });
});

/** The event includes a view that one of two filters requests, without labels. */
async function duplicateInterfaceFilters(includeCreatedEventBlob: boolean): Promise<void> {
  const views = (entity: string) => `#conformance-views:Views:${entity}`;
  const ids: string[] = [];
  for (const at of ['1', '2', '3', '4'])
    ids.push(await create(alpha, alice, views(`T${at}`), { p: party(alice), a: { int64: at } }));
  const byInterface = (includeInterfaceView: boolean) => ({
    interfaceFilter: { interfaceId: id(views('I')), includeInterfaceView, includeCreatedEventBlob },
  });
  const byTemplate = { templateFilter: { templateId: id(views('T1')), includeCreatedEventBlob } };
  const cumulative = [byTemplate, byInterface(false), byInterface(true)];
  const format = formatFor([alice], false, { cumulative });
  const created = (await transactions(format)).flat().map((each) => each.created);
  expect(created.map(({ contractId }) => contractId)).toEqual(ids.slice(0, 3));
  for (const { createArguments, interfaceViews, createdEventBlob } of created) {
    expect(createArguments.fields.every(({ label }: any) => label === '')).toBe(true);
    expect(interfaceViews).toHaveLength(1);
    expect(createdEventBlob !== '').toBe(includeCreatedEventBlob);
  }
  const [{ viewValue }] = created[1].interfaceViews;
  expect(viewValue.fields).toHaveLength(2);
  expect(viewValue.fields.every(({ label }: any) => label === '')).toBe(true);
}

conformanceSuite('InterfaceSubscriptionsIT', {}, (reproduce) => {
  reproduce(
    'ISTransactionsDuplicateInterfaceFilters',
    'the view is present if one of two filters requests it',
    () => duplicateInterfaceFilters(false),
  );
});

conformanceSuite('InterfaceSubscriptionsWithEventBlobsIT', {}, (reproduce) => {
  reproduce(
    'ISWPTransactionsDuplicateInterfaceFilters',
    'the view is present if one of two filters requests it',
    () => duplicateInterfaceFilters(true),
  );
});

const labels = (events: any[]): string[] =>
  events.flatMap(({ createArguments }) => createArguments.fields.map(({ label }: any) => label));
const forAnyParty = (verbose: boolean) => ({ filtersForAnyParty: {}, verbose });

conformanceSuite('ActiveContractsServiceIT', {}, (reproduce) => {
  reproduce('ACSverbosity', 'fields have labels in the verbose format only', async () => {
    await create(alpha, alice, DUMMY, { operator });
    const verbose = await active(formatFor([alice]));
    const terse = await active(formatFor([alice], false));
    expect([labels(verbose), labels(terse)]).toEqual([['operator'], ['']]);
    const ofAlice = (events: any[]) => events.filter((each) => each.signatories.includes(alice));
    expect(ofAlice(await active(forAnyParty(true)))).toEqual(verbose);
    expect(ofAlice(await active(forAnyParty(false)))).toEqual(terse);
  });
});

conformanceSuite('TransactionServiceOutputsIT', {}, (reproduce) => {
  const NONES = '#agreements-tests:Agreements:TrailingNones';
  const given = { owner: party(alice), nonOpt: text('some') };

  reproduce('TXVerbosity', 'fields have labels in the verbose format only', async () => {
    await create(alpha, alice, DUMMY, { operator });
    for (const shape of [DELTA, EFFECTS]) {
      const of = async (verbose: boolean) =>
        labels(
          (await transactions(formatFor([alice], verbose), shape)).flat().map((x) => x.created),
        );
      expect([await of(true), await of(false)]).toEqual([['operator'], ['']]);
    }
  });

  reproduce('TXNonVerboseNoTrailingNones', 'omits trailing Nones, and labels', async () => {
    const contractId = await create(alpha, alice, NONES, given);
    const iface = '#agreements-tests:Agreements:TrailingNonesIface';
    const cumulative = [
      { templateFilter: { templateId: id(NONES) } },
      { interfaceFilter: { interfaceId: id(iface), includeInterfaceView: true } },
    ];
    const [created] = await active(formatFor([alice], false, { cumulative }));
    const unlabelled = (...values: object[]) => values.map((value) => ({ label: '', value }));
    expect(created.createArguments.fields).toEqual(unlabelled(party(alice), text('some')));
    expect(created.interfaceViews.map(({ viewValue }: any) => viewValue.fields)).toEqual([
      unlabelled(text('some')),
    ]);
    const populated = text('populated field');
    const [{ exercised }] = await submit(
      alpha,
      alice,
      exercise(NONES, contractId, 'ExerciseChoice', { nonOpt: populated, opt: { optional: {} } }),
      { transactionFormat: { eventFormat: formatFor([alice], false), transactionShape: EFFECTS } },
    );
    for (const value of [exercised.choiceArgument, exercised.exerciseResult])
      expect(value.record.fields).toEqual(unlabelled(populated));
  });
});

conformanceSuite('CommandSubmissionCompletionIT', {}, (reproduce) => {
  reproduce('CSCRefuseBadChoice', 'unknown choice', async () => {
    const contractId = await create(alpha, alice, DUMMY, { operator });
    const wrong = exercise(DUMMY, contractId, 'THIS_IS_NOT_A_VALID_CHOICE');
    await expect(
      alpha.call('CommandSubmissionService/Submit', { commands: commandsOf(alice, wrong) }),
    ).rejects.toMatchObject(unprocessed('unknown choice THIS_IS_NOT_A_VALID_CHOICE'));
  });
});

conformanceSuite('CommandServiceIT', {}, (reproduce) => {
  const createAndExercise = (more: object) => ({
    createAndExercise: {
      templateId: id(DUMMY),
      createArguments: record({ operator }),
      choice: 'Consume',
      choiceArgument: { record: record({}) },
      ...more,
    },
  });
  const waited = (command: object) =>
    alpha.call('CommandService/SubmitAndWait', { commands: commandsOf(alice, command) });

  reproduce('CSCreateAndBadExerciseArguments', 'mismatching type', async () => {
    await expect(
      waited(createAndExercise({ choiceArgument: { bool: false } })),
    ).rejects.toMatchObject(unprocessed('mismatching type'));
  });

  reproduce('CSCreateAndBadExerciseChoice', 'unknown choice', async () => {
    await expect(waited(createAndExercise({ choice: 'DoesNotExist' }))).rejects.toMatchObject(
      unprocessed('unknown choice DoesNotExist'),
    );
  });
});

conformanceSuite('SemanticTests', {}, (reproduce) => {
  const paint = (entity: string) => `#conformance-paint:Paint:${entity}`;
  const amount = { numeric: '1.0' };
  const iou = () =>
    create(alpha, bank, paint('Iou'), { payer: party(bank), owner: party(owner), amount });
  const offer = () =>
    create(beta, painter, paint('Offer'), {
      painter: party(painter),
      houseOwner: party(owner),
      obligor: party(bank),
      amount,
    });
  const expectAgreement = (events: any[]) =>
    expect(createdIn(events, 'Agreement').createArguments).toEqual({
      recordId: { packageId: paintPackage.id, moduleName: 'Paint', entityName: 'Agreement' },
      ...record({ painter: party(painter), houseOwner: party(owner) }),
    });

  reproduce('SemanticPaintOffer', 'accepting an offer creates an agreement', async () => {
    const [contractId, iouId] = [await offer(), await iou()];
    const accept = exercise(paint('Offer'), contractId, 'Accept', { iou: { contractId: iouId } });
    expectAgreement(await submit(alpha, owner, accept));
  });

  reproduce(
    'SemanticPaintCounterOffer',
    'accepting a counter-offer with the disclosed IOU creates an agreement',
    async () => {
      const iouId = await iou();
      const templateFilter = { templateId: id(paint('Iou')), includeCreatedEventBlob: true };
      const format = formatFor([owner], false, { cumulative: [{ templateFilter }] });
      const [[{ created }]] = (await transactions(format)) as any;
      const { templateId, contractId, createdEventBlob } = created;
      expect(contractId).toBe(iouId);
      const counter = exercise(paint('Offer'), await offer(), 'Counter', {
        iou: { contractId: iouId },
      });
      const countered = createdIn(await submit(alpha, owner, counter), 'CounterOffer').contractId;
      const accept = exercise(paint('CounterOffer'), countered, 'AcceptCounter');
      const disclosedContracts = [{ templateId, contractId, createdEventBlob }];
      expectAgreement(await submit(beta, painter, accept, { disclosedContracts }));
    },
  );
});

conformanceSuite('PrefetchContractKeysIT', {}, (reproduce) => {
  const keys = (entity: string) => `#key-tests:Keys:${entity}`;
  const make = creation(keys('Badge'), { owner: party(alice) });
  // A badge's key is a party, an account's is not.
  const prefetchContractKeys = [
    { templateId: id(`${keysPackage.id}:Keys:Account`), contractKey: party(alice) },
  ];

  reproduce('CSprefetchContractKeysWronglyTyped', 'mismatching type', async () => {
    const commands = commandsOf(alice, make, { prefetchContractKeys });
    await expect(alpha.call('CommandService/SubmitAndWait', { commands })).rejects.toMatchObject(
      refused('COMMAND_PREPROCESSING_FAILED', 'mismatching type'),
    );
  });

  reproduce('CSprefetchContractKeysPrepareWronglyTyped', 'mismatching type', async () => {
    const path = 'interactive.InteractiveSubmissionService/PrepareSubmission';
    const request = {
      ...commandsOf(alice, make, { prefetchContractKeys }),
      hashingSchemeVersion: 'HASHING_SCHEME_VERSION_V3',
    };
    await expect(alpha.call(path, request)).rejects.toMatchObject(
      refused('COMMAND_PREPROCESSING_FAILED', 'mismatching type'),
    );
  });
});

conformanceSuite('InterfaceIT', {}, (reproduce) => {
  const SHAPE = '#conformance:Test:Shape';
  reproduce(
    ['ExerciseInterfaceByTemplateFail', 'ExerciseInterfaceByRequiringFail'],
    'unknown choice',
    async (caseId) => {
      const contractId = await create(alpha, owner, SHAPE, { owner: party(owner) });
      const wrong = caseId.includes('Template') ? SHAPE : '#conformance:Turning:Rotatable';
      await expect(
        submit(alpha, owner, exercise(wrong, contractId, 'TurnOnly')),
      ).rejects.toMatchObject(unprocessed('unknown choice TurnOnly'));
    },
  );
});
