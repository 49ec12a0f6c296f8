/**
 * Refused commands over gRPC, without the JSON layer. The errors come from the participant's validator, its package selection and
 * its engine (B-GRPC-001 to B-GRPC-003).
 */
import { GrpcClient, type GrpcFault } from '../support/grpc/client.js';
import { useLedgerApi } from '../support/shared-ledger-api.js';

const api = useLedgerApi({ grpc: true });
let grpc: GrpcClient;
let alice: string;
let packageId: string;
beforeAll(async () => {
  grpc = await GrpcClient.connect(api.canticle.urls.grpc!);
  [alice] = (await api.parties('alice')) as [string];
  packageId = api.canticle.network.participants[0]!.packages.packageIdForName('model-tests')!;
});
afterAll(() => grpc.close());

const id = (entityName: string, more: object = {}) => ({
  packageId: '#model-tests',
  moduleName: 'Test',
  entityName,
  ...more,
});
const fields = (value: object, label = '') => ({ fields: [{ label, value }] });
const create = (more: object = {}) => ({
  create: {
    templateId: id('Dummy'),
    createArguments: fields({ party: alice }),
    ...more,
  },
});
const exercise = (more: object = {}) => ({
  exercise: {
    templateId: id('Dummy'),
    contractId: `00${'ab'.repeat(33)}`,
    choice: 'Clone',
    choiceArgument: { record: {} },
    ...more,
  },
});

const refusal = (attempt: Promise<unknown>): Promise<GrpcFault> =>
  attempt.then(
    (answer) => Promise.reject(new Error(`It was not refused: ${JSON.stringify(answer)}`)),
    (fault: GrpcFault) => fault,
  );

/** Code and text, without its prefix. */
async function refused(command: () => object, more: object = {}): Promise<[string, string]> {
  const commands = {
    userId: 'app',
    commandId: 'c',
    actAs: [alice],
    commands: [command()],
    ...more,
  };
  // Removes undefined members.
  const request = JSON.parse(JSON.stringify({ commands }));
  const { message, details } = await refusal(grpc.call('CommandService/SubmitAndWait', request));
  return [details['ErrorInfo'].reason, message.replace(/^\w+\(\d+,\w+\): /, '')];
}

const missing = (field: string) => [
  'MISSING_FIELD',
  `The submitted command is missing a mandatory field: ${field}`,
];
const invalidField = (text: string) => [
  'INVALID_FIELD',
  `The submitted command has a field with invalid value: Invalid field ${text}`,
];
const invalid = (text: string) => [
  'INVALID_ARGUMENT',
  `The submitted request has invalid arguments: ${text}`,
];

describe('rejects, before it checks packages,', () => {
  it.each<[string, () => object, readonly string[]]>([
    ['an empty command', () => ({}), missing('command')],
    ['a missing template', () => ({ create: {} }), missing('template_id')],
    [
      'a template without a module',
      () => create({ templateId: id('Dummy', { moduleName: '' }) }),
      invalidField('module_name: Expected a non-empty string'),
    ],
    [
      'a template without an entity',
      () => create({ templateId: id('') }),
      invalidField('entity_name: Expected a non-empty string'),
    ],
    [
      'a template without a package',
      () => create({ templateId: id('Dummy', { packageId: '' }) }),
      invalidField('package reference: Daml-LF Package ID is empty'),
    ],
    [
      'a module with a colon',
      () => create({ templateId: id('Dummy', { moduleName: 'A:B' }) }),
      invalidField('module_name: non expected non first character 0x3a in Daml-LF Name "A:B"'),
    ],
    [
      'missing arguments',
      () => create({ createArguments: undefined }),
      missing('create_arguments'),
    ],
    [
      'a field without a value',
      () => create({ createArguments: { fields: [{ label: 'operator' }] } }),
      missing('value'),
    ],
    [
      'a record id with a package name',
      () => create({ createArguments: { ...fields({ party: alice }), recordId: id('Dummy') } }),
      invalidField('package_id: non expected character 0x23 in Daml-LF Package ID "#model-tests"'),
    ],
    [
      'an invalid field of an unknown template',
      () => create({ templateId: id('Nobody'), createArguments: fields({ party: '!' }) }),
      invalid('non expected character 0x21 in Daml-LF Party "!"'),
    ],
    ['a missing contract id', () => exercise({ contractId: '' }), missing('contract_id')],
    [
      'an invalid contract id',
      () => exercise({ contractId: 'abc' }),
      invalidField('contract_id: cannot parse ContractId "abc"'),
    ],
    ['a missing choice', () => exercise({ choice: '' }), missing('choice')],
    [
      'an invalid choice',
      () => exercise({ choice: '9' }),
      invalidField('choice: non expected first character 0x39 in Daml-LF Name "9"'),
    ],
    ['a missing argument', () => exercise({ choiceArgument: undefined }), missing('value')],
    [
      'a missing key',
      () => ({ exerciseByKey: { templateId: id('Dummy'), choice: 'Clone' } }),
      missing('contract_key'),
    ],
  ])('%s', async (_, command, expected) => {
    expect(await refused(command)).toEqual(expected);
  });

  it.each<[string, object, readonly string[]]>([
    ['an empty list of commands', { commands: [] }, missing('commands')],
    ['an empty list of parties', { actAs: [] }, missing('party or act_as')],
    ['a missing command id', { commandId: '' }, missing('command_id')],
    [
      'an invalid party',
      { actAs: ['!'] },
      invalid('non expected character 0x21 in Daml-LF Party "!"'),
    ],
    [
      'a preference for an unknown package',
      { packageIdSelectionPreference: ['a'.repeat(64)] },
      invalid(`user-specified pkg id (${'a'.repeat(64)}) could not be found`),
    ],
    [
      'a preference that is not a package id',
      { packageIdSelectionPreference: ['#'] },
      invalid(
        'package_id_selection_preference parsing failed with `non expected character 0x23 in Daml-LF Package ID "#"`. The package_id_selection_preference field must contain non-empty and valid package ids',
      ),
    ],
    ['a key without a template', { prefetchContractKeys: [{}] }, missing('template_id')],
    [
      'a key without a value',
      { prefetchContractKeys: [{ templateId: id('Dummy') }] },
      missing('contract_key'),
    ],
    [
      'a prefetched key with a limit of 0',
      { prefetchContractKeys: [{ templateId: id('Dummy'), contractKey: { unit: {} }, limit: 0 }] },
      invalid('limit must be a positive integer, but got 0'),
    ],
    [
      'an empty disclosed contract',
      { disclosedContracts: [{}] },
      missing('DisclosedContract.createdEventBlob'),
    ],
  ])('%s', async (_, more, expected) => {
    expect(await refused(create, more)).toEqual(expected);
  });
});

