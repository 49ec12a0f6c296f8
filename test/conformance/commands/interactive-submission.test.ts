/** Conformance: prepare, sign, execute; and which packages parties prefer. */
import { decodePreparedTransaction } from '@canton-network/core-tx-visualizer';
import { PreparedTransaction } from '@canton-network/core-ledger-proto';
import {
  execution,
  EXECUTE,
  EXECUTE_AND_WAIT,
  EXECUTE_FOR_TRANSACTION,
  onboard,
  preparation,
  PREPARE,
  type ExternalParty,
  type PreparedAnswer,
} from '../../network/external/external-party.js';
import {
  byTemplate,
  create,
  createAndExercise,
  eventFormat,
  exercise,
  transactionFormat,
  updateFormat,
  wildcard,
  type Shape,
  type JsonAnswer,
} from '../../support/ledger-api.js';
import { model, modelPackage } from '../../support/daml/model-package.js';
import { expectRefused } from '../../support/refusal.js';
import { useLedgerApi, useParties } from '../../support/shared-ledger-api.js';
import { conformance, conformancePackage } from '../support/model.js';
import { conformanceSuite } from '../support/suite.js';

const api = useLedgerApi({
  grpc: true,
  packages: [conformancePackage],
  synchronizers: [{ alias: 'global' }, { alias: 'app' }],
});
const [alice, bob] = useParties(api, 'alice', 'bob');
let owner: ExternalParty;
let stranger: ExternalParty;
beforeEach(async () => {
  owner = await onboard(api, 'owner');
  stranger = await onboard(api, 'stranger');
});

const dummy = (operator = owner.party) => create(model('Dummy'), { operator });
const prepare = (submitted: unknown, actAs = owner.party, more = {}): Promise<PreparedAnswer> =>
  api.ok(PREPARE, preparation(submitted, actAs, more));
const decoded = ({ preparedTransaction }: PreparedAnswer) =>
  decodePreparedTransaction(preparedTransaction);
const changed = (answer: PreparedAnswer, change: (prepared: PreparedTransaction) => void) => {
  const prepared = decoded(answer);
  change(prepared);
  const bytes = PreparedTransaction.toBinary(prepared);
  return { ...answer, preparedTransaction: Buffer.from(bytes).toString('base64') };
};

/** The hash as transactions tell it: of all bytes, these alone are hexadecimal. */
const hexadecimal = ({ preparedTransactionHash }: PreparedAnswer) =>
  Buffer.from(preparedTransactionHash, 'base64').toString('hex');

const expectCannotExecute = (path: string, request: unknown, cause: string) =>
  expectRefused(api.post(path, request), 'FAILED_TO_EXECUTE_TRANSACTION', { cause });

async function effectsFor(party: string): Promise<JsonAnswer[]> {
  const updates = await api.updates(
    updateFormat('LEDGER_EFFECTS', eventFormat([party], wildcard())),
  );
  return updates.map(({ Transaction }: JsonAnswer) => Transaction.value);
}
const shaped = (shape: Shape, party: string, ...filters: unknown[]) =>
  transactionFormat(shape, eventFormat([party], ...(filters.length > 0 ? filters : [wildcard()])));

/** A contract that any party can use, with its blob. */
async function disclosed(by: ExternalParty | string) {
  const operator = typeof by === 'string' ? by : by.party;
  const creation = create(conformance('Public'), { owner: operator });
  if (typeof by === 'string') await api.submit(creation, { actAs: by });
  else await api.ok(EXECUTE_AND_WAIT, execution(await prepare(creation, operator), by));
  const [event] = await api.active(
    eventFormat([operator], byTemplate(conformance('Public'), true)),
  );
  const { templateId, contractId, createdEventBlob } = event;
  return {
    contractId: contractId as string,
    disclosedContracts: [{ templateId, contractId, createdEventBlob, synchronizerId: '' }],
    use: (anyone: string) => exercise(conformance('Public'), contractId, 'Use', { anyone }),
  };
}

