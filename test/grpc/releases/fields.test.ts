/**
 * Fields that one release has and another lacks, over gRPC. The client uses the definitions of a later release, so it sends and reads all
 * fields. A field that the participant's release lacks has no effect, and is never sent.
 */
import { newKey, onboard } from '../../network/external/external-party.js';
import { create, startLedgerApi, type LedgerApi } from '../../support/ledger-api.js';
import { GrpcClient, type GrpcFault } from '../../support/grpc/client.js';

const RELEASES = ['3.4', '3.5', '3.6'] as const;
type Release = (typeof RELEASES)[number];

/** A participant of each release, and a client of each that has the definitions of the latest release. */
const ledgers = {} as Record<Release, LedgerApi>;
const clients = {} as Record<Release, GrpcClient>;
beforeAll(async () => {
  const own = {} as Record<Release, GrpcClient>;
  for (const canton of RELEASES) {
    ledgers[canton] = await startLedgerApi({ canton, grpc: { adminApiPort: 0 } });
    own[canton] = await GrpcClient.connect(ledgers[canton].canticle.urls.grpc!);
  }
  for (const canton of RELEASES) clients[canton] = own[canton].speaking(own['3.6']);
});
afterAll(async () => {
  for (const canton of RELEASES) {
    clients[canton].close();
    await ledgers[canton].client.close();
  }
});

/** The result of a call on a participant of each release, or the code of its error. */
async function onEach<T>(
  releases: readonly Release[],
  ask: (grpc: GrpcClient, ledger: LedgerApi) => Promise<T>,
): Promise<readonly (T | string)[]> {
  const answers: (T | string)[] = [];
  for (const release of releases)
    answers.push(
      await ask(clients[release], ledgers[release]).catch(
        ({ code, details }: GrpcFault) => `${code} ${details?.['ErrorInfo']?.reason ?? ''}`,
      ),
    );
  return answers;
}

const everything = { filtersForAnyParty: { cumulative: [{ wildcardFilter: {} }] } };
const updateFormat = {
  includeTransactions: {
    eventFormat: everything,
    transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA',
  },
};

let hints = 0;
async function twoDummies(ledger: LedgerApi): Promise<string> {
  const [party] = await ledger.parties(`party-${++hints}`);
  for (const _ of [1, 2])
    await ledger.submit(create('#model-tests:Test:Dummy', { operator: party }), { actAs: party });
  return party;
}

const SUBMISSION = 'interactive.InteractiveSubmissionService/';

/** A create of a new external party, prepared. */
async function preparedBy(grpc: GrpcClient, ledger: LedgerApi) {
  const { party, key } = await onboard(ledger, `external-${++hints}`);
  const commandId = `external-${hints}`;
  const templateId = { packageId: '#model-tests', moduleName: 'Test', entityName: 'Dummy' };
  const createArguments = { fields: [{ value: { party } }] };
  const prepared = await grpc.call(`${SUBMISSION}PrepareSubmission`, {
    userId: 'tester',
    commandId,
    actAs: [party],
    synchronizerId: ledger.canticle.network.synchronizers[0]!.id,
    commands: [{ create: { templateId, createArguments } }],
  });
  return { party, key, commandId, prepared };
}

const executionOf = (
  { preparedTransaction }: { readonly preparedTransaction: string },
  party: string,
  signatures: readonly object[],
) => ({
  preparedTransaction,
  partySignatures: { signatures: [{ party, signatures }] },
  submissionId: `submission-${hints}`,
  userId: 'tester',
  hashingSchemeVersion: 'HASHING_SCHEME_VERSION_V2',
  deduplicationOffset: '0',
});

async function executed(grpc: GrpcClient, ledger: LedgerApi) {
  const { party, key, commandId, prepared } = await preparedBy(grpc, ledger);
  const hash: string = prepared.preparedTransactionHash;
  const { transaction } = await grpc.call(`${SUBMISSION}ExecuteSubmissionAndWaitForTransaction`, {
    ...executionOf(prepared, party, [key.sign(hash)]),
    transactionFormat: updateFormat.includeTransactions,
  });
  return { party, hash, commandId, transaction };
}

