/**
 * Which error wins for a command. The order is that of Canton 3.5. First the body, then the JSON layer's packages and values, and
 * the fields one by one (B-CMD-015). Then the submitter's hosting, preprocessing, interpretation, routing and confirmation.
 */
import {
  ACCEPTED,
  days,
  expectOrder,
  NOWHERE,
  SNOWMAN,
  UNKNOWN_CONTRACT,
  type Row,
} from '../../../support/error-order.js';
import { create, exercise, type JsonAnswer } from '../../../support/ledger-api.js';
import { WithParam, model } from '../../../support/daml/model-package.js';
import { useLedgerApi, useParties } from '../../../support/shared-ledger-api.js';

const api = useLedgerApi({
  synchronizers: [{ alias: 'global', identifier: 'global-domain' }, { alias: 'app' }],
});
const [alice, bob] = useParties(api, 'alice', 'bob');
const [global, app] = api.canticle.network.synchronizers.map(({ id }) => id) as [string, string];
const NOBODY = `nobody::1220${'0'.repeat(64)}`;

const SUBMIT = '/v2/commands/submit-and-wait';

const AHEAD: Row = [
  'LOCAL_VERDICT_LEDGER_TIME_OUT_OF_BOUND',
  'a ledger time an hour ahead',
  (it) => (it.minLedgerTimeRel = null),
];

/** The faults of fields that every submission has, in the order of validation up to the commands. */
const FIELDS: readonly Row[] = [
  ['INVALID_TOKEN', 'no user', (it) => (it.userId = SNOWMAN)],
  ['INVALID_ARGUMENT', 'the workflow id', (it) => (it.workflowId = 'flow')],
  ['INVALID_FIELD', 'the user id', (it) => (it.userId = 'tester')],
  ['MISSING_FIELD', 'no command id', (it) => (it.commandId = SNOWMAN)],
  ['INVALID_FIELD', 'the command id', (it) => (it.commandId = 'command')],
  ['INVALID_FIELD', 'the submission id', (it) => (it.submissionId = 'submission')],
  ['INVALID_ARGUMENT', 'a party that reads', (it) => (it.readAs = [bob])],
];

/** The faults of fields behind the commands. */
const LATER_FIELDS: readonly Row[] = [
  ['INVALID_ARGUMENT', 'two ledger times', (it) => (it.minLedgerTimeAbs = null)],
  ['INVALID_FIELD', 'a negative period', (it) => (it.deduplicationPeriod = days(3000 * 365))],
  ['MISSING_FIELD', 'a disclosure without a blob', (it) => (it.disclosedContracts = [])],
];

/** A submission with every fault that any submission can have. */
const faulty = (command: unknown): JsonAnswer => ({
  commands: [command],
  commandId: '',
  userId: '',
  actAs: [],
  readAs: ['❄'],
  workflowId: SNOWMAN,
  submissionId: SNOWMAN,
  synchronizerId: 'no-namespace',
  minLedgerTimeAbs: '2026-01-01T00:00:00Z',
  minLedgerTimeRel: { seconds: 3600, nanos: 0 },
  deduplicationPeriod: days(-1),
  disclosedContracts: [{ createdEventBlob: '' }],
  packageIdSelectionPreference: [SNOWMAN],
  tapsMaxPasses: 0,
});

const payload = (request: JsonAnswer) => request.commands[0].CreateCommand;

