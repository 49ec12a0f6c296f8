/** Which error wins for disclosed contracts, reassignments and reads. For commands see precedence.test.ts. */
import {
  ACCEPTED,
  days,
  expectOrder,
  NOWHERE,
  SNOWMAN,
  UNKNOWN_CONTRACT,
} from '../../../support/error-order.js';
import {
  byInterface,
  byTemplate,
  create,
  eventFormat,
  exercise,
  transactionFormat,
  wildcard,
  type JsonAnswer,
} from '../../../support/ledger-api.js';
import { Delegated, Dummy, model } from '../../../support/daml/model-package.js';
import { useLedgerApi, useParties } from '../../../support/shared-ledger-api.js';

const api = useLedgerApi({
  synchronizers: [{ alias: 'global', identifier: 'global-domain' }, { alias: 'app' }],
});
const [alice, bob] = useParties(api, 'alice', 'bob');
const [global, app] = api.canticle.network.synchronizers.map(({ id }) => id) as [string, string];

const SUBMIT = '/v2/commands/submit-and-wait';

describe('a disclosed contract', () => {
  it("has its errors in the participant's order", async () => {
    const owned = (synchronizerId: string) =>
      api.create(model('Delegated'), { owner: alice }, { actAs: alice, synchronizerId });
    const [delegated, other] = [await owned(global), await owned(global)];
    const active = await api.active(eventFormat([alice], wildcard(true)));
    const blobs = active.map(
      ({ createdEventBlob }: { createdEventBlob: string }) => createdEventBlob,
    );
    const delegation = await api.create(
      model('Delegation'),
      { owner: alice, delegate: bob },
      { actAs: alice, synchronizerId: global },
    );
    const tampered = Buffer.from(blobs[0], 'base64');
    tampered.write(bob.slice(0, 3), tampered.indexOf(alice.slice(0, 3)));
    const salted = Buffer.from(blobs[0], 'base64');
    salted[salted.length - 3]! ^= 1;
    const command = exercise(model('Delegation'), delegation, 'FetchDelegated', { delegated });
    const disclosed = {
      contractId: SNOWMAN,
      templateId: Dummy.id,
      synchronizerId: 'no-namespace',
      createdEventBlob: Buffer.from('foo').toString('base64'),
    };
    const it_ = (request: JsonAnswer) => request.disclosedContracts[0];
    const request = api.commands(command, {
      actAs: bob,
      synchronizerId: global,
      disclosedContracts: [disclosed],
      packageIdSelectionPreference: [],
      deduplicationPeriod: days(-1),
    });
    await expectOrder(api, SUBMIT, request, [
      ['INVALID_FIELD', 'a negative period', (it) => (it.deduplicationPeriod = null)],
      ['INVALID_FIELD', 'the form of the contract id', (it) => (it_(it).contractId = other)],
      ['INVALID_FIELD', 'the form of the synchronizer id', (it) => (it_(it).synchronizerId = app)],
      [
        'INVALID_ARGUMENT',
        'bytes that are no contract',
        (it) => (it_(it).createdEventBlob = tampered.toString('base64')),
      ],
      [
        'INVALID_ARGUMENT',
        'another contract id (B-DSC-004)',
        (it) => (it_(it).contractId = delegated),
      ],
      [
        'INVALID_ARGUMENT',
        'another template id (B-DSC-004)',
        (it) => (it_(it).templateId = Delegated.id),
      ],
      [
        'INTERPRETATION_UPGRADE_ERROR_VALIDATION_FAILED',
        'stakeholders who are not those of the argument (B-DSC-007)',
        (it) => (it_(it).createdEventBlob = salted.toString('base64')),
      ],
      [
        'INTERPRETATION_UPGRADE_ERROR_AUTHENTICATION_FAILED',
        'contents that are not those of the id (B-DSC-007)',
        (it) => (it_(it).createdEventBlob = blobs[0]),
      ],
      [
        'PRESCRIBED_SYNCHRONIZER_ID_MISMATCH',
        'another synchronizer than the command (B-DSC-011)',
        (it) => (it.synchronizerId = null),
      ],
      [
        'SUBMITTER_ALWAYS_STAKEHOLDER',
        'a synchronizer where it is not, and who acts may not move it',
        (it) => (it_(it).synchronizerId = global),
      ],
      ACCEPTED,
    ]);
  });
});

