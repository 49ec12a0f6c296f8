/** Worlds as files: what they hold, and which files and options are refused. What follows a load is looked at in test/properties. */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { createCanticle, d, definePackage, defineTemplate, type Canticle } from 'canticle';
import { savedWorlds } from '../../fixtures/worlds/saved.js';
import { describeWithDars } from '../support/foreign-files.js';
import { useTemporaryFolder } from '../support/temporary-folder.js';

const folder = useTemporaryFolder();
let canticle: Canticle;
let bytes: Uint8Array;
let alice: string;
beforeAll(() => {
  canticle = createCanticle({ seed: 3, participants: ['one', 'two'] });
  alice = canticle.participant.allocateParty('alice');
  canticle.token.mint(alice, 5);
  bytes = canticle.dump();
});

const unpacked = () => gunzipSync(bytes);
const withHead = (change: (head: Record<string, unknown>) => object): Buffer => {
  const all = unpacked();
  const end = all.indexOf(10);
  const head = change(JSON.parse(all.subarray(0, end).toString()) as Record<string, unknown>);
  return gzipSync(Buffer.concat([Buffer.from(JSON.stringify(head)), all.subarray(end)]));
};

it('a file holds a world, which goes on from there, and which a reset goes back to', () => {
  const file = join(folder(), 'alice.world');
  canticle.save(file);
  expect(Buffer.compare(readFileSync(file), bytes)).toBe(0);
  const again = createCanticle({ load: file });
  expect(again.time).toBe(canticle.time);
  expect(again.token.holdings(alice)).toEqual(canticle.token.holdings(alice!));
  again.token.mint(alice, 1);
  again.reset();
  expect(Buffer.compare(again.dump(), bytes)).toBe(0);
});

it.each<[string, () => Uint8Array, string]>([
  ['that is torn', () => bytes.subarray(0, bytes.length - 40), 'it is torn: its end is missing.'],
  ['whose end was packed torn', () => gzipSync(unpacked().subarray(0, -7)), 'it is torn: '],
  [
    'that somebody changed',
    () => {
      const all = unpacked();
      all[all.length - 5]! ^= 1;
      return gzipSync(all);
    },
    'it is damaged: what it holds is not what was saved.',
  ],
  [
    'of a later version',
    () => withHead((head) => ({ ...head, version: 2 })),
    'it is of version 2 of the format, and this Canticle reads version 1.',
  ],
  ['of another tool', () => gzipSync('{"format":"other"}\n'), 'it is no world that Canticle saved'],
  ['that is no gzip', () => Buffer.from('PK'), 'it is no world that Canticle saved'],
  ['that is empty', () => Buffer.alloc(0), 'it is no world that Canticle saved'],
])('a file %s is refused', (_, make, why) => {
  const file = join(folder(), 'bad.world');
  writeFileSync(file, make());
  expect(() => createCanticle({ load: file })).toThrow(
    `Failed to read the world '${file}': ${why}`,
  );
});

it('a file that is not there is refused, with the code of the system', () => {
  expect(() => createCanticle({ load: 'nowhere.world' })).toThrow(
    expect.objectContaining({ code: 'ENOENT' }),
  );
});

const Note = defineTemplate({
  name: 'Own:Note',
  fields: { owner: d.party },
  signatories: ({ owner }) => [owner],
});

it('packages of TypeScript are brought by whoever loads the world, and named where they are missing', () => {
  const own = definePackage({ name: 'own-package', version: '1.0.0', templates: [Note] });
  const saved = createCanticle({ packages: [own] }).dump();
  expect(() => createCanticle({ load: saved })).toThrow(
    /^Failed to read the world: it needs packages that are not in it: own-package 1\.0\.0 \(/,
  );
  const again = createCanticle({ load: saved, packages: [own] });
  expect(Buffer.compare(again.dump(), saved)).toBe(0);
});

it('options that say how a world begins mean nothing beside one that has begun', () => {
  expect(() => createCanticle({ load: bytes, seed: 4 })).toThrow(
    'Failed to create a Canticle: seed means nothing beside load, as the world that is loaded says it.',
  );
});

it('a world is saved with its faults, but with none that runs a function', () => {
  const faulty = createCanticle();
  faulty.faults.add({ on: 'getV2Version', do: { refuse: 'PARTICIPANT_BACKPRESSURE' } });
  expect(createCanticle({ load: faulty.dump() }).faults.list()).toEqual(faulty.faults.list());
  faulty.use('getV2Version', () => ({ status: 200, body: { version: '1' } }));
  expect(() => faulty.dump()).toThrow(
    'it holds the function answer (faults), which no file can hold',
  );
});

describeWithDars('of real Amulet', ['splice-amulet-0.1.14.dar'], (dar) => {
  it('goes on in its wallets and rounds, and finds its DAR in the file or is given it', () => {
    const stayed = createCanticle({ amulet: dar });
    const [from, to] = ['from', 'to'].map((hint) => stayed.participant.allocateParty(hint));
    stayed.amulet.tap(from!, '100.0');
    stayed.advanceTime('PT30M');
    const without = stayed.dump({ packages: false });
    const moved = createCanticle({ load: stayed.dump() });
    for (const { amulet } of [stayed, moved])
      amulet.transfer({ from: from!, to: to!, amount: '4.0' });
    for (const each of [stayed, moved]) each.advanceTime('PT1H');
    expect(Buffer.compare(moved.dump(), stayed.dump())).toBe(0);
    expect(() => createCanticle({ load: without })).toThrow(/not in it: .*splice-amulet 0\.1\.14 /);
    const given = createCanticle({ load: without, dars: [dar] });
    expect(given.amulet.holdings(from!)).toHaveLength(1);
  });
});

describe('the worlds of fixtures/saved', () => {
  const root = join(__dirname, '..', '..');
  const unpackedAt = (name: string) =>
    brotliDecompressSync(readFileSync(join(root, 'fixtures/saved', name)));
  let made: ReadonlyMap<string, Uint8Array>;
  beforeAll(async () => {
    made = await savedWorlds(root);
  });

  it('are what their scenarios come to: `npm run fixtures` writes them anew', () => {
    expect([...made.keys()].sort()).toEqual(readdirSync(join(root, 'fixtures/saved')).sort());
    for (const [name, bytes] of made) expect(unpackedAt(name).equals(gunzipSync(bytes))).toBe(true);
  });

  it('are the same after load and save', () => {
    for (const bytes of made.values())
      expect(Buffer.compare(createCanticle({ load: bytes }).dump(), bytes)).toBe(0);
  });

  it('are there to start from', () => {
    const from = (name: string) =>
      createCanticle({ load: join(root, 'fixtures/saved', `${name}.world`) });
    const wallet = from('funded-wallet');
    const [owner] = wallet.network.topology
      .parties()
      .filter((party) => party.startsWith('alice::'));
    expect(wallet.token.holdings(owner!)).toHaveLength(2);
    expect(from('localnet').participants.map(({ name }) => name)).toContain('app-user');
    expect(from('migration').network.migrations.current).toBeGreaterThan(0);
  });
});
