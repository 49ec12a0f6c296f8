/** Checks of prepared transactions and of routes in release 3.6, next to the default release. */
import { decodePreparedTransaction } from '@canton-network/core-tx-visualizer';
import { PreparedTransaction } from '@canton-network/core-ledger-proto';
import { model } from '../../../support/daml/model-package.js';
import {
  byTemplate,
  create,
  eventFormat,
  exercise,
  startLedgerApi,
  type JsonAnswer,
  type LedgerApi,
} from '../../../support/ledger-api.js';
import {
  execution,
  EXECUTE_AND_WAIT,
  onboard,
  PREPARE,
  preparation,
} from '../../../network/external/external-party.js';

let api: LedgerApi;
afterEach(() => api.client.close());

describe.each(['3.5', '3.6'] as const)('%s', (canton) => {
  const isNew = canton === '3.6';
  beforeEach(async () => {
    api = await startLedgerApi({ canton, synchronizers: ['here', 'there'] });
  });

  it('rejects a node that is newer than its transaction, or reads it (B-INT-048, R-36-053)', async () => {
    const synchronizerId = api.canticle.network.synchronizers[0]!.id;
    const signer = await onboard(api, 'signer');
    const submitted = create(model('Dummy'), { operator: signer.party });
    const prepared = await api.ok(
      PREPARE,
      preparation(submitted, signer.party, { synchronizerId }),
    );
    const changed = async (change: (transaction: JsonAnswer) => void) => {
      const decoded = decodePreparedTransaction(prepared.preparedTransaction);
      change(decoded.transaction);
      const bytes = Buffer.from(PreparedTransaction.toBinary(decoded)).toString('base64');
      const request = execution({ ...prepared, preparedTransaction: bytes }, signer);
      return String((await api.post(EXECUTE_AND_WAIT, request)).body.cause);
    };
    const text =
      'Failed to deserialize transaction: A transaction of version V1 cannot contain node of newer version (version V2)';
    const newer = await changed(({ nodes: [node] }) => {
      node.versionedNode.v1.nodeType.create.lfVersion = '2';
    });
    expect(newer.includes(text)).toBe(isNew);
    const same = await changed((transaction) => {
      transaction.version = '2';
      transaction.nodes[0].versionedNode.v1.nodeType.create.lfVersion = '2';
    });
    expect(same).not.toContain('newer version');
    const older = await changed((transaction) => (transaction.version = '2'));
    expect(older).not.toContain('newer version');
  });

  it('needs a stake in the inputs that move, or in all inputs (B-RSG-030, R-36-055)', async () => {
    const [here, there] = api.canticle.network.synchronizers.map(({ id }) => id) as [
      string,
      string,
    ];
    const [alice, bob] = await Promise.all(
      ['alice', 'bob'].map(async (partyIdHint) => {
        const { partyDetails } = await api.ok('/v2/parties', { partyIdHint, synchronizerId: here });
        await api.ok('/v2/parties', { partyIdHint, synchronizerId: there });
        return partyDetails.party as string;
      }),
    );
    const made = (template: string, payload: object, synchronizerId: string) =>
      api.create(model(template), payload, { actAs: alice!, synchronizerId });
    const delegated = await made('Delegated', { owner: alice }, here);
    const [{ createdEventBlob, templateId }] = await api.active(
      eventFormat([alice!], byTemplate(model('Delegated'), true)),
    );
    const disclosed = { contractId: delegated, templateId, createdEventBlob, synchronizerId: here };
    const submit = async (own: string, target: string) =>
      api.submitRefusal(exercise(model('Delegation'), own, 'FetchDelegated', { delegated }), {
        actAs: bob!,
        synchronizerId: target,
        disclosedContracts: [{ ...disclosed, synchronizerId: '' }],
      });
    const delegation = { owner: alice, delegate: bob };
    const movable = await made('Delegation', delegation, there);
    // The own contract moves to the foreign one, and the foreign one may not move.
    expect(await submit(movable, here)).toBe(isNew ? 'accepted' : 'SUBMITTER_ALWAYS_STAKEHOLDER');
    const other = await made('Delegation', delegation, there);
    expect(await submit(other, there)).toBe('NO_SYNCHRONIZER_FOR_SUBMISSION');
  });
});
