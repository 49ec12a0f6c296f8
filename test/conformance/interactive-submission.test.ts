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
} from '../external/external-party.js';
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
  type Told,
} from '../support/ledger-api.js';
import { model } from '../support/model-package.js';
import { useLedgerApi, useParties } from '../support/shared-ledger-api.js';
import { conformance, conformancePackage } from './support/model.js';
import { conformanceSuite } from './support/suite.js';

const api = useLedgerApi({
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

async function refusal(path: string, request: unknown) {
  const { status, body } = await api.post(path, request);
  const { code, cause } = body;
  return { status, code, cause, definite: body.context?.definite_answer };
}
const cannotExecute = (cause: string) => ({
  code: 'FAILED_TO_EXECUTE_TRANSACTION',
  cause: expect.stringContaining(cause),
});

async function effectsFor(party: string): Promise<Told[]> {
  const updates = await api.updates(
    updateFormat('LEDGER_EFFECTS', eventFormat([party], wildcard())),
  );
  return updates.map(({ Transaction }: Told) => Transaction.value);
}
const shaped = (shape: Shape, party: string, ...filters: unknown[]) =>
  transactionFormat(shape, eventFormat([party], ...(filters.length > 0 ? filters : [wildcard()])));

/** A contract that whoever knows it may use, with its blob. */
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
  reproduce('ISSPrepareSubmissionRequestBasic', 'a transaction, its hash, its cost', async () => {
    const answer = await prepare(dummy(alice), alice);
    expect(decoded(answer).transaction!.nodes).toHaveLength(1);
    expect(answer.preparedTransactionHash).not.toBe('');
    expect(answer.costEstimation).toEqual(expect.any(Object));
  });

  reproduce('ISSPrepareSubmissionRequestWithoutCostEstimation', 'no cost', async () => {
    const hints = { disabled: true, expectedSignatures: [] };
    const answer = await prepare(dummy(alice), alice, { estimateTrafficCost: hints });
    expect(answer.costEstimation).toBeNull();
    expect(answer.preparedTransactionHash).not.toBe('');
  });

  reproduce('ISSPrepareSubmissionRequestExplicitDisclosure', 'its input is in it', async () => {
    const { contractId, disclosedContracts, use } = await disclosed(alice);
    const answer = await prepare(use(bob), bob, { disclosedContracts });
    const inputs = decoded(answer).metadata!.inputContracts.map(({ contract }) =>
      contract.oneofKind === 'v1' ? contract.v1.contractId : undefined,
    );
    expect(inputs).toEqual([contractId]);
  });

  reproduce('ISSPrepareSubmissionRequestFailOnUnknownContract', 'CONTRACT_NOT_FOUND', async () => {
    const { use } = await disclosed(alice);
    expect(await refusal(PREPARE, preparation(use(bob), bob))).toMatchObject({
      status: 404,
      code: 'CONTRACT_NOT_FOUND',
    });
  });

  reproduce('ISSPrepareSubmissionRequestSynchronizerId', 'the one that was asked for', async () => {
    for (const { id } of api.canticle.network.synchronizers) {
      const answer = await prepare(dummy(alice), alice, { synchronizerId: id });
      // The physical id begins with the logical one.
      expect(decoded(answer).metadata!.synchronizerId.startsWith(id)).toBe(true);
    }
  });

  reproduce('ISSPrepareSubmissionRequestMinLedgerTime', 'it is in the metadata', async () => {
    const time = '2026-01-01T00:00:20Z';
    const MinLedgerTimeAbs = { value: time };
    const looking = createAndExercise(conformance('Timed'), { owner: alice }, 'ConsumeBetween', {
      begin: time,
      end: '2026-01-01T00:00:21Z',
    });
    const answer = await prepare(looking, alice, { minLedgerTime: { time: { MinLedgerTimeAbs } } });
    expect(decoded(answer).metadata!.minLedgerEffectiveTime).toBe(BigInt(Date.parse(time)) * 1000n);
  });

  reproduce('ISSPrepareSubmissionExecuteBasic', 'the hash is that of the update', async () => {
    const answer = await prepare(dummy());
    await api.ok(EXECUTE, execution(answer, owner));
    const [transaction, ...others] = await effectsFor(owner.party);
    expect(others).toEqual([]);
    expect(Object.keys(transaction.events[0])).toEqual(['CreatedEvent']);
    expect(transaction.externalTransactionHash).toBe(hexadecimal(answer));
  });

  reproduce('ISSExecuteSubmissionAndWaitBasic', 'update id and offset are its own', async () => {
    const answer = await prepare(dummy());
    const { updateId, completionOffset } = await api.ok(EXECUTE_AND_WAIT, execution(answer, owner));
    const [transaction] = await effectsFor(owner.party);
    expect(transaction).toMatchObject({
      updateId,
      offset: completionOffset,
      externalTransactionHash: hexadecimal(answer),
    });
  });

  reproduce(
    [
      'ISSPrepareSubmissionFailExecuteOnInvalidSignature',
      'ISSPrepareSubmissionFailExecuteAndWaitOnInvalidSignature',
    ],
    'FAILED_TO_EXECUTE_TRANSACTION for a signature that lost a byte',
    async (caseId) => {
      const request = execution(await prepare(dummy()), owner);
      const [{ signatures }] = request.partySignatures.signatures as [Told];
      const cut = Buffer.from(signatures[0].signature, 'base64').subarray(1).toString('base64');
      signatures[0].signature = cut;
      const path = caseId.includes('AndWait') ? EXECUTE_AND_WAIT : EXECUTE;
      expect(await refusal(path, request)).toMatchObject(
        cannotExecute('Received 0 valid signatures from distinct keys (1 invalid)'),
      );
    },
  );

  reproduce('ISSPrepareSubmissionFailExecuteOnInvalidSignatory', 'another signs', async () => {
    const request = execution(await prepare(dummy()), stranger);
    expect(await refusal(EXECUTE, request)).toMatchObject(
      cannotExecute('The following actAs parties did not provide an external signature'),
    );
  });

  reproduce('ISSExecuteSubmissionRequestWithInputContracts', 'a disclosed one', async () => {
    const { disclosedContracts, use } = await disclosed(owner);
    const answer = await prepare(use(stranger.party), stranger.party, { disclosedContracts });
    await api.ok(EXECUTE, execution(answer, stranger));
    const [transaction] = await effectsFor(stranger.party);
    expect(Object.keys(transaction.events[0])).toEqual(['ExercisedEvent']);
    expect(transaction.externalTransactionHash).toBe(hexadecimal(answer));
  });

  reproduce('ISSExecuteSubmissionRequestFailOnEmptyInputContracts', 'without them', async () => {
    const { disclosedContracts, use } = await disclosed(owner);
    const answer = await prepare(use(stranger.party), stranger.party, { disclosedContracts });
    const stripped = changed(answer, ({ metadata }) => (metadata!.inputContracts = []));
    expect(await refusal(EXECUTE, execution(stripped, stranger))).toMatchObject(
      cannotExecute('Missing input contracts'),
    );
  });

  reproduce(
    ['ISSDuplicateExecuteAndWaitForTransactionData', 'ISSDuplicateExecuteAndWaitData'],
    'DUPLICATE_COMMAND the second time',
    async (caseId) => {
      const path = caseId.includes('ForTransaction') ? EXECUTE_FOR_TRANSACTION : EXECUTE_AND_WAIT;
      const request = execution(await prepare(dummy()), owner);
      await api.ok(path, request);
      expect(await refusal(path, request)).toMatchObject({
        status: 409,
        code: 'DUPLICATE_COMMAND',
        definite: 'true',
      });
    },
  );

  const executed = async (submitted: unknown, format?: unknown): Promise<Told> => {
    const request = execution(await prepare(submitted), owner, { transactionFormat: format });
    return (await api.ok(EXECUTE_FOR_TRANSACTION, request)).transaction;
  };

  reproduce(
    'ISSExecuteSubmissionAndWaitForTransactionFilterByTemplateId',
    'one template alone',
    async () => {
      const delta = shaped('ACS_DELTA', owner.party);
      const contract = { giver: owner.party, observers: [] };
      const both = [dummy(), create(model('WithObservers'), contract)];
      // One root is all that can be signed: the choice makes two contracts of what stays one template.
      const { events } = await executed(both[0], delta);
      const [{ CreatedEvent }] = events;
      const clone = exercise(model('Dummy'), CreatedEvent.contractId, 'Clone');
      const format = shaped('ACS_DELTA', owner.party, byTemplate(model('WithObservers')));
      expect((await executed(clone, format)).events).toEqual([]);
      const only = await executed(both[1], format);
      expect(only.events).toHaveLength(1);
      expect(only.events[0].CreatedEvent.templateId).toMatch(/:Test:WithObservers$/);
    },
  );

  reproduce(
    ['ISSExecuteAndWaitForTransactionBasic', 'ISSExecuteAndWaitForTransactionNoFilter'],
    'the created event, by default too',
    async (caseId) => {
      const format = caseId.endsWith('NoFilter') ? undefined : shaped('ACS_DELTA', owner.party);
      const transaction = await executed(dummy(), format);
      expect(transaction.updateId).not.toBe('');
      expect(transaction.events).toHaveLength(1);
      expect(transaction.events[0].CreatedEvent.templateId).toMatch(/:Test:Dummy$/);
    },
  );

  reproduce('ISSExecuteAndWaitForTransactionFilterByWrongParty', 'nothing in it', async () => {
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
      expect(await refusal(path, execution(answer, owner))).toEqual({
        status: 400,
        code: 'INVALID_FIELD',
        cause: expect.stringContaining(
          'Invalid field synchronizer_id: Unable to convert field `synchronizer_id`: Unable to parse `invalidSynchronizerId` as physical',
        ),
        definite: 'false',
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
  const versionRefusal = async (...asked: Parameters<typeof version>) => {
    const { status, body } = await version(...asked);
    return { status, code: body.code, cause: body.cause };
  };
  const NAMES = ['model-tests', 'conformance'] as const;
  const referenceTo = (packageName: string) => ({
    packageId: expect.stringMatching(/^[0-9a-f]{64}$/),
    packageName,
    packageVersion: '1.0.0',
  });

  reproduce('ISSPreferredPackagesKnown', 'one of each name', async () => {
    const requirements = Object.fromEntries(NAMES.map((name) => [name, [alice, bob]]));
    const { packageReferences } = await api.ok(PACKAGES, preferring(requirements));
    const byName = (a: Told, b: Told) => (a.packageName < b.packageName ? -1 : 1);
    expect([...packageReferences].sort(byName)).toEqual([...NAMES].sort().map(referenceTo));
  });

  reproduce('ISSPreferredPackageVersionKnown', 'of one name', async () => {
    const { status, body } = await version([alice, bob], 'model-tests');
    expect(status).toBe(200);
    expect(body.packagePreference.packageReference).toEqual(referenceTo('model-tests'));
  });

  const unknownParties = ['invalid-party', 'unknownParty::ns'];
  reproduce('ISSPreferredPackagesUnknownParty', 'UNKNOWN_INFORMEES', async () => {
    for (const party of unknownParties)
      expect(await refusal(PACKAGES, preferring({ 'model-tests': [party] }))).toMatchObject({
        code: 'UNKNOWN_INFORMEES',
      });
  });
  reproduce('ISSPreferredPackageVersionUnknownParty', 'UNKNOWN_INFORMEES', async () => {
    for (const party of unknownParties)
      expect(await versionRefusal([party], 'model-tests')).toMatchObject({
        code: 'UNKNOWN_INFORMEES',
      });
  });

  const invalidName = {
    code: 'INVALID_FIELD',
    cause: expect.stringContaining('package_name/packageName'),
  };
  const unknownName = { code: 'PACKAGE_NAMES_NOT_FOUND' };
  reproduce('ISSPreferredPackagesUnknownPackageName', 'invalid, or not found', async () => {
    const named = (name: string) => refusal(PACKAGES, preferring({ [name]: [alice] }));
    expect(await named('What-Is-A-Package-Name?')).toMatchObject(invalidName);
    expect(await named('NoSuchPackage')).toMatchObject(unknownName);
  });
  reproduce('ISSPreferredPackageVersionUnknownPackageName', 'invalid, or not found', async () => {
    expect(await versionRefusal([alice], 'What-Is-A-Package-Name?')).toMatchObject(invalidName);
    expect(await versionRefusal([alice], 'NoSuchPackage')).toMatchObject(unknownName);
  });

  const invalidId = {
    code: 'INVALID_FIELD',
    cause: expect.stringContaining('synchronizer_id/synchronizerId'),
  };
  const unknownId = { code: 'INVALID_PRESCRIBED_SYNCHRONIZER_ID' };
  reproduce('ISSPreferredPackagesUnknownSynchronizerId', 'invalid, or not connected', async () => {
    const on = (id: string) => refusal(PACKAGES, preferring({ 'model-tests': [alice, bob] }, id));
    expect(await on('invalidSyncId')).toMatchObject(invalidId);
    expect(await on('unknownSynchronizerId::ns')).toMatchObject(unknownId);
  });
  reproduce(
    'ISSPreferredPackageVersionUnknownSynchronizerId',
    'invalid, or not connected',
    async () => {
      const on = (id: string) => versionRefusal([alice, bob], 'model-tests', id);
      expect(await on('invalidSyncId')).toMatchObject(invalidId);
      expect(await on('unknownSynchronizerId::ns')).toMatchObject(unknownId);
    },
  );
});
