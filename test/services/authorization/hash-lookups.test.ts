/** The completions that a caller may look up by the hash of a transaction: those of its parties. */
import type { UserRight } from '../../../src/network/index.js';
import { startClient, type TestClient } from '../../support/client.js';
import { create, LedgerApi, ledgerApiOptions } from '../../support/ledger-api.js';
import { model } from '../../support/daml/model-package.js';
import {
  EXECUTE_AND_WAIT,
  execution,
  onboard,
  PREPARE,
  preparation,
} from '../../network/external/external-party.js';

let client: TestClient;
afterEach(() => client.close());

/** The API with the token of a new user. */
async function as(id: string, ...rights: UserRight[]): Promise<LedgerApi> {
  client.canticle.network.participants[0]!.users.create({ id }, rights);
  const token = await client.canticle.accessToken({ sub: id });
  const headers = { authorization: `Bearer ${token}` };
  const own = Object.create(client, {
    ledger: {
      value: (method: string, path: string, body?: unknown) =>
        client.ledger(method, path, body, { headers }),
    },
  }) as TestClient;
  return new LedgerApi(own);
}

it('returns a completion to a reader of its party or of any party, and rejects a caller without parties (R-36-036)', async () => {
  const services = [{ type: 'built-in-issuer' }] as const;
  client = await startClient(ledgerApiOptions({ canton: '3.6', auth: { services } }));
  const app = await as(
    'app',
    { kind: 'ParticipantAdmin' },
    { kind: 'CanReadAsAnyParty' },
    { kind: 'CanExecuteAsAnyParty' },
  );
  const { party, key } = await onboard(app, 'external');
  const other = client.canticle.participant.allocateParty('other');
  const request = {
    ...preparation(create(model('Dummy'), { operator: party }), party),
    userId: '',
  };
  const prepared = await app.ok(PREPARE, request);
  const hash: string = prepared.preparedTransactionHash;
  await app.ok(EXECUTE_AND_WAIT, execution(prepared, { party, key }, { userId: '' }));

  const found = async (id: string, ...rights: UserRight[]): Promise<string> => {
    const api = await as(id, ...rights);
    return api.refusal('/v2/commands/completion-by-hash', { transactionHash: hash });
  };
  expect(await found('any', { kind: 'CanReadAsAnyParty' })).toBe('accepted');
  expect(await found('reader', { kind: 'CanReadAs', party })).toBe('accepted');
  expect(await found('actor', { kind: 'CanActAs', party })).toBe('accepted');
  expect(await found('stranger', { kind: 'CanReadAs', party: other })).toBe('COMPLETION_NOT_FOUND');
  const nobody = await as('nobody', { kind: 'ParticipantAdmin' });
  const { status } = await nobody.post('/v2/commands/completion-by-hash', {
    transactionHash: hash,
  });
  expect(status).toBe(403);
});
