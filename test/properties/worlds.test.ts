/**
 * A world that is saved and loaded goes on as if nothing had been: after random histories, and after each scenario, with every
 * member of the network as it was.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createCanticle, type Canticle } from 'canticle';
import fc from 'fast-check';
import { check } from '../support/property.js';
import { steps } from './commands.js';
import { SideBySide } from './side-by-side.js';
import { differences } from './state-differences.js';

const SCENARIOS = join(__dirname, '../../scenarios');
const loaded = (canticle: Canticle) => createCanticle({ load: canticle.dump() });

it('what follows is what would have followed, to the byte', async () => {
  await check(
    fc.asyncProperty(steps, fc.nat(), async (list, number) => {
      const cut = number % (list.length + 1);
      const before = list.slice(0, cut);
      // What was there before is not gone back to.
      const after = list.slice(cut).filter(({ verb }) => verb !== 'revert');
      const [stayed, moved] = [new SideBySide(), new SideBySide()];
      for (const each of [stayed, moved]) await each.run(before);
      moved.real.canticle = loaded(moved.real.canticle);
      expect(differences(moved.real.canticle, stayed.real.canticle)).toEqual([]);
      for (const each of [stayed, moved]) await each.run(after);
      const [here, there] = [stayed, moved].map(({ real }) => real.canticle.dump());
      expect(Buffer.compare(here!, there!)).toBe(0);
    }),
    { numRuns: 8 },
  );
});

it.each(readdirSync(SCENARIOS).filter((name) => /^(?!amulet|long).*\.yaml$/.test(name)))(
  '%s is the same after save, load and save',
  (name) => {
    const canticle = createCanticle({ scenario: join(SCENARIOS, name) });
    const again = loaded(canticle);
    expect(Buffer.compare(again.dump(), canticle.dump())).toBe(0);
    expect(differences(again, canticle)).toEqual([]);
  },
);

it('what was pruned and forgotten is not there again, and what was remembered of it is', () => {
  const canticle = createCanticle({ scenario: join(SCENARIOS, 'two-synchronizers.yaml') });
  const { engine } = canticle.participant;
  engine.prune(engine.log.end - 2, true);
  const again = loaded(canticle);
  expect(Buffer.compare(again.dump(), canticle.dump())).toBe(0);
  expect(differences(again, canticle)).toEqual([]);
});

it('a field that no file has is found', () => {
  const canticle = createCanticle();
  const again = loaded(canticle);
  Object.assign(again.network.contracts, { forgotten: 1 });
  expect(differences(again, canticle)).toEqual(['network.contracts.forgotten: 1, not undefined']);
});
