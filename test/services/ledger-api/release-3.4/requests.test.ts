/** Operations and members of requests that release 3.4 does not have, next to the default release. */
import { PreparedTransaction } from '@canton-network/core-ledger-proto';
import { model } from '../../../support/daml/model-package.js';
import {
  create,
  eventFormat,
  startLedgerApi,
  updateFormat,
  wildcard,
  type JsonAnswer,
  type LedgerApi,
} from '../../../support/ledger-api.js';
import {
  execution,
  EXECUTE,
  onboard,
  PREPARE,
  preparation,
} from '../../../network/external/external-party.js';

let api: LedgerApi;
let alice: string;
afterEach(() => api.client.close());

describe.each(['3.4', '3.5'] as const)('%s', (canton) => {
  const isOld = canton === '3.4';
  beforeEach(async () => {
    api = await startLedgerApi({ canton });
    [alice] = await api.parties('alice');
  });
  const dummy = () => api.submit(create(model('Dummy'), { operator: alice }), { actAs: alice });

  it.each([
    ['R-34-032', 'POST', '/v2/state/active-contracts-page'],
    ['R-34-034', 'POST', '/v2/updates/get-updates-page'],
    ['R-34-036', 'POST', '/v2/commands/command-completions'],
  ])('has no operation, or one (%s): %s %s', async (_id, method, path) => {
    const { status } = await api.client.send(method, path, {});
    expect(status === 404).toBe(isOld);
  });

  it('has no operations of traffic, which is off (R-34-057)', async () => {
    for (const path of ['/v2/traffic/state', '/v2/traffic/accounts'])
      expect((await api.client.send('GET', path)).status).toBe(404);
  });

  it('ignores a descending order, or needs an end for it (R-34-038, R-34-039)', async () => {
    await dummy();
    await dummy();
    const format = updateFormat('ACS_DELTA', eventFormat([alice], wildcard()));
    const read = (more: object) =>
      api.post('/v2/updates', {
        beginExclusive: 0,
        endInclusive: 4,
        updateFormat: format,
        descendingOrder: true,
        ...more,
      });
    const { body } = await read({ endInclusive: await api.ledgerEnd() });
    const offsets = body.map(({ update }: JsonAnswer) => update.Transaction.value.offset);
    const ascending = [...offsets].sort((a, b) => a - b);
    expect(offsets).toEqual(isOld ? ascending : ascending.reverse());
    const open = await read({ endInclusive: undefined });
    if (isOld) expect(open.status).toBe(200);
    else expect(open.body.code).toBe('DESCENDING_ORDER_MISSING_END');
  });

  it('ignores a token of another list, or rejects it (R-34-040, R-34-041)', async () => {
    await dummy();
    const token = Buffer.from('other').toString('base64');
    const [entry] = await api.acs(eventFormat([alice], wildcard()));
    expect('streamContinuationToken' in entry).toBe(!isOld);
    const { body } = await api.post('/v2/state/active-contracts', {
      eventFormat: eventFormat([alice], wildcard()),
      activeAtOffset: await api.ledgerEnd(),
      streamContinuationToken: token,
    });
    if (isOld) expect(body).toHaveLength(1);
    else expect(body.code).toMatch(/^INVALID_/);
  });

  it('shows no hash of a key, and no way to authenticate of a user (R-34-044, R-34-047)', async () => {
    await dummy();
    const [event] = await api.active(eventFormat([alice], wildcard()));
    expect('contractKeyHash' in event).toBe(!isOld);
    const user = { id: 'u', primaryParty: '', isDeactivated: false, identityProviderId: '' };
    const answer = await api.ok('/v2/users', { user });
    expect('primaryPartyAuthentication' in answer.user).toBe(!isOld);
  });

  it('hashes with the only scheme of protocol version 34 by default, and names its synchronizer logically (R-34-050, R-34-053)', async () => {
    const signer = await onboard(api, 'signer');
    const submitted = create(model('Dummy'), { operator: signer.party });
    const prepared = await api.ok(PREPARE, preparation(submitted, signer.party));
    expect(prepared.hashingSchemeVersion).toBe('HASHING_SCHEME_VERSION_V2');
    const { metadata } = PreparedTransaction.fromBinary(
      Buffer.from(prepared.preparedTransaction, 'base64'),
    );
    expect(metadata!.synchronizerId.endsWith('::35-0')).toBe(!isOld);
    expect(metadata!.globalKeyMapping).toEqual([]);
  });

  it('does not know the hashing scheme V3, or knows it (R-34-051)', async () => {
    const signer = await onboard(api, 'signer');
    const submitted = create(model('Dummy'), { operator: signer.party });
    const prepared = await api.ok(PREPARE, preparation(submitted, signer.party));
    const { status, body } = await api.post(
      EXECUTE,
      execution(prepared, signer, { hashingSchemeVersion: 'HASHING_SCHEME_VERSION_V3' }),
    );
    expect(status).toBe(400);
    if (isOld)
      expect(body).toContain(
        'Unrecognized enum value HASHING_SCHEME_VERSION_V3. Supported values: [HASHING_SCHEME_VERSION_UNSPECIFIED, HASHING_SCHEME_VERSION_V2]',
      );
    else expect(body.code).toBe('FAILED_TO_EXECUTE_TRANSACTION');
  });
});
