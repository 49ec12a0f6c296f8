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

describe('the proposals of one mapping', () => {
  const proposal = (number: number, isProposal = true): SignedMapping => {
    const hash = Uint8Array.of(number >> 8, number & 0xff);
    return { ...PROPOSAL, isProposal, transaction: { ...PROPOSAL.transaction, hash } };
  };
  const log = new MappingLog(new Journal());
  const unended = () => log.all('store').filter(({ until }) => until === undefined);

  it('are 1,000 at most', () => {
    for (let count = 0; count < 1_000; count += 1) log.append('store', proposal(count), 0n);
    expect(() => log.append('store', proposal(1_000), 0n)).toThrow(
      expect.objectContaining({ code: 'TOPOLOGY_TOO_MANY_PENDING_TOPOLOGY_TRANSACTIONS' }),
    );
    expect(unended()).toHaveLength(1_000);
  });

  it('can still get signatures at the limit, and end when one is in force', () => {
    log.append('store', proposal(7), 1n);
    expect(unended()).toHaveLength(1_000);
    log.append('store', proposal(1_000, false), 2n);
    expect(unended().map(({ isProposal }) => isProposal)).toEqual([false]);
  });
});
