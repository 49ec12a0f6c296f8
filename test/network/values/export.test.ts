/** Exports of active contracts: other participants import them, so that their bytes stay the same. */
import { createHash } from 'node:crypto';
import { createCanticle } from '../../../src/index.js';
import { exportedContracts } from '../../../src/network/reading/acs-export.js';

const IOU = '#canticle-quickstart:Quickstart.Iou:Iou';

it('always encodes to the same bytes', () => {
  const { network, participant } = createCanticle({ seed: 1 });
  const bank = participant.allocateParty('bank');
  const payload = { issuer: bank, owner: bank, currency: 'EUR', amount: '100.0', observers: [] };
  const ids = [1, 2].map(() => participant.create(IOU, payload, { actAs: [bank] }));
  const { packages } = network.participants[0]!;
  const synchronizerId = network.synchronizers[0]!.id;
  const activations = ids.map((id, place) => {
    const contract = network.contracts.get(id)!.instance;
    return {
      contract,
      synchronizerId,
      offset: 300 + place,
      nodeId: place,
      reassignmentCounter: place,
    };
  });
  const bytes = exportedContracts(packages, activations, [bank]);
  const digest = createHash('sha256').update(bytes).digest('hex');
  expect([bytes.length, digest]).toEqual([
    2612,
    'abaaa818d23653e4669b4aef06f183097ff7ee327491899044c944c83338a8a6',
  ]);
});
