/**
 * An external party and users at the app user's validator, on a LocalNet with Splice's code, through its clients' requests. The
 * validator's participant does not see the DSO's contracts.
 */
import { generateKeyPairSync, sign } from 'node:crypto';
import { useLocalnet } from '../../src/testing/jest.js';
import { describeWithDars } from '../support/foreign-files.js';
import { VALIDATOR_DARS } from '../support/splice/validator-world.js';

describeWithDars('the app user’s validator', VALIDATOR_DARS, () => {
  const localnet = useLocalnet({ seed: 3 });
  const { appUser } = localnet;
  const request = async (call: string, user: string, body?: unknown) => {
    const [method, path] = call.split(' ') as [string, string];
    const answer = await fetch(`${appUser.validator}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${appUser.token(user)}`,
        'content-type': 'application/json',
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json');
    return { status: answer.status, body: (isJson ? JSON.parse(text) : text) as any };
  };
  const OPERATOR = 'ledger-api-user';

  it('has the configured wallet only', async () => {
    expect((await request('GET /v0/admin/users', OPERATOR)).body).toEqual({
      usernames: ['app-user'],
    });
    expect((await request('GET /v0/admin/users', 'app-user')).status).toBe(403);
    expect((await request('GET /v0/entry/all', OPERATOR)).status).toBe(404);
    expect((await request('GET /v0/entry/all', 'app-user')).body).toEqual({ entries: [] });
  });

  it('sets up an external party, which receives the rewards of its activity', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const public_key = publicKey
      .export({ format: 'der', type: 'spki' })
      .subarray(-32)
      .toString('hex');
    const signed = (hash: string) =>
      sign(null, Buffer.from(hash, 'hex'), privateKey).toString('hex');
    const external = (call: string, body?: unknown) => {
      const [method, path] = call.split(' ');
      return request(`${method} /v0/admin/external-party/${path}`, OPERATOR, body);
    };
    const { topology_txs } = (
      await external('POST topology/generate', { party_hint: 'bob', public_key })
    ).body;
    const { party_id } = (
      await external('POST topology/submit', {
        public_key,
        signed_topology_txs: topology_txs.map(({ topology_tx, hash }: any) => ({
          topology_tx,
          signed_hash: signed(hash),
        })),
      })
    ).body;
    const proposed = await external('POST setup-proposal', { user_party_id: party_id });
    expect(proposed).toMatchObject({ status: 200 });
    const prepared = await external('POST setup-proposal/prepare-accept', {
      user_party_id: party_id,
      contract_id: proposed.body.contract_id,
      verbose_hashing: true,
    });
    expect(prepared.body.hashing_details).toMatch(/#|\d/);
    const accepted = await external('POST setup-proposal/submit-accept', {
      submission: {
        party_id,
        public_key,
        transaction: prepared.body.transaction,
        signed_tx_hash: signed(prepared.body.tx_hash),
      },
    });
    expect(accepted).toMatchObject({ status: 200 });
    expect(
      (await external(`GET balance?party_id=${encodeURIComponent(party_id)}`)).body,
    ).toMatchObject({
      total_coin_holdings: '0.0000000000',
    });
    const seen = await request(
      `GET /v0/scan-proxy/transfer-preapprovals/by-party/${encodeURIComponent(party_id)}`,
      'app-user',
    );
    expect(seen.status).toBe(200);
    await request('POST /v0/wallet/tap', 'app-user', { amount: '10' });
    const sent = await request('POST /v0/wallet/transfer-preapproval/send', 'app-user', {
      receiver_party_id: party_id,
      amount: '7.5',
      deduplication_id: 'once',
    });
    expect(sent).toMatchObject({ status: 200 });
    expect(
      (await external(`GET balance?party_id=${encodeURIComponent(party_id)}`)).body,
    ).toMatchObject({
      total_unlocked_coin: '7.5000000000',
    });
  });

  it('onboards a user, who taps, and offboards the user', async () => {
    const { party_id } = (await request('POST /v0/register', 'carol')).body;
    expect(party_id).toMatch(/^carol::1220/);
    expect((await request('POST /v0/wallet/tap', 'carol', { amount: '1' })).status).toBe(200);
    expect((await request('POST /v0/admin/users/offboard?username=carol', OPERATOR)).status).toBe(
      200,
    );
    expect((await request('GET /v0/wallet/balance', 'carol')).status).toBe(404);
  });
});
