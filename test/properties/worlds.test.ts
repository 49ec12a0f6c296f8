/**
 * A saved and loaded world continues without a difference: after random histories, and after each scenario, with each member of the
 * network unchanged.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createCanticle, startCanticle, type Canticle } from 'canticle';
import fc from 'fast-check';
import { describeWithDars } from '../support/foreign-files.js';
import { check } from '../support/property.js';
import { steps } from './commands.js';
import { SideBySide } from './side-by-side.js';
import { differences } from './state-differences.js';

const SCENARIOS = join(__dirname, '../../scenarios');
const loaded = (canticle: Canticle) => createCanticle({ load: canticle.dump() });

it('a loaded world continues with the same bytes', async () => {
  await check(
    fc.asyncProperty(steps, fc.nat(), async (list, number) => {
      const cut = number % (list.length + 1);
      const before = list.slice(0, cut);
      // It does not revert to an earlier state.
      const after = list.slice(cut).filter(({ verb }) => verb !== 'revert');
      const [stayed, moved] = [new SideBySide(), new SideBySide()];
      for (const each of [stayed, moved]) await each.run(before);
      moved.real.canticle = loaded(moved.real.canticle);
      expect(differences(moved.real.canticle, stayed.real.canticle)).toEqual([]);
      for (const each of [stayed, moved]) await each.run(after);
      const [here, there] = [stayed, moved].map(({ real }) => real.canticle.dump());
      expect(Buffer.compare(here!, there!)).toBe(0);
    }),
    { numRuns: 5 },
  );
});

it('a world from exported contracts has an export with the same bytes', async () => {
  await check(
    fc.asyncProperty(steps, async (list) => {
      const side = new SideBySide();
      await side.run(list);
      const { canticle } = side.real;
      for (const { name, engine } of canticle.participants) {
        const parties = canticle.network.topology.parties().filter((each) => engine.hosts(each));
        const how = { format: 'acs', parties } as const;
        const file = canticle.dump({ ...how, participant: name });
        if (engine.activeContracts.size === 0) continue;
        const again = createCanticle({ load: { file, parties } });
        expect(Buffer.compare(again.dump(how), file)).toBe(0);
        expect(Buffer.compare(createCanticle({ load: again.dump() }).dump(how), file)).toBe(0);
      }
    }),
    { numRuns: 4 },
  );
});

const WILDCARD = {
  cumulative: [
    { identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: true } } } },
  ],
};

/** The answers of a participant over HTTP about active contracts and incomplete reassignments. */
async function activeContractsOf(url: string, activeAtOffset: number): Promise<unknown> {
  const response = await fetch(`${url}/v2/state/active-contracts-page`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      eventFormat: { filtersByParty: {}, filtersForAnyParty: WILDCARD, verbose: false },
      activeAtOffset,
    }),
  });
  return response.json();
}

it('a fork of each participant returns the same contracts, including those in flight', async () => {
  await check(
    fc.asyncProperty(steps, async (list) => {
      const side = new SideBySide();
      await side.run(list);
      const { canticle } = side.real;
      await canticle.listen();
      try {
        for (const [name, url] of Object.entries(canticle.ledgerApis)) {
          const { end } = canticle.network.participant(name).log;
          const fork = await startCanticle({ fork: { url, cache: false } });
          const [there, here] = [
            await activeContractsOf(url, end),
            await activeContractsOf(fork.url, end),
          ];
          await fork.close();
          expect(here).toEqual(there);
        }
      } finally {
        await canticle.close();
      }
    }),
    { numRuns: 2 },
  );
});

/** Only the bytes are compared, because comparing all members takes seconds. */
const AMULET = 'amulet.yaml';

function sameAgain(name: string): void {
  const canticle = createCanticle({ scenario: join(SCENARIOS, name) });
  const saved = canticle.dump();
  const again = createCanticle({ load: saved });
  expect(Buffer.compare(again.dump(), saved)).toBe(0);
  if (name !== AMULET) expect(differences(again, canticle)).toEqual([]);
}

// test/testing/worlds.test.ts checks the long history, which it builds anyway.
const scenarios = readdirSync(SCENARIOS).filter((name) => name.endsWith('.yaml'));
it.each(scenarios.filter((name) => ![AMULET, 'long-history.yaml'].includes(name)))(
  '%s does not change when it is saved, loaded and saved',
  sameAgain,
);

describeWithDars('with a real Amulet DAR', ['splice-amulet-0.1.14.dar'], () => {
  it('amulet.yaml does not change when it is saved, loaded and saved', () => sameAgain(AMULET));
});

it('pruned history stays absent, and the other data is restored', () => {
  const canticle = createCanticle({ scenario: join(SCENARIOS, 'two-synchronizers.yaml') });
  const { engine } = canticle.participant;
  engine.prune(engine.log.end - 2, true);
  const again = loaded(canticle);
  expect(Buffer.compare(again.dump(), canticle.dump())).toBe(0);
  expect(differences(again, canticle)).toEqual([]);
});

it('detects a field that the file omits', () => {
  const canticle = createCanticle();
  const again = loaded(canticle);
  Object.assign(again.network.contracts, { forgotten: 1 });
  expect(differences(again, canticle)).toEqual(['network.contracts.forgotten: 1, not undefined']);
});