describe('between 3.4 and 3.5', () => {
  const BOTH = ['3.4', '3.5'] as const;

  it('only 3.5 returns updates in descending order (R-34-038)', async () => {
    const answers = await onEach(BOTH, async (grpc, ledger) => {
      await twoDummies(ledger);
      const endInclusive = await ledger.ledgerEnd();
      const updates = await grpc.stream('UpdateService/GetUpdates', {
        beginExclusive: 0,
        endInclusive,
        updateFormat,
        descendingOrder: true,
      });
      const offsets = updates.map(({ transaction }) => Number(transaction.offset));
      return offsets[0]! < offsets.at(-1)!;
    });
    expect(answers).toEqual([true, false]);
  });

  it('only 3.5 has tokens that continue a stream of contracts (R-34-040, R-34-041)', async () => {
    let token = '';
    const answers = await onEach(['3.5', '3.4'], async (grpc, ledger) => {
      await twoDummies(ledger);
      const activeAtOffset = await ledger.ledgerEnd();
      const path = 'StateService/GetActiveContracts';
      const request = { activeAtOffset, eventFormat: everything };
      const [first] = await grpc.stream(path, request);
      token ||= first.streamContinuationToken;
      const other = { ...request, eventFormat: { ...everything, verbose: true } };
      const continued = await grpc
        .stream(path, { ...other, streamContinuationToken: token })
        .catch(({ details }: GrpcFault) => details['ErrorInfo'].reason as string);
      return [first.streamContinuationToken !== '', continued.length > 0 && continued];
    });
    expect(token).not.toBe('');
    expect(answers).toEqual([
      [true, 'INVALID_CONTINUATION_TOKEN'],
      [false, expect.any(Array)],
    ]);
  });

  it('only 3.5 names the package that computed a view (R-34-044, R-34-045)', async () => {
    const answers = await onEach(BOTH, async (grpc, ledger) => {
      const [owner] = await ledger.parties(`owner-${++hints}`);
      await ledger.submit(create('#model-tests:Test:Coin', { owner, label: 'x' }), {
        actAs: owner,
      });
      const interfaceId = { packageId: '#model-tests', moduleName: 'Test', entityName: 'Asset' };
      const cumulative = [{ interfaceFilter: { interfaceId, includeInterfaceView: true } }];
      const [{ activeContract }] = await grpc.stream('StateService/GetActiveContracts', {
        activeAtOffset: await ledger.ledgerEnd(),
        eventFormat: { filtersForAnyParty: { cumulative } },
      });
      const { interfaceViews, contractKeyHash } = activeContract.createdEvent;
      return [interfaceViews[0].implementationPackageId !== '', contractKeyHash];
    });
    expect(answers).toEqual([
      [false, ''],
      [true, ''],
    ]);
  });

  it('only 3.5 stores whether the primary party signs tokens (R-34-047)', async () => {
    const user = { id: 'signer', primaryPartyAuthentication: true };
    const answers = await onEach(BOTH, async (grpc, ledger) => {
      const [primaryParty] = await ledger.parties(`primary-${++hints}`);
      const path = 'admin.UserManagementService/CreateUser';
      const created = await grpc.call(path, { user: { ...user, primaryParty } });
      return created.user.primaryPartyAuthentication;
    });
    expect(answers).toEqual([false, true]);
  });

  it('only 3.5 grants an external party to a user at its allocation (R-34-048)', async () => {
    const answers = await onEach(BOTH, async (grpc, ledger) => {
      const synchronizer = ledger.canticle.network.synchronizers[0]!.id;
      const key = newKey();
      const { topologyTransactions, multiHash } = await grpc.call(
        'admin.PartyManagementService/GenerateExternalPartyTopology',
        { synchronizer, partyHint: 'ext', publicKey: key.publicKey },
      );
      await grpc.call('admin.UserManagementService/CreateUser', { user: { id: 'holder' } });
      const { partyId } = await grpc.call('admin.PartyManagementService/AllocateExternalParty', {
        synchronizer,
        onboardingTransactions: topologyTransactions.map((transaction: string) => ({
          transaction,
        })),
        multiHashSignatures: [key.sign(multiHash)],
        waitForAllocation: false,
        userId: 'holder',
      });
      const { partyDetails } = await grpc.call('admin.PartyManagementService/GetParties', {
        parties: [partyId],
      });
      const { rights } = await grpc.call('admin.UserManagementService/ListUserRights', {
        userId: 'holder',
      });
      return [partyDetails.length, rights.length];
    });
    // Without the field, 3.4 waits for the party.
    expect(answers).toEqual([
      [1, 0],
      [expect.any(Number), 1],
    ]);
  });

  it('only 3.5 checks the limit of prefetched keys (R-34-049, R-36-047)', async () => {
    const templateId = { packageId: '#model-tests', moduleName: 'Test', entityName: 'Dummy' };
    const answers = await onEach(RELEASES, async (grpc, ledger) => {
      const [operator] = await ledger.parties(`operator-${++hints}`);
      return grpc
        .call('CommandService/SubmitAndWait', {
          commands: {
            commandId: `c-${++hints}`,
            userId: 'tester',
            actAs: [operator],
            commands: [
              {
                create: {
                  templateId,
                  createArguments: { fields: [{ value: { party: operator } }] },
                },
              },
            ],
            prefetchContractKeys: [{ templateId, contractKey: { party: operator }, limit: 0 }],
          },
        })
        .then(
          () => 'accepted',
          ({ message }: GrpcFault) => message,
        );
    });
    const [in34, ...later] = answers as string[];
    expect(in34).not.toContain('limit must be');
    for (const text of later) expect(text).toContain('limit must be a positive integer, but got 0');
  });

  it('3.4 lists neither steps nor prepared transactions (R-34-056)', async () => {
    const answers = await onEach(BOTH, async (grpc, ledger) => {
      await twoDummies(ledger);
      const { commandId } = await executed(grpc, ledger);
      const { commandStatus } = await grpc.call('admin.CommandInspectionService/GetCommandStatus', {
        limit: 50,
      });
      const ids = commandStatus.map(({ completion }: any) => completion.commandId);
      return [commandStatus[0].timings.length > 0, ids.includes(commandId)];
    });
    expect(answers).toEqual([
      [false, false],
      [true, true],
    ]);
  });

  it('only 3.5 limits the signatures of a party (R-34-055)', async () => {
    const answers = await onEach(BOTH, async (grpc, ledger) => {
      const { party, key, prepared } = await preparedBy(grpc, ledger);
      const signature = key.sign(prepared.preparedTransactionHash);
      const execute = (count: number, submissionId: string) =>
        grpc
          .call(`${SUBMISSION}ExecuteSubmission`, {
            ...executionOf(prepared, party, Array(count).fill(signature)),
            submissionId,
          })
          .then(
            () => 'accepted',
            ({ message }: GrpcFault) => /maximum number of signatures/.test(message),
          );
      return [await execute(51, 'many'), await execute(50, 'fewer')];
    });
    expect(answers).toEqual([
      ['accepted', expect.anything()],
      [true, false],
    ]);
  });

  it('3.4 does not know the third hashing scheme (R-34-051)', async () => {
    const answers = await onEach(BOTH, async (grpc, ledger) => {
      const { party, key, prepared } = await preparedBy(grpc, ledger);
      const signatures = [key.sign(prepared.preparedTransactionHash)];
      const hashingSchemeVersion = 'HASHING_SCHEME_VERSION_V3';
      return grpc
        .call(`${SUBMISSION}ExecuteSubmissionAndWait`, {
          ...executionOf(prepared, party, signatures),
          hashingSchemeVersion,
        })
        .catch(({ code, message }: GrpcFault) => `${code} ${message}`);
    });
    expect(answers).toEqual([
      expect.stringMatching(/^3 INVALID_FIELD.*hashing_scheme_version: Unrecognized version 3$/),
      expect.stringMatching(/^3 FAILED_TO_EXECUTE_TRANSACTION.*Received 0 valid signatures/),
    ]);
  });
});