describe('a create by package name', () => {
  it("has its errors in the participant's order", async () => {
    const command = create('#no-colons', { operator: SNOWMAN, note: 1, number: '-1' });
    await expectOrder(api, SUBMIT, faulty(command), [
      [
        'plain text',
        'a template id of one part',
        (it) => (payload(it).templateId = '#unknown:Test:Nothing'),
      ],
      ['MISSING_FIELD', 'nobody who acts', (it) => (it.actAs = [SNOWMAN])],
      ['INVALID_ARGUMENT', 'a party that acts', (it) => (it.actAs = [NOBODY])],
      [
        'INVALID_ARGUMENT',
        'the form of a preference',
        (it) => (it.packageIdSelectionPreference = ['unknown']),
      ],
      [
        'JSON_API_PACKAGE_SELECTION_FAILED',
        'an unknown preference',
        (it) => (it.packageIdSelectionPreference = []),
      ],
      ['INVALID_FIELD', 'the form of the synchronizer id', (it) => (it.synchronizerId = NOWHERE)],
      [
        'PACKAGE_NAMES_NOT_FOUND',
        'an unknown package name',
        (it) => (payload(it).templateId = model('Nothing')),
      ],
      [
        'INVALID_PRESCRIBED_SYNCHRONIZER_ID',
        'an unknown synchronizer',
        (it) => (it.synchronizerId = global),
      ],
      ['UNKNOWN_INFORMEES', 'an unknown submitter', (it) => (it.actAs = [alice])],
      [
        'TEMPLATES_OR_INTERFACES_NOT_FOUND',
        'an unknown template',
        (it) => (payload(it).templateId = model('WithParam')),
      ],
      [
        'LEDGER_API_INTERNAL_ERROR',
        'a number for a text',
        (it) => delete payload(it).createArguments.note,
      ],
      ...FIELDS,
      [
        'INVALID_ARGUMENT',
        'the form of a party in the payload',
        (it) => (payload(it).createArguments.operator = NOBODY),
      ],
      ...LATER_FIELDS,
      ['INVALID_ARGUMENT', 'no passes', (it) => (it.tapsMaxPasses = 1)],
      [
        'TEMPLATE_PRECONDITION_VIOLATED',
        'the ensure clause',
        (it) => (payload(it).createArguments.number = '1'),
      ],
      [
        'DAML_AUTHORIZATION_ERROR',
        'a missing signatory',
        (it) => (payload(it).createArguments.operator = alice),
      ],
      [
        'INVALID_DEDUPLICATION_PERIOD',
        'a period of three thousand years',
        (it) => (it.deduplicationPeriod = days(1)),
      ],
      AHEAD,
      ACCEPTED,
    ]);
  });
});

describe('a create by package id', () => {
  it("has its errors in the participant's order", async () => {
    const command = create(`${SNOWMAN}:Test:Nothing`, { giver: '', observers: [NOBODY] });
    const malformed = `${'0'.repeat(64)}:9:WithObservers`;
    const unknown = `${'0'.repeat(64)}:Test:WithObservers`;
    const known = `${WithParam.id.split(':')[0]}:Test:WithObservers`;
    await expectOrder(api, SUBMIT, faulty(command), [
      ['MISSING_FIELD', 'nobody who acts', (it) => (it.actAs = [NOBODY])],
      [
        'INVALID_ARGUMENT',
        'the form of a preference',
        (it) => (it.packageIdSelectionPreference = ['unknown']),
      ],
      [
        'INVALID_ARGUMENT',
        'the form of the package id',
        (it) => (payload(it).templateId = malformed),
      ],
      ['INVALID_ARGUMENT', 'the form of the module', (it) => (payload(it).templateId = unknown)],
      [
        'TEMPLATES_OR_INTERFACES_NOT_FOUND',
        'an unknown package',
        (it) => (payload(it).templateId = known),
      ],
      ...FIELDS,
      ['INVALID_FIELD', 'the form of the synchronizer id', (it) => (it.synchronizerId = NOWHERE)],
      [
        'INVALID_ARGUMENT',
        'a party in the payload',
        (it) => (payload(it).createArguments.giver = alice),
      ],
      ...LATER_FIELDS,
      ['INVALID_ARGUMENT', 'an unknown preference', (it) => (it.packageIdSelectionPreference = [])],
      ['INVALID_ARGUMENT', 'no passes', (it) => (it.tapsMaxPasses = 9)],
      [
        'INVALID_PRESCRIBED_SYNCHRONIZER_ID',
        'an unknown synchronizer',
        (it) => (it.synchronizerId = app),
      ],
      ['UNKNOWN_SUBMITTERS', 'an unknown submitter', (it) => (it.actAs = [bob])],
      ['DAML_AUTHORIZATION_ERROR', 'a missing signatory', (it) => (it.actAs = [alice])],
      [
        'UNKNOWN_INFORMEES',
        'an unknown observer',
        (it) => (payload(it).createArguments.observers = [bob]),
      ],
      [
        'INVALID_DEDUPLICATION_PERIOD',
        'a period of three thousand years',
        (it) => (it.deduplicationPeriod = null),
      ],
      AHEAD,
      ACCEPTED,
    ]);
  });
});

