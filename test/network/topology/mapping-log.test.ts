/** The limit of transactions in a topology store. */
import { Journal } from '../../../src/network/journal/journal.js';
import { MappingLog } from '../../../src/network/topology/mapping-log.js';
import type { SignedMapping } from '../../../src/network/topology/signed-mappings.js';

const MOST = 100_000;
const PROPOSAL: SignedMapping = {
  transaction: {
    mapping: { kind: 'VettedPackages', participantId: 'one::a', packages: [] },
    ...{ serial: 1, replaces: true, hash: new Uint8Array(34), encoded: new Uint8Array(0) },
  },
  ...{ signatures: [], joint: [], isProposal: true },
};

it('keeps 100,000 transactions of each store, and refuses the next one', () => {
  const log = new MappingLog(new Journal());
  for (let count = 0; count < MOST; count += 1) log.append('full', PROPOSAL, 0n);
  expect(() => log.append('full', PROPOSAL, 0n)).toThrow(
    expect.objectContaining({ code: 'TOPOLOGY_TOO_MANY_PENDING_TOPOLOGY_TRANSACTIONS' }),
  );
  expect(log.all('full')).toHaveLength(MOST);
  log.append('other', PROPOSAL, 0n);
  expect(log.all('other')).toHaveLength(1);
});