describe('a reassignment', () => {
  it("has its errors in the participant's order", async () => {
    const contractId = await api.create(
      model('Dummy'),
      { operator: alice },
      { actAs: alice, synchronizerId: global },
    );
    const unassign = { contractId: SNOWMAN, source: '', target: 'no-namespace' };
    const request = {
      eventFormat: {},
      reassignmentCommands: {
        submitter: SNOWMAN,
        userId: '',
        commandId: SNOWMAN,
        submissionId: SNOWMAN,
        workflowId: SNOWMAN,
        commands: [{}],
      },
    };
    const it_ = (request: JsonAnswer) => request.reassignmentCommands;
    await expectOrder(api, '/v2/commands/submit-and-wait-for-reassignment', request, [
      ['INVALID_TOKEN', 'no user', (it) => (it_(it).userId = SNOWMAN)],
      ['INVALID_ARGUMENT', 'an empty event format', (it) => (it.eventFormat = null)],
      ['INVALID_FIELD', 'the submitter', (it) => (it_(it).submitter = bob)],
      ['INVALID_FIELD', 'the user id', (it) => (it_(it).userId = 'tester')],
      ['INVALID_FIELD', 'the command id', (it) => (it_(it).commandId = 'command')],
      ['INVALID_FIELD', 'the submission id', (it) => (it_(it).submissionId = '')],
      ['INVALID_FIELD', 'the workflow id', (it) => (it_(it).workflowId = '')],
      [
        'MISSING_FIELD',
        'a command that is none',
        (it) => (it_(it).commands[0].command = { UnassignCommand: { value: unassign } }),
      ],
      ['MISSING_FIELD', 'no source', () => (unassign.source = NOWHERE)],
      ['INVALID_FIELD', 'the form of the target', () => (unassign.target = `else${NOWHERE}`)],
      [
        'INVALID_FIELD',
        'the form of the contract id',
        () => (unassign.contractId = UNKNOWN_CONTRACT),
      ],
      ['INVALID_ARGUMENT', 'an unknown source', () => (unassign.source = global)],
      ['INVALID_ARGUMENT', 'an unknown target', () => (unassign.target = global)],
      ['INVALID_ARGUMENT', 'a target that is the source', () => (unassign.target = app)],
      ['INVALID_ARGUMENT', 'an unknown contract', () => (unassign.contractId = contractId)],
      ['INVALID_ARGUMENT', 'a submitter without a stake', (it) => (it_(it).submitter = alice)],
      ACCEPTED,
    ]);
  });
});