describe('an exercise', () => {
  it("has its errors in the participant's order", async () => {
    const contractId = await api.create(
      model('WithParam'),
      { operator: alice, number: '1' },
      { actAs: alice },
    );
    const other = await api.create(model('Dummy'), { operator: alice }, { actAs: alice });
    const command = exercise(model('WithParam'), SNOWMAN, 'No thing', { number: 1 });
    const it_ = (request: JsonAnswer) => request.commands[0].ExerciseCommand;
    const request = {
      ...faulty(command),
      actAs: [bob],
      synchronizerId: null,
      packageIdSelectionPreference: [],
      tapsMaxPasses: null,
    };
    await expectOrder(api, SUBMIT, request, [
      ['INVALID_ARGUMENT', 'the form of the choice', (it) => (it_(it).choice = 'Nothing')],
      ['INVALID_ARGUMENT', 'an unknown choice', (it) => (it_(it).choice = 'Set')],
      [
        'LEDGER_API_INTERNAL_ERROR',
        'a number for an Int64',
        (it) => (it_(it).choiceArgument.number = 'many'),
      ],
      [
        'INVALID_ARGUMENT',
        'a text that is no Int64',
        (it) => (it_(it).choiceArgument.number = '-2'),
      ],
      ...FIELDS,
      [
        'INVALID_FIELD',
        'the form of the contract id',
        (it) => (it_(it).contractId = UNKNOWN_CONTRACT.slice(0, 66)),
      ],
      ...LATER_FIELDS,
      [
        'COMMAND_PREPROCESSING_FAILED',
        'a contract id without suffix',
        (it) => (it_(it).contractId = UNKNOWN_CONTRACT),
      ],
      ['CONTRACT_NOT_FOUND', 'an unknown contract', (it) => (it_(it).contractId = other)],
      ['CONTRACT_NOT_FOUND', 'a contract that is not seen', (it) => (it.readAs = [alice])],
      [
        'WRONGLY_TYPED_CONTRACT',
        'a contract of another template',
        (it) => (it_(it).contractId = contractId),
      ],
      ['DAML_AUTHORIZATION_ERROR', 'a missing controller', (it) => (it.actAs = [alice])],
      [
        'TEMPLATE_PRECONDITION_VIOLATED',
        'what the choice creates',
        (it) => (it_(it).choiceArgument.number = '2'),
      ],
      [
        'INVALID_DEDUPLICATION_PERIOD',
        'a period of three thousand years',
        (it) => (it.deduplicationPeriod = null),
      ],
      AHEAD,
      ACCEPTED,
    ]);
  });

  it("of a contract in flight has its errors in the participant's order", async () => {
    const { participant } = api.canticle;
    const contractId = await api.create(
      model('Dummy'),
      { operator: alice },
      { actAs: alice, synchronizerId: global },
    );
    const reassignmentId = participant.unassign(contractId, { to: 'app' });
    await expectOrder(
      api,
      SUBMIT,
      api.commands(exercise(model('Dummy'), contractId, 'Look'), { actAs: bob, readAs: [alice] }),
      [
        ['DAML_AUTHORIZATION_ERROR', 'a missing controller', (it) => (it.actAs = [alice])],
        [
          'UNKNOWN_CONTRACT_SYNCHRONIZERS',
          'a contract in flight',
          () => participant.assign(reassignmentId),
        ],
        ACCEPTED,
      ],
    );
  });
});

describe('a create-and-exercise', () => {
  it("has its errors in the participant's order", async () => {
    const command = {
      CreateAndExerciseCommand: {
        templateId: model('WithParam'),
        createArguments: { operator: SNOWMAN, number: 'x' },
        choice: 'Nothing',
        choiceArgument: { number: 'y' },
      },
    };
    const it_ = (request: JsonAnswer) => request.commands[0].CreateAndExerciseCommand;
    await expectOrder(api, SUBMIT, api.commands(command, { actAs: bob, commandId: '' }), [
      [
        'INVALID_ARGUMENT',
        'an Int64 in the payload',
        (it) => (it_(it).createArguments.number = '-1'),
      ],
      ['INVALID_ARGUMENT', 'an unknown choice', (it) => (it_(it).choice = 'Set')],
      [
        'INVALID_ARGUMENT',
        'an Int64 in the argument',
        (it) => (it_(it).choiceArgument.number = '-7'),
      ],
      ['MISSING_FIELD', 'no command id', (it) => (it.commandId = 'command')],
      [
        'INVALID_ARGUMENT',
        'a party in the payload',
        (it) => (it_(it).createArguments.operator = alice),
      ],
      [
        'TEMPLATE_PRECONDITION_VIOLATED',
        'the ensure clause',
        (it) => (it_(it).createArguments.number = '1'),
      ],
      ['DAML_AUTHORIZATION_ERROR', 'a missing signatory', (it) => (it.actAs = [alice])],
      [
        'TEMPLATE_PRECONDITION_VIOLATED',
        'what the choice creates',
        (it) => (it_(it).choiceArgument.number = '2'),
      ],
      ACCEPTED,
    ]);
  });
});

