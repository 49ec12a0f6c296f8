/** Saved worlds: their contents, and refused files and options. For the state after a load see test/properties. */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  brotliCompressSync,
  brotliDecompressSync,
  constants,
  gunzipSync,
  gzipSync,
} from 'node:zlib';
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

let plain: Buffer | undefined;
/** A copy. */
const unpacked = () => Buffer.from((plain ??= gunzipSync(bytes)));
/** Most tests look at what is in a file: to pack it takes longer than to read it. */
const packed = (data: Uint8Array) => gzipSync(data, { level: 0 });
const withHead = (change: (head: Record<string, unknown>) => object): Buffer => {
  const all = unpacked();
  const end = all.indexOf(10);
  const head = change(JSON.parse(all.subarray(0, end).toString()) as Record<string, unknown>);
  return packed(Buffer.concat([Buffer.from(JSON.stringify(head)), all.subarray(end)]));
};
/** The same, with the hash that the file then has to have. */
const withHashedHead = (change: (head: Record<string, unknown>) => object): Buffer => {
  const all = unpacked();
  const end = all.indexOf(10);
  const { sha256: _, ...head } = JSON.parse(all.subarray(0, end).toString());
  const open = JSON.stringify(change(head)).slice(0, -1);
  const rest = all.subarray(end + 1);
  const hash = createHash('sha256').update(open).update(rest).digest('hex');
  return packed(Buffer.concat([Buffer.from(`${open},"sha256":"${hash}"}\n`), rest]));
};

it('a file contains a world, which a load continues and a reset restores', () => {
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
  [
    'that is truncated',
    () => bytes.subarray(0, bytes.length - 40),
    'it is truncated: its end is missing.',
  ],
  [
    'whose contents were truncated before they were packed',
    () => gzipSync(unpacked().subarray(0, -7)),
    'it is truncated: ',
  ],
  [
    'whose contents were changed',
    () => {
      const all = unpacked();
      all[all.length - 5]! ^= 1;
      return gzipSync(all);
    },
    'it is damaged: its contents do not match its hash.',
  ],
  [
    'of a later version',
    () => withHead((head) => ({ ...head, version: 3 })),
    'it has version 3 of the format, but this Canticle reads only version 2.',
  ],
  [
    'whose header was changed',
    () => withHead((head) => ({ ...head, ledgerEnds: { one: 7, two: 7 } })),
    'it is damaged: its contents do not match its hash.',
  ],
  [
    'whose header was changed to the older format',
    () => withHead((head) => ({ ...head, version: 1 })),
    'it is damaged: its contents do not match its hash.',
  ],
  [
    'whose hash is not the last member of the header',
    () => withHead(({ format, sha256, ...head }) => ({ format, sha256, ...head })),
    'it is damaged: its contents do not match its hash.',
  ],
  [
    'without a network',
    () => withHashedHead((head) => ({ ...head, network: null })),
    'it is damaged: in its head, /network is not an object.',
  ],
  [
    'with null as a time',
    () =>
      withHashedHead((head) => ({
        ...head,
        network: { ...(head['network'] as object), start: null },
      })),
    'it is damaged: in its head, /network/start is not an integer as a string.',
  ],
  [
    'without participants',
    () =>
      withHashedHead((head) => ({
        ...head,
        network: { ...(head['network'] as object), participants: [] },
      })),
    'it is damaged: in its head, /network/participants is empty.',
  ],
  [
    'of another tool',
    () => gzipSync('{"format":"other"}\n'),
    'it is neither a world that Canticle saved',
  ],
  ['that is not gzip', () => Buffer.from('PK'), 'it is neither a world that Canticle saved'],
  ['that is empty', () => Buffer.alloc(0), 'it is neither a world that Canticle saved'],
])('the load rejects a file %s', (_, make, why) => {
  const file = join(folder(), 'bad.world');
  writeFileSync(file, make());
  expect(() => createCanticle({ load: file })).toThrow(
    `Failed to read the world '${file}': ${why}`,
  );
});

it('every changed bit of the header is an error', () => {
  const all = unpacked();
  const end = all.indexOf(10);
  for (let place = 0; place <= end; place += 41) {
    const changed = Buffer.from(all);
    changed[place]! ^= 1 << (place % 8);
    expect(() => createCanticle({ load: packed(changed) })).toThrow('Failed to read the world: ');
  }
});