conformanceSuite('InteractiveSubmissionServiceIT', {}, (reproduce) => {
  reproduce(
    'ISSPrepareSubmissionRequestBasic',
    'returns the prepared transaction, its hash and its traffic cost',
    async () => {
      const answer = await prepare(dummy(alice), alice);
      expect(decoded(answer).transaction!.nodes).toHaveLength(1);
      expect(answer.preparedTransactionHash).not.toBe('');
      expect(answer.costEstimation).toEqual(expect.any(Object));
    },
  );

  reproduce(
    'ISSPrepareSubmissionRequestWithoutCostEstimation',
    'returns no traffic cost',
    async () => {
      const hints = { disabled: true, expectedSignatures: [] };
      const answer = await prepare(dummy(alice), alice, { estimateTrafficCost: hints });
      expect(answer.costEstimation).toBeNull();
      expect(answer.preparedTransactionHash).not.toBe('');
    },
  );

  reproduce(
    'ISSPrepareSubmissionRequestExplicitDisclosure',
    'the metadata contains the disclosed contract',
    async () => {
      const { contractId, disclosedContracts, use } = await disclosed(alice);
      const answer = await prepare(use(bob), bob, { disclosedContracts });
      const inputs = decoded(answer).metadata!.inputContracts.map(({ contract }) =>
        contract.oneofKind === 'v1' ? contract.v1.contractId : undefined,
      );
      expect(inputs).toEqual([contractId]);
    },
  );

  reproduce('ISSPrepareSubmissionRequestFailOnUnknownContract', 'CONTRACT_NOT_FOUND', async () => {
    const { use } = await disclosed(alice);
    await expectRefused(api.post(PREPARE, preparation(use(bob), bob)), 'CONTRACT_NOT_FOUND');
  });

  reproduce(
    'ISSPrepareSubmissionRequestSynchronizerId',
    'the metadata names the requested synchronizer',
    async () => {
      for (const { id } of api.canticle.network.synchronizers) {
        const answer = await prepare(dummy(alice), alice, { synchronizerId: id });
        // The physical id is the logical one and a version.
        const [, logical] = /^(.+)::\d+-\d+$/.exec(decoded(answer).metadata!.synchronizerId)!;
        expect(logical).toBe(id);
      }
    },
  );

  reproduce(
    'ISSPrepareSubmissionRequestMinLedgerTime',
    'the metadata contains the minimum ledger time',
    async () => {
      const time = '2026-01-01T00:00:20Z';
      const MinLedgerTimeAbs = { value: time };
      const looking = createAndExercise(conformance('Timed'), { owner: alice }, 'ConsumeBetween', {
        begin: time,
        end: '2026-01-01T00:00:21Z',
      });
      const answer = await prepare(looking, alice, {
        minLedgerTime: { time: { MinLedgerTimeAbs } },
      });
      expect(decoded(answer).metadata!.minLedgerEffectiveTime).toBe(
        BigInt(Date.parse(time)) * 1000n,
      );
    },
  );

  reproduce(
    'ISSPrepareSubmissionExecuteBasic',
    'the update has the hash of the prepared transaction',
    async () => {
      const answer = await prepare(dummy());
      await api.ok(EXECUTE, execution(answer, owner));
      const [transaction, ...others] = await effectsFor(owner.party);
      expect(others).toEqual([]);
      expect(transaction.events.map(Object.keys)).toEqual([['CreatedEvent']]);
      expect(transaction.externalTransactionHash).toBe(hexadecimal(answer));
    },
  );

  reproduce(
    'ISSExecuteSubmissionAndWaitBasic',
    'returns the update id and the offset of the transaction',
    async () => {
      const answer = await prepare(dummy());
      const { updateId, completionOffset } = await api.ok(
        EXECUTE_AND_WAIT,
        execution(answer, owner),
      );
      const format = updateFormat('LEDGER_EFFECTS', eventFormat([owner.party], wildcard()));
      const { update } = await api.ok('/v2/updates/update-by-id', {
        updateId,
        updateFormat: format,
      });
      const { value } = update.Transaction;
      expect([value.updateId, value.offset]).toEqual([updateId, completionOffset]);
      expect(value.events.map(Object.keys)).toEqual([['CreatedEvent']]);
      expect(value.externalTransactionHash).toBe(hexadecimal(answer));
    },
  );

  reproduce(
    [
      'ISSPrepareSubmissionFailExecuteOnInvalidSignature',
      'ISSPrepareSubmissionFailExecuteAndWaitOnInvalidSignature',
    ],
    'rejects a truncated signature with FAILED_TO_EXECUTE_TRANSACTION',
    async (caseId) => {
      const request = execution(await prepare(dummy()), owner);
      const [{ signatures }] = request.partySignatures.signatures as [JsonAnswer];
      const cut = Buffer.from(signatures[0].signature, 'base64').subarray(1).toString('base64');
      signatures[0].signature = cut;
      const path = caseId.includes('AndWait') ? EXECUTE_AND_WAIT : EXECUTE;
      const cause = 'Received 0 valid signatures from distinct keys (1 invalid)';
      await expectCannotExecute(path, request, cause);
      expect(await effectsFor(owner.party)).toEqual([]);
    },
  );

  reproduce(
    'ISSPrepareSubmissionFailExecuteOnInvalidSignatory',
    'rejects the signature of another party',
    async () => {
      const request = execution(await prepare(dummy()), stranger);
      const cause = 'The following actAs parties did not provide an external signature';
      await expectCannotExecute(EXECUTE, request, cause);
    },
  );

  reproduce(
    'ISSExecuteSubmissionRequestWithInputContracts',
    'executes a choice on a disclosed contract',
    async () => {
      const { disclosedContracts, use } = await disclosed(owner);
      const answer = await prepare(use(stranger.party), stranger.party, { disclosedContracts });
      await api.ok(EXECUTE, execution(answer, stranger));
      const [transaction, ...others] = await effectsFor(stranger.party);
      expect(others).toEqual([]);
      expect(transaction.events.map(Object.keys)).toEqual([['ExercisedEvent']]);
      expect(transaction.externalTransactionHash).toBe(hexadecimal(answer));
    },
  );

  reproduce(
    'ISSExecuteSubmissionRequestFailOnEmptyInputContracts',
    'rejects a transaction without its input contracts',
    async () => {
      const { disclosedContracts, use } = await disclosed(owner);
      const answer = await prepare(use(stranger.party), stranger.party, { disclosedContracts });
      const stripped = changed(answer, ({ metadata }) => (metadata!.inputContracts = []));
      await expectCannotExecute(EXECUTE, execution(stripped, stranger), 'Missing input contracts');
    },
  );

  reproduce(
    ['ISSDuplicateExecuteAndWaitForTransactionData', 'ISSDuplicateExecuteAndWaitData'],
    'rejects the second execution with DUPLICATE_COMMAND',
    async (caseId) => {
      const path = caseId.includes('ForTransaction') ? EXECUTE_FOR_TRANSACTION : EXECUTE_AND_WAIT;
      const request = execution(await prepare(dummy()), owner);
      await api.ok(path, request);
      await expectRefused(api.post(path, request), 'DUPLICATE_COMMAND', { definite: true });
    },
  );

  const executed = async (submitted: unknown, format?: unknown): Promise<JsonAnswer> => {
    const request = execution(await prepare(submitted), owner, { transactionFormat: format });
    return (await api.ok(EXECUTE_FOR_TRANSACTION, request)).transaction;
  };

  reproduce(
    'ISSExecuteSubmissionAndWaitForTransactionFilterByTemplateId',
    'returns the event of the requested template only',
    async () => {
      const { events } = await executed(
        create(conformance('Factory'), { owner: owner.party }),
        shaped('ACS_DELTA', owner.party),
      );
      const [{ CreatedEvent: factory }] = events;
      const calling = exercise(conformance('Factory'), factory.contractId, 'CreateBoth');
      const only = shaped('ACS_DELTA', owner.party, byTemplate(conformance('Public')));
      const called = await executed(calling, only);
      expect(called.events).toEqual([{ CreatedEvent: expect.any(Object) }]);
      const [{ CreatedEvent: created }] = called.events;
      expect(created.templateId).toBe(`${conformancePackage.id}:Test:Public`);
    },
  );

  reproduce(
    ['ISSExecuteAndWaitForTransactionBasic', 'ISSExecuteAndWaitForTransactionNoFilter'],
    'returns the created event, with and without a format',
    async (caseId) => {
      const format = caseId.endsWith('NoFilter') ? undefined : shaped('ACS_DELTA', owner.party);
      const transaction = await executed(dummy(), format);
      expect(transaction.updateId).not.toBe('');
      expect(transaction.events).toHaveLength(1);
      expect(transaction.events[0].CreatedEvent.templateId).toBe(`${modelPackage.id}:Test:Dummy`);
    },
  );

  reproduce('ISSExecuteAndWaitForTransactionFilterByWrongParty', 'returns no events', async () => {
    for (const shape of ['ACS_DELTA', 'LEDGER_EFFECTS'] as const)
      expect((await executed(dummy(), shaped(shape, stranger.party))).events).toEqual([]);
  });

  reproduce(
    [
      'ISSExecuteAndWaitInvalidSynchronizerId',
      'ISSExecuteAndWaitForTransactionInvalidSynchronizerId',
    ],
    'INVALID_FIELD synchronizer_id',
    async (caseId) => {
      const path = caseId.includes('ForTransaction') ? EXECUTE_FOR_TRANSACTION : EXECUTE_AND_WAIT;
      const answer = changed(
        await prepare(dummy()),
        ({ metadata }) => (metadata!.synchronizerId = 'invalidSynchronizerId'),
      );
      await expectRefused(api.post(path, execution(answer, owner)), 'INVALID_FIELD', {
        cause:
          'Invalid field synchronizer_id: Unable to convert field `synchronizer_id`: Unable to parse `invalidSynchronizerId` as physical synchronizer id',
        definite: false,
      });
    },
  );

  const PACKAGES = '/v2/interactive-submission/preferred-packages';
  const preferring = (
    requirements: Record<string, string[]>,
    synchronizerId?: string,
  ): Record<string, unknown> => ({
    packageVettingRequirements: Object.entries(requirements).map(([packageName, parties]) => ({
      packageName,
      parties,
    })),
    synchronizerId,
  });
  const VERSION = '/v2/interactive-submission/preferred-package-version';
  const version = (parties: string[], packageName: string, synchronizerId?: string) => {
    const query = new URLSearchParams(parties.map((party): [string, string] => ['parties', party]));
    query.append('package-name', packageName);
    if (synchronizerId !== undefined) query.append('synchronizer-id', synchronizerId);
    return api.client.ledger('GET', `${VERSION}?${query}`);
  };
  const IDS = { conformance: conformancePackage.id, 'model-tests': modelPackage.id };
  const referenceTo = (packageName: keyof typeof IDS) => ({
    packageId: IDS[packageName],
    packageName,
    packageVersion: '1.0.0',
  });

  reproduce(
    'ISSPreferredPackagesKnown',
    'returns one reference for each package name',
    async () => {
      const requirements = { 'model-tests': [alice, bob], conformance: [alice, bob] };
      const { packageReferences } = await api.ok(PACKAGES, preferring(requirements));
      const byName = (a: JsonAnswer, b: JsonAnswer) => (a.packageName < b.packageName ? -1 : 1);
      expect([...packageReferences].sort(byName)).toEqual([
        referenceTo('conformance'),
        referenceTo('model-tests'),
      ]);
    },
  );

  reproduce(
    'ISSPreferredPackageVersionKnown',
    'returns the reference for one package name',
    async () => {
      const { status, body } = await version([alice, bob], 'model-tests');
      expect(status).toBe(200);
      expect(body.packagePreference.packageReference).toEqual(referenceTo('model-tests'));
    },
  );

  // The first is not a valid party id. Canton looks parties up before it validates them.
  const unknownParties = ['invalid-party', 'unknownParty::ns'];
  reproduce('ISSPreferredPackagesUnknownParty', 'UNKNOWN_INFORMEES', async () => {
    for (const party of unknownParties)
      await expectRefused(
        api.post(PACKAGES, preferring({ 'model-tests': [party] })),
        'UNKNOWN_INFORMEES',
      );
  });
  reproduce('ISSPreferredPackageVersionUnknownParty', 'UNKNOWN_INFORMEES', async () => {
    for (const party of unknownParties)
      await expectRefused(version([party], 'model-tests'), 'UNKNOWN_INFORMEES');
  });

  const expectUnknownNames = async (request: (name: string) => ReturnType<typeof version>) => {
    const cause = 'package_name/packageName';
    await expectRefused(request('What-Is-A-Package-Name?'), 'INVALID_FIELD', { cause });
    await expectRefused(request('NoSuchPackage'), 'PACKAGE_NAMES_NOT_FOUND');
  };
  reproduce(
    'ISSPreferredPackagesUnknownPackageName',
    'rejects invalid and unknown names',
    async () => {
      await expectUnknownNames((name) => api.post(PACKAGES, preferring({ [name]: [alice] })));
    },
  );
  reproduce(
    'ISSPreferredPackageVersionUnknownPackageName',
    'rejects invalid and unknown names',
    async () => {
      await expectUnknownNames((name) => version([alice], name));
    },
  );

  const expectUnknownPlaces = async (request: (id: string) => ReturnType<typeof version>) => {
    const cause = 'synchronizer_id/synchronizerId';
    await expectRefused(request('invalidSyncId'), 'INVALID_FIELD', { cause });
    await expectRefused(request('unknownSynchronizerId::ns'), 'INVALID_PRESCRIBED_SYNCHRONIZER_ID');
  };
  reproduce(
    'ISSPreferredPackagesUnknownSynchronizerId',
    'rejects invalid ids, and synchronizers without a connection',
    async () => {
      const requirements = { 'model-tests': [alice, bob] };
      await expectUnknownPlaces((id) => api.post(PACKAGES, preferring(requirements, id)));
    },
  );
  reproduce(
    'ISSPreferredPackageVersionUnknownSynchronizerId',
    'rejects invalid ids, and synchronizers without a connection',
    async () => {
      await expectUnknownPlaces((id) => version([alice, bob], 'model-tests', id));
    },
  );
});
