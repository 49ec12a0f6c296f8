/** Every scenario that comes with Canticle holds, fits its published schema, and is the same each time. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { createCanticle } from 'canticle';
import { scenarioSchema } from '../../src/scenario/schema.js';
import { assemble } from '../../src/assembly/assemble.js';
import { Canticle } from '../../src/assembly/canticle.js';
import { AMULET_DAR } from '../support/splice/amulet-world.js';
import { skipsWithout } from '../support/foreign-files.js';
import { bytesOf } from './scenario-files.js';

const folder = join(__dirname, '../../scenarios');
const all = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
// Splice's code is not part of the repository: that scenario runs only with a local copy.
const needed = (name: string) => (name === 'amulet.yaml' ? [AMULET_DAR] : []);
const names = all.filter((name) => !skipsWithout('DARs', needed(name), name));
const published = JSON.parse(readFileSync(join(folder, 'scenario.schema.json'), 'utf8'));
const fits = new Ajv({ strict: false }).compile(published);

it('a scenario exists for each part of the world', () => {
  expect(all).toEqual([
    'amulet.yaml',
    'funded-wallet.yaml',
    'in-flight.yaml',
    'long-history.yaml',
    'migration.yaml',
    'pending-transfer.yaml',
    'privacy.yaml',
    'reward-rounds.yaml',
    'two-synchronizers.yaml',
    'welcome.yaml',
  ]);
});

it('the published schema equals the generated one (`npm run generate`)', () => {
  expect(published).toEqual(JSON.parse(JSON.stringify(scenarioSchema())));
});

describe.each(names)('%s', (name) => {
  const path = join(folder, name);

  const run = () => assemble({ scenario: path }, (world, parts) => new Canticle(world, parts));
  let first: ReturnType<typeof run>;
  beforeAll(() => {
    first = run();
  });

  it('meets its expectations', () => {
    const { expectations, broken } = first.report!;
    expect(broken).toBeUndefined();
    expect(expectations.map(({ failure }) => failure?.message).filter(Boolean)).toEqual([]);
    expect(expectations.length).toBeGreaterThan(3);
  });

  it('names its schema for editors, and matches it', () => {
    const text = readFileSync(path, 'utf8');
    expect(text.split('\n')[0]).toBe('# yaml-language-server: $schema=./scenario.schema.json');
    expect([fits(parse(text)), fits.errors]).toEqual([true, null]);
  });

  it('produces the same bytes each time', () => {
    const { canticle } = first;
    expect(bytesOf(canticle) === bytesOf(createCanticle({ scenario: path }))).toBe(true);
    // Of the others test/properties/worlds.test.ts asks more.
    if (!name.startsWith('long')) return;
    const saved = canticle.dump();
    expect(Buffer.compare(createCanticle({ load: saved }).dump(), saved)).toBe(0);
  });
});

it('another seed produces another world, and an option overrides the file', () => {
  const scenario = join(folder, 'two-synchronizers.yaml');
  const options = { scenario, time: '2027-05-01T00:00:00Z' };
  const worlds = [1, 2].map((seed) => createCanticle({ ...options, seed }));
  expect(worlds.map(({ time }) => time.slice(0, 10))).toEqual(['2027-05-01', '2027-05-01']);
  expect(bytesOf(worlds[0]!)).not.toBe(bytesOf(worlds[1]!));
  // The file's own seed is 1.
  const [own, same] = [createCanticle({ scenario }), createCanticle({ scenario, seed: 1 })];
  expect(bytesOf(own!)).toBe(bytesOf(same!));
});