it('reports any wrong value in a header in one sentence', () => {
  const places: string[][] = [];
  const walk = (value: unknown, path: string[]): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, each] of Object.entries(value)) {
      places.push([...path, name]);
      walk(each, [...path, name]);
    }
  };
  const all = unpacked();
  const { packages, sha256: _, ...head } = JSON.parse(all.subarray(0, all.indexOf(10)).toString());
  walk({ ...head, packages: packages.slice(0, 1) }, []);
  const faults: string[] = [];
  for (const path of places)
    for (const value of [null, 7, -1.5, 'x', [], {}]) {
      const load = withHashedHead((given) => {
        const changed = structuredClone(given);
        let at = changed as any;
        for (const name of path.slice(0, -1)) at = at[name];
        at[path.at(-1)!] = value;
        return changed;
      });
      try {
        createCanticle({ load });
      } catch (error) {
        const { name, message } = error as Error;
        if (name !== 'Error' || !/^Failed to read the world: [^\n]+\.$/.test(message))
          faults.push(`${path.join('/')} ${JSON.stringify(value)}: ${name}: ${message}`);
        else if (/undefined|properties of null|not a function|BigInt|iterable/.test(message))
          faults.push(`${path.join('/')} ${JSON.stringify(value)}: ${message}`);
      }
    }
  expect(faults).toEqual([]);
});

it('an older file, whose hash does not cover the header, can be loaded', () => {
  const all = unpacked();
  const end = all.indexOf(10);
  const rest = all.subarray(end + 1);
  const sha256 = createHash('sha256').update(rest).digest('hex');
  const load = withHead((head) => ({ ...head, version: 1, sha256 }));
  expect(createCanticle({ load }).token.holdings(alice)).toEqual(canticle.token.holdings(alice));
  const changed = Buffer.from(all);
  changed[changed.length - 9]! ^= 1;
  const older = withHead((head) => ({ ...head, version: 1 }));
  expect(() => createCanticle({ load: older })).toThrow('it is damaged');
});

it('three gigabytes of zeros are rejected before they use memory, packed or not', () => {
  const sparse = join(folder(), 'sparse.world');
  writeFileSync(sparse, '');
  truncateSync(sparse, 3 * 1024 ** 3);
  const packed = join(folder(), 'packed.world');
  const zeros = Buffer.alloc(16 * 1024 * 1024);
  const part = gzipSync(zeros, { level: 1 });
  writeFileSync(packed, Buffer.concat(Array.from({ length: 192 }, () => part)));
  const brotli = join(folder(), 'brotli.world');
  writeFileSync(
    brotli,
    brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  );
  const before = process.resourceUsage().maxRSS;
  expect(() => createCanticle({ load: sparse })).toThrow(
    'it has 3221225472 bytes, and the limit is 1073741824.',
  );
  for (const file of [packed, brotli])
    expect(() => createCanticle({ load: file })).toThrow(
      'it is neither a world that Canticle saved',
    );
  // In kilobytes.
  expect(process.resourceUsage().maxRSS - before).toBeLessThan(200 * 1024);
});

it('the error for a missing file has the code of the operating system', () => {
  expect(() => createCanticle({ load: 'nowhere.world' })).toThrow(
    expect.objectContaining({ code: 'ENOENT' }),
  );
});

const Note = defineTemplate({
  name: 'Own:Note',
  fields: { owner: d.party },
  signatories: ({ owner }) => [owner],
});

it('requires the TypeScript packages of a world in the options, and lists missing ones', () => {
  const own = definePackage({ name: 'own-package', version: '1.0.0', templates: [Note] });
  const saved = createCanticle({ packages: [own] }).dump();
  expect(() => createCanticle({ load: saved })).toThrow(
    /^Failed to read the world: it needs packages that it does not contain: own-package 1\.0\.0 \(/,
  );
  const again = createCanticle({ load: saved, packages: [own] });
  expect(Buffer.compare(again.dump(), saved)).toBe(0);
});

it('rejects options for a new world together with load', () => {
  expect(() => createCanticle({ load: bytes, seed: 4 })).toThrow(
    'Failed to create a Canticle: seed cannot be used with load: the saved world sets it.',
  );
});

it('a world is saved with its faults, but a fault with a function is rejected', () => {
  const faulty = createCanticle();
  faulty.faults.add({ on: 'getV2Version', do: { refuse: 'PARTICIPANT_BACKPRESSURE' } });
  expect(createCanticle({ load: faulty.dump() }).faults.list()).toEqual(faulty.faults.list());
  faulty.use('getV2Version', () => ({ status: 200, body: { version: '1' } }));
  expect(() => faulty.dump()).toThrow(
    'it holds the function answer (faults), which no file can hold',
  );
});

describeWithDars('a world with real Amulet', ['splice-amulet-0.1.14.dar'], (dar) => {
  it('continues with its wallets and rounds, with the DAR from the file or from the options', () => {
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
    expect(() => createCanticle({ load: without })).toThrow(
      /does not contain: .*splice-amulet 0\.1\.14 /,
    );
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

  it('equal the results of their scenarios: `npm run fixtures` writes them again', () => {
    expect([...made.keys()].sort()).toEqual(readdirSync(join(root, 'fixtures/saved')).sort());
    for (const [name, bytes] of made) expect(unpackedAt(name).equals(gunzipSync(bytes))).toBe(true);
  });

  it('are the same after load and save', () => {
    for (const bytes of made.values())
      expect(Buffer.compare(createCanticle({ load: bytes }).dump(), bytes)).toBe(0);
  });

  it('are ready to load', () => {
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
