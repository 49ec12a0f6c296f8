/** The releases of the Ledger API (B-GEN-044): operations that come and go, messages that change, and what 3.6 adds. */
import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import type { StartOptions } from 'canticle';
import {
  create,
  eventFormat,
  exercise,
  startLedgerApi,
  updateFormat,
  type LedgerApi,
} from '../../support/ledger-api.js';
import { keysPackage } from '../../support/daml/keys-package.js';
import { model } from '../../support/daml/model-package.js';

let api: LedgerApi;
afterEach(() => api.client.close());
const start = async (apiVersion?: StartOptions['apiVersion']) =>
  (api = await startLedgerApi({ apiVersion }));
const get = async (path: string) => (await api.client.ledger('GET', path)).body;

it.each([
  [undefined, '3.5.14'],
  ['3.4', '3.4.12'],
  ['3.5', '3.5.14'],
  ['3.6', '3.6.1'],
] as const)(
  '%s: version and document name the release (B-GEN-006)',
  async (apiVersion, version) => {
    await start(apiVersion);
    expect((await get('/v2/version')).version).toBe(version);
    expect(await get('/docs/openapi')).toContain(`version: ${version}\n`);
  },
);

const GONE: [StartOptions['apiVersion'], string, string][] = [
  ['3.4', 'POST', '/v2/commands/command-completions'],
  ['3.4', 'POST', '/v2/updates/get-updates-page'],
  ['3.4', 'POST', '/v2/state/active-contracts-page'],
  ['3.5', 'POST', '/v2/updates/update-by-hash'],
];
it.each(GONE)('%s has no %s %s', async (apiVersion, method, path) => {
  await start(apiVersion);
  expect((await api.client.ledger(method, path, {})).status).toBe(404);
});

describe('3.4', () => {
  beforeEach(() => start('3.4'));

  it('answers health checks, which its document does not list (B-GEN-002, B-GEN-003)', async () => {
    expect((await api.client.ledger('GET', '/livez')).status).toBe(200);
    expect(await get('/readyz')).toContain('readyz check passed');
    expect(await get('/docs/openapi')).not.toContain('/livez');
  });

  it('events, views and lists have the members of the release', async () => {
    const [alice] = await api.parties('alice');
    await api.submit(create(model('Dummy'), { operator: alice }), { actAs: alice });
    const [entry] = await api.acs(eventFormat([alice]));
    const { createdEvent } = entry.contractEntry.JsActiveContract;
    expect(entry).not.toHaveProperty('streamContinuationToken');
    expect(createdEvent).not.toHaveProperty('contractKeyHash');
    expect(createdEvent).toHaveProperty('createdEventBlob');
    await api.ok('/v2/users', {
      user: { id: 'u', primaryParty: '', isDeactivated: false, identityProviderId: '' },
    });
    expect((await get('/v2/users/u')).user).not.toHaveProperty('primaryPartyAuthentication');
  });

  it('accepts the older form of a request, despite the required fields in its document (B-LEG-001)', async () => {
    const [alice] = await api.parties('alice');
    await api.submit(create(model('Dummy'), { operator: alice }), { actAs: alice });
    const filter = { filtersByParty: { [alice]: {} } };
    const activeAtOffset = await api.ledgerEnd();
    for (const eventFormat of [undefined, null])
      expect(
        await api.ok('/v2/state/active-contracts', { filter, eventFormat, activeAtOffset }),
      ).toHaveLength(1);
  });

  it('accepts a request for updates without a begin offset', async () => {
    const [alice] = await api.parties('alice');
    await api.submit(create(model('Dummy'), { operator: alice }), { actAs: alice });
    const body = {
      endInclusive: await api.ledgerEnd(),
      updateFormat: updateFormat('ACS_DELTA', eventFormat([alice])),
    };
    expect(await api.ok('/v2/updates', body)).toHaveLength(1);
  });
});

it.each([
  ['3.4', 'ErrorResource(PACKAGE)'],
  ['3.5', 'ErrorResource(PACKAGE)'],
  ['3.6', 'PACKAGE'],
] as const)(
  'errors of %s name the kind of a resource as %s (B-ERR-009, B-ERR-043)',
  async (release, kind) => {
    await start(release);
    const id = 'ab'.repeat(32);
    const { resources } = await get(`/v2/packages/${id}`);
    expect(resources).toEqual([[kind, id]]);
  },
);

describe('a contract id of no known version', () => {
  const unknown = `00${'0'.repeat(64)}ca131220${'0'.repeat(64)}`;

  it.each([
    ['3.4', 500, 'NA', 'A security-sensitive error has been received', []],
    ['3.5', 500, 'NA', 'A security-sensitive error has been received', []],
    [
      '3.6',
      404,
      'UNSUPPORTED_CONTRACT_ID',
      `Interpretation error: Error: Update failed due to a unsupported contract ID ${unknown}`,
      [['CONTRACT_ID', unknown]],
    ],
  ] as const)(
    'is rejected by %s: %d %s (B-ID-033, B-ID-034, R-34-081, R-36-051)',
    async (release, status, code, cause, resources) => {
      await start(release);
      const [alice] = await api.parties('alice');
      const consume = exercise(model('Dummy'), unknown, 'Consume');
      const answer = await api.post(
        '/v2/commands/submit-and-wait',
        api.commands(consume, { actAs: alice }),
      );
      expect(answer.status).toBe(status);
      expect(answer.body).toMatchObject({ code, cause, resources });
    },
  );
});

