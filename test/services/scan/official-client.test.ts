/** The official clients of Splice and of the token standard, 1.8.0, over real HTTP. */
import {
  ScanClient,
  ScanProxyClient,
  ValidatorInternalClient,
} from '@canton-network/core-splice-client';
import { TokenStandardClient } from '@canton-network/core-token-standard';
// The package exports its Scan types through a path that does not resolve; this is the file it means.
import type { components } from '../../../node_modules/@canton-network/core-splice-client/dist/generated-clients/scan.js';
import { startCanticle, type Canticle } from 'canticle';

type Page = components['schemas']['UpdateHistoryResponseV2'];
type DsoPartyId = components['schemas']['GetDsoPartyIdResponse'];

let canticle: Canticle;
let alice: string;
let bob: string;

beforeAll(async () => {
  canticle = await startCanticle({ seed: 5 });
  const { participant } = canticle;
  alice = participant.allocateParty('alice');
  bob = participant.allocateParty('bob');
});
afterAll(() => canticle.close());

const silent = { info() {}, warn() {}, error() {}, debug() {}, trace() {}, fatal() {} } as never;
const anonymous = { getAccessToken: () => Promise.resolve('') } as never;

describe('Scan', () => {
  // The client writes each path below its own base.
  const client = () => new ScanClient(new URL(canticle.urls.scan), silent, anonymous);

  test('pages through the history until a page is short', async () => {
    const { participant } = canticle;
    const iou = '#canticle-quickstart:Quickstart.Iou:Iou';
    for (const amount of ['1.0', '2.0', '3.0'])
      participant.create(
        iou,
        { issuer: alice, owner: alice, currency: 'EUR', amount, observers: [] },
        { actAs: [alice] },
      );
    const ids: string[] = [];
    let after: { after_migration_id: number; after_record_time: string } | undefined;
    for (;;) {
      const { transactions } = (await client().post('/v2/updates', {
        page_size: 2,
        after,
      })) as Page;
      for (const item of transactions) {
        if (!('events_by_id' in item)) throw new Error('Nothing was reassigned here.');
        ids.push(item.update_id);
        after = { after_migration_id: item.migration_id, after_record_time: item.record_time };
      }
      if (transactions.length < 2) break;
    }
    expect(ids).toHaveLength(new Set(ids).size);
    expect(ids.length).toBeGreaterThanOrEqual(3);
    const one = await client().get('/v2/updates/{update_id}', { path: { update_id: ids.at(-1)! } });
    expect(one).toMatchObject({ update_id: ids.at(-1) });
  });

  test('throws the body of an error', async () => {
    await expect(client().post('/v2/updates', { page_size: 0 })).rejects.toEqual({
      error: 'Limit must be at least 1.',
    });
  });

  test('returns the migration schedule if there is one, and 404 without a body otherwise', async () => {
    const bare = await fetch(`${canticle.urls.scan}/v0/migrations/schedule`);
    expect([bare.status, await bare.text()]).toEqual([404, '']);
    canticle.scheduleMigration({ time: '2026-06-01T00:00:00Z', migrationId: 1 });
    expect(await client().get('/v0/migrations/schedule')).toEqual({
      time: '2026-06-01T00:00:00Z',
      migration_id: 1,
    });
    canticle.clearMigrationSchedule();
  });
});

test('the validator reports its operator, and its proxy reports the DSO and a missing preapproval', async () => {
  const base = new URL(canticle.urls.validator);
  const dso = (await new ScanProxyClient(base, silent, anonymous).get(
    '/v0/scan-proxy/dso-party-id',
  )) as DsoPartyId;
  expect(dso.dso_party_id).toMatch(/^DSO::/);
  const operator = await new ValidatorInternalClient(base, silent, anonymous).get(
    '/v0/validator-user',
  );
  expect(operator).toEqual({
    // By default the validator is the participant's own party.
    party_id: canticle.participant.id,
    user_name: 'ledger-api-user',
    featured: false,
  });
  await expect(
    new ScanProxyClient(base, silent, anonymous).get(
      '/v0/scan-proxy/transfer-preapprovals/by-party/{party}',
      { path: { party: bob } },
    ),
  ).rejects.toEqual({ error: `No TransferPreapproval found for party: ${bob}` });
});

describe('the registry', () => {
  const registry = (base = canticle.url) => new TokenStandardClient(base, silent, anonymous);

  test('returns its metadata and its instruments, at the root and through the proxy of the validator', async () => {
    for (const base of [canticle.url, `${canticle.urls.validator}/v0/scan-proxy`]) {
      const { instruments } = await registry(base).get('/registry/metadata/v1/instruments');
      expect(instruments).toEqual([expect.objectContaining({ id: 'TestToken', symbol: 'TEST' })]);
    }
  });

  test('returns a factory with the disclosed contracts', async () => {
    const { adminId } = await registry().get('/registry/metadata/v1/info');
    const transfer = {
      sender: alice,
      receiver: bob,
      amount: '1.0',
      instrumentId: { admin: adminId, id: 'TestToken' },
      requestedAt: '2026-01-01T00:00:00Z',
      executeBefore: '2026-01-02T00:00:00Z',
      inputHoldingCids: [],
      meta: { values: {} },
    };
    const extraArgs = { context: { values: {} }, meta: { values: {} } };
    const answer = await registry().post('/registry/transfer-instruction/v1/transfer-factory', {
      choiceArguments: { expectedAdmin: adminId, transfer, extraArgs } as never,
      excludeDebugFields: true,
    });
    expect(answer.transferKind).toBe('offer');
    expect(answer.choiceContext.disclosedContracts.map(({ contractId }) => contractId)).toEqual([
      answer.factoryId,
    ]);
  });

  test('throws the body of an error', async () => {
    await expect(
      registry().post(
        '/registry/transfer-instruction/v1/{transferInstructionId}/choice-contexts/reject',
        { excludeDebugFields: false },
        { path: { transferInstructionId: '00ab' } },
      ),
    ).rejects.toEqual({ error: "TransferOffer '00ab' not found." });
  });
});