describe('between 3.5 and 3.6', () => {
  const BOTH = ['3.5', '3.6'] as const;

  it('only 3.6 returns the time of each synchronizer at the end (R-36-040)', async () => {
    const answers = await onEach(BOTH, async (grpc, ledger) => {
      const { synchronizerTimes } = await grpc.call('StateService/GetLedgerEnd');
      const { id } = ledger.canticle.network.synchronizers[0]!;
      return synchronizerTimes.map(({ synchronizerId }: any) => synchronizerId === id);
    });
    expect(answers).toEqual([[], [true]]);
  });

  it('only 3.6 returns the times of the named synchronizers alone (R-36-041)', async () => {
    const [times] = await onEach(['3.6'], async (grpc, ledger) => {
      const { id } = ledger.canticle.network.synchronizers[0]!;
      const ask = async (synchronizerIds: readonly string[]) =>
        (await grpc.call('StateService/GetLedgerEnd', { synchronizerIds })).synchronizerTimes
          .length;
      return [await ask([]), await ask([id]), await ask([`x::${id.split('::')[1]}`])];
    });
    expect(times).toEqual([1, 1, 0]);
  });

  it('only 3.6 grants rights to act as any party (R-36-043)', async () => {
    const answers = await onEach(BOTH, async (grpc) => {
      const user = { id: `any-${++hints}` };
      const rights = [{ canActAsAnyParty: {} }];
      await grpc.call('admin.UserManagementService/CreateUser', { user, rights });
      const listed = await grpc.call('admin.UserManagementService/ListUserRights', {
        userId: user.id,
      });
      return listed.rights;
    });
    expect(answers[1]).toEqual([{ canActAsAnyParty: {} }]);
    expect(answers[0]).not.toContainEqual({ canActAsAnyParty: {} });
  });

  it('keys of ML-DSA are refused by both (R-36-045)', async () => {
    const { publicKey } = newKey();
    const reasons = await onEach(BOTH, async (grpc, ledger) => {
      const synchronizer = ledger.canticle.network.synchronizers[0]!.id;
      const keySpec = 'SIGNING_KEY_SPEC_ML_DSA_65';
      return grpc
        .call('admin.PartyManagementService/GenerateExternalPartyTopology', {
          synchronizer,
          partyHint: 'pq',
          publicKey: { ...publicKey, keySpec },
        })
        .catch(({ message }: GrpcFault) => message.replace(/^.*?: /, ''));
    });
    const reason = expect.stringContaining('Unrecognized value `5` in enum field `key_spec`');
    expect(reasons).toEqual([reason, reason]);
  });
});

