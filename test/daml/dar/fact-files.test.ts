/** The cache on disk: what is in it, what is read of it, and that nothing but time depends on it. */
import { createCanticle, LedgerError, type Canticle } from 'canticle';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { ensureBuilt, root } from '../../repository/built-package.js';
import { amuletWorld } from '../../support/splice/amulet-world.js';
import { describeWithDars } from '../../support/foreign-files.js';
import { buildDar } from '../../support/daml/dar-builder.js';
import { e, type Code } from '../../support/daml/lf-code.js';
import { encodePackage } from '../../support/daml/lf-encoder.js';
import { probeModule } from '../../support/daml/lf-probe.js';
import { t } from '../../support/daml/lf-types.js';
import { check } from '../../support/property.js';
import { useTemporaryFolder } from '../../support/temporary-folder.js';

const good = encodePackage({ name: 'good', modules: { Main: { types: { T: { record: {} } } } } });
const illTyped = encodePackage({
  name: 'ill-typed',
  modules: { Main: { values: { x: { type: t.text, expression: e.int(1) } } } },
});
/** Of sources that were not built, as they are run here. */
const VERSION = 'canticle-unbuilt';

const home = useTemporaryFolder();
let folders = 0;

/** A new path: folders share no records, even in one process. */
const newFolder = (): string => join(home(), `${(folders += 1)}`);

function copyOf(folder: string): string {
  const copy = newFolder();
  cpSync(folder, copy, { recursive: true });
  return copy;
}

const accepts = (dar: Uint8Array, cache: string | false): boolean => {
  try {
    createCanticle({ cache, dars: [dar] });
    return true;
  } catch (error) {
    if (error instanceof LedgerError) return false;
    throw error;
  }
};

/** A folder with a record of the ill-typed package, which is accepted only with that record. */
function forged(): { folder: string; file: string } {
  const folder = newFolder();
  const text = JSON.stringify({
    format: 1,
    compiler: VERSION,
    packageId: illTyped.id,
    dependencies: [],
  });
  mkdirSync(join(folder, VERSION), { recursive: true, mode: 0o700 });
  const file = join(folder, VERSION, illTyped.id);
  const hash = createHash('sha256').update(text).digest('hex');
  writeFileSync(file, `${hash}\n${text}`, { mode: 0o600 });
  return { folder, file };
}

test('writes a file for each package, with access for its user only', () => {
  const folder = newFolder();
  createCanticle({ cache: folder, dars: [buildDar(good)] });
  expect(readdirSync(folder)).toEqual([VERSION]);
  expect(readdirSync(join(folder, VERSION))).toEqual([good.id]);
  const modes = [folder, join(folder, VERSION), join(folder, VERSION, good.id)].map(
    (path) => statSync(path).mode & 0o777,
  );
  expect(modes).toEqual([0o700, 0o700, 0o600]);
});

test('the environment variable sets the folder, unless the option does', () => {
  const [ours, theirs] = [newFolder(), newFolder()];
  const before = process.env['CANTICLE_CACHE'];
  process.env['CANTICLE_CACHE'] = theirs;
  try {
    createCanticle({ cache: ours, dars: [buildDar(good)] });
    createCanticle({ cache: false, dars: [buildDar(good)] });
    expect(readdirSync(home()).filter((name) => join(home(), name) === theirs)).toEqual([]);
    createCanticle({ dars: [buildDar(good)] });
    expect(readdirSync(theirs)).toEqual([VERSION]);
  } finally {
    process.env['CANTICLE_CACHE'] = before ?? 'off';
  }
});

test('trusts a record that its user owns', () => {
  expect(accepts(buildDar(illTyped), forged().folder)).toBe(true);
});

test.each<[string, (place: ReturnType<typeof forged>) => void]>([
  ['the cache is off', () => undefined],
  ['other users may write to the folder', ({ folder }) => chmodSync(folder, 0o777)],
  ['other users may write to the file', ({ file }) => chmodSync(file, 0o666)],
  ['the file is truncated', ({ file }) => truncateSync(file, 100)],
  ['the file is empty', ({ file }) => truncateSync(file, 0)],
  ['the file is too long', ({ file }) => truncateSync(file, 2 ** 25 + 1)],
  [
    'the file is a link',
    ({ folder, file }) => {
      const other = `${folder}-elsewhere`;
      writeFileSync(other, readFileSync(file), { mode: 0o600 });
      rmSync(file);
      symlinkSync(other, file);
    },
  ],
  [
    'the file is a folder',
    ({ file }) => {
      rmSync(file);
      mkdirSync(file);
    },
  ],
])('ignores a record if %s', (title, spoil) => {
  const place = forged();
  spoil(place);
  expect(accepts(buildDar(illTyped), title === 'the cache is off' ? false : place.folder)).toBe(
    false,
  );
});

test('replaces a damaged file', () => {
  const folder = newFolder();
  createCanticle({ cache: folder, dars: [buildDar(good)] });
  const damaged = copyOf(folder);
  const file = join(damaged, VERSION, good.id);
  truncateSync(file, 70);
  createCanticle({ cache: damaged, dars: [buildDar(good)] });
  expect(readFileSync(file)).toEqual(readFileSync(join(folder, VERSION, good.id)));
});

test.each<[string, (folder: string) => void]>([
  ['the path is a file', (folder) => writeFileSync(folder, '')],
  // For root, as in some containers, this is not a restriction.
  ['the folder is read-only', (folder) => mkdirSync(folder, { mode: 0o500 })],
])('works without a writable folder: %s', (_, prepare) => {
  const folder = newFolder();
  prepare(folder);
  expect(accepts(buildDar(good), folder)).toBe(true);
  expect(accepts(buildDar(illTyped), folder)).toBe(false);
});