describe('rejects, after it checks packages,', () => {
  const failed = (text: string) => ['COMMAND_PREPROCESSING_FAILED', text];
  it.each<[string, () => object, () => readonly string[]]>([
    [
      'an unknown template',
      () => create({ templateId: id('Nobody') }),
      () => failed(`unknown template ${packageId}:Test:Nobody`),
    ],
    [
      'an unknown module',
      () => create({ templateId: id('Dummy', { moduleName: 'Nowhere' }) }),
      () =>
        failed(
          `unknown module ${packageId}:Nowhere while looking for template ${packageId}:Nowhere:Dummy`,
        ),
    ],
    [
      'an unknown package',
      () => create({ templateId: id('Dummy', { packageId: 'abc' }) }),
      () => [
        'PACKAGE_NOT_FOUND',
        "Couldn't find package abc while looking for template or interface abc:Test:Dummy",
      ],
    ],
    [
      'an unknown choice',
      () => exercise({ choice: 'Nothing' }),
      () => failed(`unknown choice Nothing in template ${packageId}:Test:Dummy`),
    ],
    [
      'a choice of an unknown template',
      () => exercise({ templateId: id('Nobody') }),
      () => failed(`unknown template or interface ${packageId}:Test:Nobody`),
    ],
    [
      'a key of a template without a key',
      () => ({
        exerciseByKey: {
          templateId: id('Dummy'),
          contractKey: { unit: {} },
          choice: 'Clone',
          choiceArgument: { record: {} },
        },
      }),
      () => failed(`unknown template without contract key ${packageId}:Test:Dummy.`),
    ],
  ])('%s', async (_, command, expected) => {
    expect(await refused(command)).toEqual(expected());
  });

  it('a package name without a vetted package', async () => {
    const [code, text] = await refused(() =>
      create({ templateId: id('Dummy', { packageId: '#nowhere' }) }),
    );
    expect(code).toBe('PACKAGE_SELECTION_FAILED');
    expect(text).toMatch(
      /^No synchronizers satisfy the topology requirements for the submitted command: Discarded synchronizers: \n\t\S+: Failed to select package-id for package-name 'nowhere' appearing in a command root node due to: No package with package-name 'nowhere' is consistently vetted/,
    );
  });
});

it('reports an invalid command before a fault that depends on packages', async () => {
  const commands = [create({ templateId: id('Nobody') }), {}];
  expect(await refused(create, { commands })).toEqual(missing('command'));
});

describe('unknown enum numbers', () => {
  const eventFormat = () => ({ filtersByParty: { [alice]: {} } });

  it('are reported for a transaction shape', async () => {
    const transactionFormat = { eventFormat: eventFormat(), transactionShape: 7 };
    const commands = { userId: 'app', commandId: 'shape', actAs: [alice], commands: [create()] };
    const request = { commands, transactionFormat };
    const fault = await refusal(grpc.call('CommandService/SubmitAndWaitForTransaction', request));
    expect(fault.message).toMatch(/transaction_shape is defined with invalid value 7$/);
  });

  it('are reported for a vetting change, before the DAR is read', async () => {
    const request = { darFile: '', vettingChange: 7 };
    const { details } = await refusal(
      grpc.call('admin.PackageManagementService/UploadDarFile', request),
    );
    expect(details['ErrorInfo']).toMatchObject({
      reason: 'PROTO_DESERIALIZATION_FAILURE',
      metadata: { participant: 'sandbox', reason: 'UnrecognizedEnum(vetting_change,7,List())' },
    });
  });
});

it('an error about a page of updates has the participant name in quotes', async () => {
  const request = { beginOffsetExclusive: 0, maxPageSize: -1 };
  const { details } = await refusal(grpc.call('UpdateService/GetUpdatesPage', request));
  expect(details['ErrorInfo'].metadata.participant).toBe("'sandbox'");
});