it.each([
  ['3.5', ', '],
  ['3.6', ','],
] as const)('%s separates the parts of a missing key by %j (B-ID-035)', async (release, comma) => {
  api = await startLedgerApi({ canton: release, packages: [keysPackage] });
  const [alice] = await api.parties('alice');
  const templateId = `${keysPackage.id}:Keys:Badge`;
  const command = {
    templateId,
    contractKey: alice,
    choice: 'Touch',
    choiceArgument: { by: alice },
  };
  const { body } = await api.post(
    '/v2/commands/submit-and-wait',
    api.commands({ ExerciseByKeyCommand: command }, { actAs: alice }),
  );
  const parts = [templateId, keysPackage.name, `Party(${alice})`, 'Hash('].join(comma);
  expect(body.cause).toContain(`GlobalKey(${parts}`);
});

describe('3.6', () => {
  beforeEach(() => start('3.6'));

  it.each([
    ['GET', '/v2/traffic/accounts/alice'],
    ['POST', '/v2/traffic/accounts'],
    ['POST', '/v2/traffic/events/prune'],
  ])('has no %s %s, as without traffic accounting', async (method, path) => {
    const body = method === 'POST' ? {} : undefined;
    expect((await api.client.ledger(method, path, body)).status).toBe(404);
  });

  it('the ledger end has the record times of the requested synchronizers (R-36-041)', async () => {
    await api.client.close();
    api = await startLedgerApi({ canton: '3.6', synchronizers: ['one', 'two'] });
    const { participant, network } = api.canticle;
    const ids = network.synchronizers.map(({ id }) => id);
    const alice = participant.allocateParty('alice');
    for (const synchronizerId of ids)
      await api.submit(create(model('Dummy'), { operator: alice }), {
        actAs: alice,
        synchronizerId,
      });
    const asked = async (...wanted: string[]) => {
      const query = wanted.map((id) => `synchronizer_id=${encodeURIComponent(id)}`).join('&');
      const { synchronizerTimes } = await get(`/v2/state/ledger-end?${query}`);
      return synchronizerTimes.map((each: { synchronizerId: string }) => each.synchronizerId);
    };
    expect(await asked()).toEqual(ids);
    expect(await asked(ids[1]!)).toEqual([ids[1]]);
    expect(await asked(...ids)).toEqual(ids);
    expect(await asked('other::1220')).toEqual([]);
  });

  it('the ledger end has the record times of the synchronizers (R-36-040)', async () => {
    const [alice] = await api.parties('alice');
    const { completionOffset } = await api.submit(create(model('Dummy'), { operator: alice }), {
      actAs: alice,
    });
    const { recordTime, synchronizerId } = (
      await api.updates(updateFormat('ACS_DELTA', eventFormat([alice])))
    ).at(-1).Transaction.value;
    expect(await get('/v2/state/ledger-end')).toEqual({
      offset: completionOffset,
      synchronizerTimes: [{ synchronizerId, recordTime }],
    });
  });

  it('a user may act as any party', async () => {
    const right = { kind: { CanActAsAnyParty: { value: {} } } };
    const user = { id: 'u', primaryParty: '', isDeactivated: false, identityProviderId: '' };
    await api.ok('/v2/users', { user, rights: [right] });
    expect((await get('/v2/users/u/rights')).rights).toEqual([right]);
  });

  /** Hosts an external party. @returns how it signs */
  async function external(
    hint: string,
    key: { publicKey: KeyObject; privateKey: KeyObject },
    keySpec: string,
  ) {
    const synchronizer = api.canticle.network.synchronizers[0]!.id;
    const format = 'CRYPTO_KEY_FORMAT_DER_X509_SUBJECT_PUBLIC_KEY_INFO';
    const keyData = key.publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
    const generated = await api.ok('/v2/parties/external/generate-topology', {
      synchronizer,
      partyHint: hint,
      publicKey: { format, keyData, keySpec },
    });
    const isEdwards = keySpec.endsWith('25519');
    const signatureOf = (hash: string) => ({
      format: isEdwards ? 'SIGNATURE_FORMAT_CONCAT' : 'SIGNATURE_FORMAT_DER',
      signature: sign(
        isEdwards ? null : 'sha256',
        Buffer.from(hash, 'base64'),
        key.privateKey,
      ).toString('base64'),
      signedBy: generated.publicKeyFingerprint,
      signingAlgorithmSpec: isEdwards
        ? 'SIGNING_ALGORITHM_SPEC_ED25519'
        : 'SIGNING_ALGORITHM_SPEC_EC_DSA_SHA_256',
    });
    await api.ok('/v2/parties/external/allocate', {
      synchronizer,
      onboardingTransactions: generated.topologyTransactions.map((transaction: string) => ({
        transaction,
      })),
      multiHashSignatures: [signatureOf(generated.multiHash)],
    });
    return { party: generated.partyId as string, synchronizer, signatureOf };
  }

  it('finds an update and its completions by the signed hash (R-36-033, R-36-035)', async () => {
    const { party, synchronizer, signatureOf } = await external(
      'ext',
      generateKeyPairSync('ed25519'),
      'SIGNING_KEY_SPEC_EC_CURVE25519',
    );
    const prepared = await api.ok('/v2/interactive-submission/prepare', {
      commandId: 'signed',
      userId: 'tester',
      actAs: [party],
      commands: [create(model('Dummy'), { operator: party })],
      synchronizerId: synchronizer,
      packageIdSelectionPreference: [],
    });
    const transactionHash = prepared.preparedTransactionHash as string;
    const format = updateFormat('LEDGER_EFFECTS', eventFormat([party]));
    const byHash = { transactionHash, updateFormat: format };
    expect(await api.refusal('/v2/updates/update-by-hash', byHash)).toBe('UPDATE_NOT_FOUND');
    expect(await api.refusal('/v2/commands/completion-by-hash', { transactionHash })).toBe(
      'COMPLETION_NOT_FOUND',
    );

    const execute = (submissionId: string) =>
      api.post('/v2/interactive-submission/executeAndWait', {
        preparedTransaction: prepared.preparedTransaction,
        hashingSchemeVersion: prepared.hashingSchemeVersion,
        submissionId,
        userId: 'tester',
        deduplicationPeriod: { Empty: {} },
        partySignatures: { signatures: [{ party, signatures: [signatureOf(transactionHash)] }] },
      });
    const { body: done } = await execute('first');
    expect((await execute('again')).body.code).toBe('DUPLICATE_COMMAND');

    const { update } = await api.ok('/v2/updates/update-by-hash', byHash);
    const hexadecimal = Buffer.from(transactionHash, 'base64').toString('hex');
    expect(update.Transaction.value).toMatchObject({
      updateId: done.updateId,
      transactionHash: hexadecimal,
      externalTransactionHash: hexadecimal,
    });
    const { acceptedCompletion, lastRejectedCompletions } = await api.ok(
      '/v2/commands/completion-by-hash',
      { transactionHash },
    );
    expect(acceptedCompletion).toMatchObject({
      submissionId: 'first',
      offset: done.completionOffset,
      transactionHash,
    });
    expect(lastRejectedCompletions).toMatchObject([
      { submissionId: 'again', updateId: '', transactionHash },
    ]);

    const last = await api.ledgerEnd();
    api.canticle.participant.allocateParty('later');
    api.canticle.network.participants[0]!.prune(last);
    expect(await api.refusal('/v2/commands/completion-by-hash', { transactionHash })).toBe(
      'COMPLETION_NOT_FOUND',
    );
  });

  it.each([
    ['SIGNING_KEY_SPEC_EC_CURVE25519', () => generateKeyPairSync('ed25519'), 'EdDSA'],
    ['SIGNING_KEY_SPEC_EC_P256', () => generateKeyPairSync('ec', { namedCurve: 'P-256' }), 'ES256'],
    [
      'SIGNING_KEY_SPEC_EC_SECP256K1',
      () => generateKeyPairSync('ec', { namedCurve: 'secp256k1' }),
      'ES256K',
    ],
  ])('returns the keys of an external party as JWKS: %s', async (keySpec, generate, alg) => {
    const key = generate();
    const { party, synchronizer } = await external('ext', key, keySpec);
    const { keys } = await get(
      `/v2/jose/jwks/synchronizer/${encodeURIComponent(synchronizer)}/party/${encodeURIComponent(party)}`,
    );
    const jwk = key.publicKey.export({ format: 'jwk' }) as Record<string, string>;
    const members = Object.fromEntries(Object.entries(jwk).sort());
    const kid = createHash('sha256').update(JSON.stringify(members)).digest('base64url');
    expect(keys).toEqual([{ ...jwk, alg, kid, use: 'sig' }]);
  });

  it('returns no keys for a party that does not sign for itself (R-36-038)', async () => {
    const [alice] = await api.parties('alice');
    const synchronizer = api.canticle.network.synchronizers[0]!.id;
    const code = async (synchronizerId: string, party: string) =>
      (
        await get(
          `/v2/jose/jwks/synchronizer/${encodeURIComponent(synchronizerId)}/party/${encodeURIComponent(party)}`,
        )
      ).code;
    expect(await code(synchronizer, alice)).toBe('PARTY_SIGNING_KEYS_NOT_FOUND');
    expect(await code(`x::1220${'0'.repeat(64)}`, alice)).toBe('SYNCHRONIZER_NOT_FOUND');
    expect(await code('x', alice)).toBe('INVALID_ARGUMENT');
  });

  it.each(['/v2/updates/update-by-hash', '/v2/commands/completion-by-hash'])(
    '%s requires a hash (R-36-033)',
    async (path) => {
      const updates = updateFormat('ACS_DELTA', eventFormat([]));
      const { status } = await api.post(path, { transactionHash: '', updateFormat: updates });
      expect(status).toBe(400);
    },
  );
});