describe('several commands', () => {
  it('are parsed as JSON, then validated, then preprocessed, each in turn', async () => {
    const commands = [
      exercise(model('Dummy'), UNKNOWN_CONTRACT.slice(0, 66), 'Look'),
      create(model('Dummy'), { operator: SNOWMAN }),
      create(model('Dummy'), {}),
    ];
    await expectOrder(api, SUBMIT, api.commands(commands, { actAs: [alice, '❄'] }), [
      ['COMMAND_PREPROCESSING_FAILED', "the third one's JSON", (it) => it.commands.pop()],
      ['INVALID_ARGUMENT', 'another party that acts', (it) => it.actAs.pop()],
      ['INVALID_ARGUMENT', "the second one's party", (it) => it.commands.pop()],
      ['COMMAND_PREPROCESSING_FAILED', "the first one's contract id", (it) => it.commands.pop()],
      [
        'MISSING_FIELD',
        'no command left',
        (it) => it.commands.push(create(model('Dummy'), { operator: alice })),
      ],
      ACCEPTED,
    ]);
  });
});

describe('a reassignment', () => {
  it("has its errors in the participant's order, for one command after another", async () => {
    const assign = { reassignmentId: '01', source: '', target: '' };
    const unassign = {
      contractId: SNOWMAN,
      source: SNOWMAN,
      target: NOWHERE,
    };
    const request = {
      reassignmentCommands: {
        submitter: SNOWMAN,
        userId: '',
        commandId: SNOWMAN,
        submissionId: SNOWMAN,
        workflowId: SNOWMAN,
        commands: [
          { command: { AssignCommand: { value: assign } } },
          { command: { UnassignCommand: { value: unassign } } },
          {},
        ],
      },
    };
    const of = (mend: (it: JsonAnswer) => unknown) => (it: JsonAnswer) =>
      mend(it.reassignmentCommands);
    await expectOrder(api, '/v2/commands/submit-and-wait-for-reassignment', request, [
      ['INVALID_TOKEN', 'no user', of((it) => (it.userId = SNOWMAN))],
      ['INVALID_FIELD', 'the submitter', of((it) => (it.submitter = alice))],
      ['INVALID_FIELD', 'the user id', of((it) => (it.userId = 'tester'))],
      ['INVALID_FIELD', 'the command id', of((it) => (it.commandId = 'move'))],
      ['INVALID_FIELD', 'the submission id', of((it) => (it.submissionId = ''))],
      ['INVALID_FIELD', 'the workflow id', of((it) => (it.workflowId = ''))],
      ['MISSING_FIELD', 'no source', () => (assign.source = global)],
      ['MISSING_FIELD', 'no target', () => (assign.target = 'nowhere')],
      ['INVALID_FIELD', 'the target', () => (assign.target = app)],
      [
        'INVALID_FIELD',
        'the reassignment id',
        () => (assign.reassignmentId = `001220${'0'.repeat(64)}`),
      ],
      ['INVALID_FIELD', 'the second source', () => (unassign.source = global)],
      ['INVALID_FIELD', 'the contract id', () => (unassign.contractId = UNKNOWN_CONTRACT)],
      ['MISSING_FIELD', 'no third command', of((it) => it.commands.pop())],
      ['INVALID_ARGUMENT', 'a mixed batch', of((it) => it.commands.shift())],
      ['INVALID_ARGUMENT', 'an unknown target', () => (unassign.target = app)],
      ['INVALID_ARGUMENT', 'an unknown contract', () => undefined],
    ]);
  });
});