describe('reads', () => {
  const badly = (entry: unknown) => ({ filtersByParty: { [SNOWMAN]: { cumulative: [entry] } } });

  it("of updates have their errors in the participant's order (B-UPD-003 to B-UPD-009, B-UPD-025, R-34-039)", async () => {
    for (let i = 0; i < 3; i++)
      await api.submit(create(model('Dummy'), { operator: alice }), { actAs: alice });
    const end = await api.ledgerEnd();
    api.canticle.participant.engine.prune(2);
    const format = transactionFormat('ACS_DELTA', {});
    const known = () =>
      eventFormat([alice], byTemplate(model('Dummy')), byInterface(model('Asset')));
    const request = {
      beginExclusive: -1,
      endInclusive: null as number | null,
      descendingOrder: true,
      filter: { filtersByParty: {} },
      updateFormat: {
        includeTransactions: { ...format, transactionShape: 'UNRECOGNIZED' },
      },
    };
    const it_ = (request: JsonAnswer) => request.updateFormat.includeTransactions;
    await expectOrder(api, '/v2/updates', request, [
      [
        'plain text',
        'an unknown shape (B-GEN-063)',
        (it) => (it_(it).transactionShape = 'TRANSACTION_SHAPE_UNSPECIFIED'),
      ],
      ['INVALID_ARGUMENT', 'both forms of the format', (it) => (it.filter = null)],
      ['NEGATIVE_OFFSET', 'a negative begin', (it) => (it.beginExclusive = end + 1)],
      ['DESCENDING_ORDER_MISSING_END', 'no end to go down from', (it) => (it.endInclusive = 0)],
      ['NON_POSITIVE_OFFSET', 'an end of zero', (it) => (it.endInclusive = end + 1)],
      ['OFFSET_AFTER_LEDGER_END', 'a begin after the ledger end', (it) => (it.beginExclusive = 1)],
      [
        'OFFSET_AFTER_LEDGER_END',
        'an end after the ledger end',
        (it) => ((it.endInclusive = 1), (it.beginExclusive = 3)),
      ],
      [
        'MISSING_FIELD',
        'no shape',
        (it) => (it_(it).transactionShape = 'TRANSACTION_SHAPE_ACS_DELTA'),
      ],
      [
        'INVALID_ARGUMENT',
        'an empty event format',
        (it) => (it_(it).eventFormat = badly(byTemplate(Dummy.id))),
      ],
      [
        'INVALID_ARGUMENT',
        'a party',
        (it) => (it_(it).eventFormat = eventFormat([alice], byTemplate(Dummy.id))),
      ],
      [
        'INVALID_FIELD',
        'a package id',
        (it) =>
          (it_(it).eventFormat = eventFormat(
            [alice],
            byTemplate(model('No')),
            byTemplate('#no:A:B'),
          )),
      ],
      [
        'PACKAGE_NAMES_NOT_FOUND',
        'a package name',
        (it) =>
          it_(it).eventFormat.filtersByParty[alice].cumulative.splice(
            1,
            1,
            byInterface(model('No')),
          ),
      ],
      [
        'NO_TEMPLATES_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME',
        'a template',
        (it) => it_(it).eventFormat.filtersByParty[alice].cumulative.shift(),
      ],
      [
        'NO_INTERFACE_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME',
        'an interface',
        (it) => (it_(it).eventFormat = known()),
      ],
      [
        'OFFSET_OUT_OF_RANGE',
        'an end before the begin',
        (it) => ((it.beginExclusive = 1), (it.endInclusive = end)),
      ],
      ['PARTICIPANT_PRUNED_DATA_ACCESSED', 'what is pruned', (it) => (it.beginExclusive = 2)],
      ACCEPTED,
    ]);
  });

  it("of active contracts have their errors in the participant's order (B-ACS-004, B-ACS-014)", async () => {
    await api.submit(create(model('Dummy'), { operator: alice }), { actAs: alice });
    const end = await api.ledgerEnd();
    api.canticle.participant.engine.prune(2);
    const request = {
      activeAtOffset: -1,
      verbose: true,
      streamContinuationToken: Buffer.from('broken').toString('base64'),
      eventFormat: { filtersByParty: { [alice]: { cumulative: [byTemplate(Dummy.id)] } } },
    };
    const filters = (request: JsonAnswer) => request.eventFormat.filtersByParty[alice];
    await expectOrder(api, '/v2/state/active-contracts', request, [
      ['INVALID_ARGUMENT', 'both forms of the format', (it) => (it.verbose = false)],
      ['INVALID_FIELD', 'a package id', (it) => (filters(it).cumulative = [byTemplate('#no:A:B')])],
      ['INVALID_FIELD', 'a broken token', (it) => (it.streamContinuationToken = null)],
      ['NEGATIVE_OFFSET', 'a negative offset', (it) => (it.activeAtOffset = end + 1)],
      ['PACKAGE_NAMES_NOT_FOUND', 'a package name', (it) => (filters(it).cumulative = [])],
      [
        'OFFSET_AFTER_LEDGER_END',
        'an offset after the ledger end',
        (it) => (it.activeAtOffset = 1),
      ],
      [
        'PARTICIPANT_PRUNED_DATA_ACCESSED',
        'an offset that is pruned',
        (it) => (it.activeAtOffset = 2),
      ],
      ACCEPTED,
    ]);
  });
});
