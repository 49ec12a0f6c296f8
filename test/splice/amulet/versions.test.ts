/**
 * Which versions of splice-amulet can be booted, with nothing said but the DAR, and what then works. By default the ones that differ
 * from those that all other tests take; with CANTICLE_AMULET_VERSIONS=all every one.
 */
import { createCanticle } from 'canticle';
import { describeWithDars } from '../../support/foreign-files.js';

const everyVersion = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => `0.1.${first + index}`);
const isWhole = process.env['CANTICLE_AMULET_VERSIONS'] === 'all';
const BOOTABLE = isWhole ? everyVersion(9, 22) : ['0.1.9', '0.1.10', '0.1.13'];
const TOO_OLD = isWhole ? everyVersion(0, 8) : ['0.1.0', '0.1.8'];

describe.each(BOOTABLE)('splice-amulet %s', (version) => {
  describeWithDars('boots', [`splice-amulet-${version}.dar`], (dar) => {
    test('taps, transfers, preapprovals and rounds work', () => {
      const { amulet, participant } = createCanticle({ seed: 1, amulet: dar });
      const [alice, bob] = ['alice', 'bob'].map((hint) => participant.allocateParty(hint)) as [
        string,
        string,
      ];
      amulet.tap(alice, '100.0');
      const { instruction } = amulet.transfer({ from: alice, to: bob, amount: '10.0' });
      amulet.accept(instruction!, bob);
      amulet.preapprove(bob);
      expect(amulet.transfer({ from: alice, to: bob, amount: '5.0' }).instruction).toBeUndefined();
      amulet.feature(bob);
      for (let round = 0; round < 4; round++) amulet.advanceRounds();
      expect(amulet.holdings(bob)).toHaveLength(2);
    });
  });
});

describe.each(TOO_OLD)('splice-amulet %s', (version) => {
  describeWithDars('is too old', [`splice-amulet-${version}.dar`], (dar) => {
    test('and its error names it and the first supported version', () => {
      expect(() => createCanticle({ amulet: dar })).toThrow(
        `Failed to boot splice-amulet ${version}: it does not support the token standard. Use 0.1.9 or later.`,
      );
    });
  });
});