describe('an external transaction', () => {
  it('has its hash in 3.6, and is found by it (R-36-032, R-36-034, R-36-042)', async () => {
    const answers = await onEach(['3.5', '3.6'], async (grpc, ledger) => {
      const { party, hash, transaction } = await executed(grpc, ledger);
      const completions = await grpc.stream(
        'CommandCompletionService/CompletionStream',
        { parties: [party], userId: 'tester', beginExclusive: 0 },
        { take: 1 },
      );
      const byHash = (path: string, request: object) =>
        grpc.call(path, { transactionHash: hash, ...request }).catch(({ code }: GrpcFault) => code);
      const update = await byHash('UpdateService/GetUpdateByHash', { updateFormat });
      const found = await byHash('CommandCompletionService/GetCompletionByHash', {});
      return [
        transaction.transactionHash === hash,
        completions[0].completion.transactionHash === hash,
        update.transaction?.updateId ?? update,
        found.acceptedCompletion?.updateId ?? found,
        transaction.updateId,
      ];
    });
    const id = (answers[1] as string[])[4];
    expect(answers).toEqual([
      [false, false, 12, 12, expect.any(String)],
      [true, true, id, id, id],
    ]);
  });

  it('3.6 returns the keys of an external party (R-36-037)', async () => {
    const ledger = ledgers['3.6'];
    const { party } = await onboard(ledger, `jwks-${++hints}`);
    const synchronizerId = ledger.canticle.network.synchronizers[0]!.id;
    const request = { synchronizerId, partyId: party };
    const { keys } = await clients['3.6'].call('JoseService/GetJwks', request);
    expect(keys.map((key: string) => JSON.parse(key))).toMatchObject([
      { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA' },
    ]);
    await expect(
      clients['3.6'].call('JoseService/GetJwks', {
        ...request,
        synchronizerId: `none::${party.split('::')[1]}`,
      }),
    ).rejects.toMatchObject({ code: 5 });
  });
});
