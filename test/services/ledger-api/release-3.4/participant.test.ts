/** Checks and answers of a participant of release 3.4, next to the default release. */
import type { StartOptions } from 'canticle';
import { model } from '../../../support/daml/model-package.js';
import {
  byTemplate,
  create,
  eventFormat,
  exercise,
  startLedgerApi,
  updateFormat,
  type LedgerApi,
} from '../../../support/ledger-api.js';
import {
  EXECUTE,
  execution,
  onboard,
  PREPARE,
  preparation,
} from '../../../network/external/external-party.js';
import { GrpcClient } from '../../../support/grpc/client.js';

const RELEASES = ['3.4', '3.5'] as const;
const HMAC = { type: 'unsafe-jwt-hmac-256', secret: 'unsafe' } as const;

let api: LedgerApi;
afterEach(() => api.client.close());
const start = async (canton: '3.4' | '3.5', options: StartOptions = {}) => {
  api = await startLedgerApi({ canton, ...options });
};
const allocate = (body: object) => api.post('/v2/parties', body);
const causeOf = async (body: object): Promise<string> => (await allocate(body)).body.cause;

describe.each(RELEASES)('%s', (canton) => {
  const isOld = canton === '3.4';

  it('names the field of the metadata of a new party (R-34-060, R-34-061)', async () => {
    await start(canton);
    const field = `${isOld ? 'party_details.' : ''}local_metadata`;
    expect(await causeOf({ partyIdHint: 'a', localMetadata: { resourceVersion: '1' } })).toBe(
      `The submitted request has invalid arguments: field ${field}.resource_version must be not set`,
    );
    const annotations = { a: 'x'.repeat(256 * 1024) };
    expect(await causeOf({ partyIdHint: 'a', localMetadata: { annotations } })).toContain(
      `${field}.annotations`,
    );
  });

  it('rejects the id of a new party late and with an internal error, or first (R-34-062)', async () => {
    await start(canton);
    for (const partyIdHint of ['x'.repeat(186), 'a::b']) {
      const { status, body } = await allocate({ partyIdHint });
      if (isOld) {
        expect([status, body.errorCategory, body.grpcCodeValue]).toEqual([500, -1, 13]);
        expect(body.cause).toBe(`INTERNAL: ${body.code}`);
      } else {
        expect([status, body.code]).toEqual([400, 'INVALID_ARGUMENT']);
        expect(body.cause).toContain('Invalid party ID: ');
      }
    }
    const { body } = await allocate({ partyIdHint: 'a::b', identityProviderId: 'unknown' });
    expect(body.cause).toContain(isOld ? 'unknown' : 'Invalid party ID: ');
  });

  it('checks the identity provider of a party after or before its allocation (R-34-063)', async () => {
    await start(canton, {
      synchronizers: ['first', 'second'],
      auth: { services: [HMAC] },
    });
    const { network } = api.canticle;
    const [first, second] = network.synchronizers;
    const { identityProviders, parties, users } = network.participants[0]!;
    for (const id of ['a', 'b'])
      identityProviders.create({
        identityProviderId: id,
        issuer: id,
        jwksUrl: `http://localhost/${id}`,
      });
    users.create({ id: 'root' }, [{ kind: 'ParticipantAdmin' }]);
    const headers = {
      authorization: `Bearer ${await api.canticle.accessToken({ sub: 'root' })}`,
    };
    const ask = async (identityProviderId: string, synchronizerId: string) => {
      const body = { partyIdHint: 'p', identityProviderId, synchronizerId };
      return api.client.ledger('POST', '/v2/parties', body, { headers });
    };
    const { party } = (await ask('a', first!.id)).body.partyDetails;
    expect((await ask('b', second!.id)).status).toBe(403);
    expect(network.topology.synchronizersOf(party)).toEqual(
      isOld ? [first!.id, second!.id] : [first!.id],
    );
    expect(parties.identityProviderOf(party)).toBe('a');
  });

  it('grants rights for unknown parties, or only for known ones (R-34-065)', async () => {
    await start(canton);
    const user = { id: 'u', primaryParty: '', isDeactivated: false, identityProviderId: '' };
    const rights = [{ kind: { CanActAs: { value: { party: 'unknown::1220' } } } }];
    const { status, body } = await api.post('/v2/users', { user, rights });
    if (isOld) expect([status, body.code]).toEqual([404, 'UNKNOWN_RESOURCE']);
    else expect(status).toBe(200);
  });

  it('answers with its version (R-34-068)', async () => {
    await start(canton);
    const { version } = (await api.client.ledger('GET', '/v2/version')).body;
    expect(version).toMatch(isOld ? /^3\.4\./ : /^3\.5\./);
  });

  it('lets administrators of identity providers give rights for any party, or not (R-34-071)', async () => {
    await start(canton, { auth: { services: [HMAC] } });
    const { users } = api.canticle.network.participants[0]!;
    users.create({ id: 'idp' }, [{ kind: 'IdentityProviderAdmin' }]);
    const headers = { authorization: `Bearer ${await api.canticle.accessToken({ sub: 'idp' })}` };
    const user = { id: 'u', primaryParty: '', isDeactivated: false, identityProviderId: '' };
    const ask = async (method: string, path: string, body: object) =>
      (await api.client.ledger(method, path, body, { headers })).status;
    expect(await ask('POST', '/v2/users', { user })).toBe(200);
    for (const kind of ['CanReadAsAnyParty', 'CanExecuteAsAnyParty']) {
      const rights = [{ kind: { [kind]: { value: {} } } }];
      const changed = { userId: 'u', identityProviderId: '', rights };
      const expected = isOld ? 200 : 403;
      expect(await ask('POST', '/v2/users', { user: { ...user, id: kind }, rights })).toBe(
        expected,
      );
      expect(await ask('POST', '/v2/users/u/rights', changed)).toBe(expected);
      expect(await ask('PATCH', '/v2/users/u/rights', changed)).toBe(expected);
    }
    const rights = [{ kind: { ParticipantAdmin: { value: {} } } }];
    const changed = { userId: 'u', identityProviderId: '', rights };
    expect(await ask('POST', '/v2/users/u/rights', changed)).toBe(403);
  });

  it('lets users allocate external parties for themselves, or only administrators (R-34-048, R-34-072)', async () => {
    await start(canton, { auth: { services: [HMAC], maxSelfAllocatedParties: 1 } });
    const { users } = api.canticle.network.participants[0]!;
    users.create({ id: 'plain' }, []);
    const headers = { authorization: `Bearer ${await api.canticle.accessToken({ sub: 'plain' })}` };
    const body = { synchronizer: 'x', userId: 'plain', onboardingTransactions: [] };
    const path = '/v2/parties/external/allocate';
    const { status } = await api.client.ledger('POST', path, body, { headers });
    expect(status).toBe(isOld ? 403 : 400);
  });

  it('needs the right to read as any party for a contract without parties (R-34-073)', async () => {
    await start(canton, { auth: { services: [HMAC] } });
    const { users } = api.canticle.network.participants[0]!;
    users.create({ id: 'plain' }, []);
    const headers = { authorization: `Bearer ${await api.canticle.accessToken({ sub: 'plain' })}` };
    const body = { contractId: `00${'0'.repeat(64)}ca121220${'0'.repeat(64)}` };
    const path = '/v2/contracts/contract-by-id';
    const answer = await api.client.ledger('POST', path, body, { headers });
    expect(answer.status).toBe(403);
  });

  it('needs the right to read as any party for completions without parties, which only 3.5 has (R-34-070)', async () => {
    await start(canton, { auth: { services: [HMAC] } });
    const { users } = api.canticle.network.participants[0]!;
    users.create({ id: 'plain' }, []);
    users.create({ id: 'reader' }, [{ kind: 'CanReadAsAnyParty' }]);
    const path = '/v2/commands/command-completions?stream_idle_timeout_ms=1';
    const ask = async (sub: string) => {
      const headers = { authorization: `Bearer ${await api.canticle.accessToken({ sub })}` };
      return (await api.client.send('POST', path, { beginExclusive: 0 }, { headers })).status;
    };
    expect(await ask('plain')).toBe(isOld ? 404 : 403);
    expect(await ask('reader')).toBe(isOld ? 404 : 200);
  });

  it('rejects a time that is not the current one (R-34-067)', async () => {
    await start(canton, { grpc: true });
    const grpc = await GrpcClient.connect(api.canticle.urls.grpc!);
    const set = grpc.call('testing.TimeService/SetTime', {
      currentTime: '2020-01-01T00:00:00Z',
      newTime: '2027-01-01T00:00:00Z',
    });
    await expect(set).rejects.toMatchObject({
      code: 3,
      message: expect.stringContaining('current_time mismatch'),
    });
    grpc.close();
  });

  it('limits the signatures of a party to 50, or not (R-34-055)', async () => {
    await start(canton);
    const alice = await onboard(api, 'alice');
    const submitted = create(model('Dummy'), { operator: alice.party });
    const prepared = await api.ok(PREPARE, preparation(submitted, alice.party));
    const signature = alice.key.sign(prepared.preparedTransactionHash);
    const execute = async (count: number) =>
      api.post(
        EXECUTE,
        execution(prepared, alice, {
          partySignatures: {
            signatures: [{ party: alice.party, signatures: Array(count).fill(signature) }],
          },
        }),
      );
    const limit =
      'One or more parties provided more than the maximum number of signatures allowed (50)';
    for (const [count, isLimited] of [
      [50, false],
      [51, !isOld],
    ] as const) {
      const { body } = await execute(count);
      expect(String(body.cause).includes(limit)).toBe(isLimited);
    }
  });

  it('rejects each repeated disclosure, or only contradicting ones (R-34-059)', async () => {
    await start(canton);
    const [alice] = await api.parties('alice');
    const contractId = await api.create(model('Dummy'), { operator: alice }, { actAs: alice });
    const [{ createdEventBlob, templateId }] = await api.active(
      eventFormat([alice], byTemplate(model('Dummy'), true)),
    );
    const disclosed = { contractId, templateId, createdEventBlob, synchronizerId: '' };
    const { status, body } = await api.post(
      '/v2/commands/submit-and-wait',
      api.commands(exercise(model('Dummy'), contractId, 'Consume'), {
        actAs: alice,
        disclosedContracts: [disclosed, disclosed],
      }),
    );
    if (isOld)
      expect([status, body.code, body.cause]).toEqual([
        400,
        'INVALID_ARGUMENT',
        `The submitted request has invalid arguments: Disclosed contracts contain duplicate contract id (${contractId})`,
      ]);
    else expect(status).toBe(200);
  });

  it('sends the first checkpoint soon, or after a long time (R-34-069)', async () => {
    await start(canton, { checkpoints: { first: 1, interval: 1, idle: 1_000_000 } });
    const [alice] = await api.parties('alice');
    await api.submit(create(model('Dummy'), { operator: alice }), { actAs: alice });
    const request = {
      beginExclusive: await api.ledgerEnd(),
      updateFormat: updateFormat('ACS_DELTA', eventFormat([alice])),
    };
    const updates = await api.ok('/v2/updates?stream_idle_timeout_ms=100', request);
    expect(updates).toHaveLength(isOld ? 0 : 1);
  });
});