test('deletes old files of other compiler versions, and no other files', () => {
  const folder = newFolder();
  mkdirSync(folder, { mode: 0o700 });
  for (const name of ['canticle-old', 'canticle-recent', 'somebody-else']) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'x'), '');
    if (name !== 'canticle-recent') utimesSync(join(folder, name), 1, 1);
  }
  createCanticle({ cache: folder, dars: [buildDar(good)] });
  expect(readdirSync(folder).sort()).toEqual(['canticle-recent', VERSION, 'somebody-else']);
});

describe('processes that start at the same time', () => {
  beforeAll(ensureBuilt, 60_000);

  test('share a folder, and print the same results', async () => {
    const [folder, dar, scenario] = [newFolder(), newFolder(), newFolder()];
    writeFileSync(`${dar}.dar`, buildDar(good));
    writeFileSync(
      `${scenario}.yaml`,
      `parties: [alice]\nsteps:\n  - { upload: ${dar}.dar }\n  - expect: { party: alice, balance: 0 }\n`,
    );
    const command = [join(root, 'bin', 'canticle.js'), 'run', `${scenario}.yaml`];
    const env = { ...process.env, CANTICLE_CACHE: folder };
    const running = [1, 2, 3].map(() => promisify(execFile)(process.execPath, command, { env }));
    const results = await Promise.all(running);
    expect(results.map(({ stdout }) => stdout)).toEqual(results.map(() => results[0]!.stdout));
    const [version] = readdirSync(folder);
    expect(readdirSync(join(folder, version!)).sort()).toEqual([good.id, 'built'].sort());
    const built = join(folder, version!, 'built');
    const [builtFile] = readdirSync(built);
    expect(builtFile).toMatch(/^run-/);
    // A truncated file is ignored, and written again.
    const whole = readFileSync(join(built, builtFile!));
    writeFileSync(join(built, builtFile!), whole.subarray(0, 1000));
    const again = await promisify(execFile)(process.execPath, command, { env });
    expect(again).toEqual(results[0]);
    expect(readFileSync(join(built, builtFile!)).length).toBeGreaterThan(whole.length / 2);
  });
});

/** The contracts and the ledger end of an instance. */
function transcript({ participant, network }: Canticle): unknown {
  return { contracts: participant.activeContracts(), updates: network.participants[0]!.log.end };
}

test('the same calls have the same results with and without a cache, warm and cold', () => {
  const { term } = fc.letrec<{ term: Code }>((tie) => ({
    term: fc.oneof(
      { maxDepth: 4 },
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((n) => e.int(n)),
      fc
        .tuple(
          fc.constantFrom('ADD_INT64', 'SUB_INT64', 'MUL_INT64', 'DIV_INT64', 'MOD_INT64'),
          tie('term'),
          tie('term'),
        )
        .map(([name, left, right]) => e.call(e.builtin(name), left, right)),
    ),
  }));
  check(
    fc.property(fc.array(term, { minLength: 1, maxLength: 4 }), (terms) => {
      const questions = terms.map(
        (value, index) => [`Ask${index}`, { type: t.int64, value }] as const,
      );
      const modules = { Main: probeModule(Object.fromEntries(questions)) };
      const main = encodePackage({ modules });
      const outcomeWith = (cache: string | false): unknown => {
        const canticle = createCanticle({ seed: 3, cache, dars: [buildDar(main)] });
        const { participant } = canticle;
        const alice = participant.allocateParty('alice');
        const template = `${main.id}:Main:Probe`;
        const by = { actAs: [alice] };
        const probe = participant.create(template, { owner: alice }, by);
        const answers = questions.map(([name]) => {
          try {
            return participant.exercise(template, probe, name, {}, by).result;
          } catch (error) {
            return String(error);
          }
        });
        return { answers, ...(transcript(canticle) as object) };
      };
      const folder = newFolder();
      const cold = outcomeWith(folder);
      expect(outcomeWith(copyOf(folder))).toEqual(cold);
      expect(outcomeWith(false)).toEqual(cold);
    }),
    { numRuns: 10 },
  );
});

describeWithDars('with a real Amulet DAR', ['splice-amulet-0.1.14.dar'], (dar) => {
  test('has the same results with and without a cache, which does not store a released DAR', () => {
    const outcomeWith = (cache: string | false): unknown => {
      const { canticle, alice, bob } = amuletWorld(dar, undefined, [], cache);
      const { amulet } = canticle;
      amulet.tap(alice, '100.0');
      const { instruction } = amulet.transfer({ from: alice, to: bob, amount: '30.0' });
      amulet.accept(instruction!, bob);
      return transcript(canticle);
    };
    const folder = newFolder();
    const cold = outcomeWith(folder);
    expect(existsSync(join(folder, VERSION))).toBe(false);
    expect(outcomeWith(false)).toEqual(cold);
  });
});

it.each([
  ['if a parent is a file', () => join(newFolder(), '..', 'a-file', 'cache')],
  // The parent folder exists, but no folder can be made in it.
  ['in /proc', () => '/proc/canticle/cache'],
])('runs without a cache %s, and prints one warning', (_, path) => {
  writeFileSync(join(home(), 'a-file'), '');
  const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    const cache = path();
    for (const name of ['one', 'two']) {
      const types = { [name === 'one' ? 'T' : 'U']: { record: {} } };
      expect(accepts(buildDar(encodePackage({ name, modules: { Main: { types } } })), cache)).toBe(
        true,
      );
    }
    expect(write.mock.calls).toEqual([[expect.stringMatching(/^canticle: the cache '.*'.*\.\n$/)]]);
  } finally {
    write.mockRestore();
  }
});
