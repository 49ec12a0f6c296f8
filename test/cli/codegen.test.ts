/** `canticle codegen`: files from DARs, their sources and what they depend on. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { complaintsAbout } from '../codegen/compile.js';
import { entryName, manifestFor, zipOf } from '../support/daml/dar-builder.js';
import { encodePackage, type PackageSpec } from '../support/daml/lf-encoder.js';
import { t } from '../support/daml/lf-types.js';
import { describeWithDars, foreignPath } from '../support/foreign-files.js';
import { useTemporaryFolder } from '../support/temporary-folder.js';
import { CommandHere, runHere as run } from './in-process.js';

const folder = useTemporaryFolder();

function writeDar(
  name: string,
  modules: PackageSpec['modules'],
  sources: Record<string, string> = {},
) {
  const encoded = encodePackage({ name: 'goods', version: '1.0.0', lf: '2', modules });
  const file = join(folder(), name);
  const entries = {
    'META-INF/MANIFEST.MF': manifestFor(encoded),
    [entryName(encoded)]: encoded.dalf,
  };
  writeFileSync(file, zipOf({ ...entries, ...sources }));
  return file;
}

const item = { types: { Item: { record: { owner: t.party } } } };

test('writes one file per module with the comments of the sources, and rewrites only changed files', async () => {
  const source =
    'module Goods.Item where\n-- | A thing.\ndata Item = Item with\n  owner : Party -- ^ Whose */ it is.\n';
  const modules = { 'Goods.Item': item, Other: item };
  const dar = writeDar('goods.dar', modules, { 'goods-1.0.0/Goods/Item.daml': source });
  const out = join(folder(), 'daml');
  expect(await run('codegen', dar, '--out', out)).toEqual({
    status: 0,
    stdout: `goods 1.0.0: 2 of 2 files written in ${out}.\n`,
    stderr: '',
  });
  const written = readFileSync(join(out, 'goods', 'Goods', 'Item.ts'), 'utf8');
  expect(written).toContain(
    '/** A thing. */\nexport interface Item {\n  /** Whose *\\/ it is. */\n',
  );

  writeFileSync(join(out, 'goods', 'own.ts'), '// not ours');
  const before = statSync(join(out, 'goods', 'Goods', 'Item.ts')).mtimeMs;
  const changed = writeDar(
    'goods.dar',
    { 'Goods.Item': item },
    { 'goods-1.0.0/Goods/Item.daml': source },
  );
  const { stdout } = await run('codegen', changed, '-o', out);
  expect(stdout).toBe(`goods 1.0.0: 0 of 1 file written, 1 removed in ${out}.\n`);
  expect(existsSync(join(out, 'goods', 'Other.ts'))).toBe(false);
  expect(existsSync(join(out, 'goods', 'own.ts'))).toBe(true);
  expect(statSync(join(out, 'goods', 'Goods', 'Item.ts')).mtimeMs).toBe(before);
});

test('refuses an invalid DAR, and a folder that cannot be written', async () => {
  const file = join(folder(), 'torn.dar');
  writeFileSync(file, 'no zip');
  const torn = await run('codegen', file, '--out', join(folder(), 'x'));
  expect(torn).toMatchObject({ status: 1, stdout: '' });
  expect(torn.stderr).toMatch(`canticle: failed to read ${file}: `);
  expect((await run('codegen', 'nowhere.dar', '--out', 'x')).stderr).toMatch(
    "no 'nowhere.dar' in ",
  );
  const taken = join(folder(), 'taken');
  writeFileSync(taken, '');
  const refused = await run('codegen', writeDar('one.dar', { Main: item }), '--out', taken);
  expect(refused.stderr).toMatch(`canticle: failed to write to ${taken}: `);
  expect((await run('codegen', file)).stderr).toMatch(
    "required option '-o, --out <folder>' not specified",
  );
});

test('writes the files again when a DAR changes, and continues after an invalid DAR', async () => {
  const out = join(folder(), 'watched');
  const touched = (modules: PackageSpec['modules'], second: number) =>
    utimesSync(writeDar('watched.dar', modules), second, second);
  touched({ Main: item }, 1);
  const file = join(folder(), 'watched.dar');
  const command = new CommandHere('codegen', '--watch', file, '--out', out);
  await command.until('1 of 1 file written');
  writeFileSync(file, 'no DAR');
  await command.until(`canticle: failed to read ${file}: `);
  touched({ Main: item, Other: item }, 2);
  await command.until('1 of 2 files written');
  command.stop();
  expect((await command.ended()).status).toBe(0);
});

/** The files of a folder, by their paths in it. */
function textsIn(out: string): Map<string, string> {
  const found = readdirSync(out, { recursive: true, encoding: 'utf8' });
  return new Map(
    found
      .filter((path) => path.endsWith('.ts'))
      .map((path) => [path, readFileSync(join(out, path), 'utf8')]),
  );
}

describeWithDars('splice-amulet', ['splice-amulet-0.1.22.dar'], () => {
  test('the output compiles with its dependencies and has doc comments', async () => {
    const out = join(folder(), 'amulet');
    mkdirSync(out);
    expect(await run('codegen', 'splice-amulet-0.1.22.dar', '--out', out)).toMatchObject({
      status: 0,
    });
    const texts = textsIn(out);
    const amulet = texts.get(join('splice-amulet', 'Splice', 'Amulet.ts'));
    expect(amulet).toContain("templateId: '#splice-amulet:Splice.Amulet:Amulet'");
    expect(amulet).toMatch(/^ \* A amulet, which can be locked/m);
    const use = `
      import type { Daml } from 'canticle';
      import { Amulet } from './splice-amulet/Splice/Amulet.js';
      import { Holding } from './splice-api-token-holding-v1/Splice/Api/Token/HoldingV1.js';
      declare const id: Daml.ContractId<Amulet>;
      export const holding: Daml.ContractId<Holding> = id;
      declare const view: Daml.ViewOf<typeof Holding>;
      export const until: Daml.Time | null | undefined = view.lock?.expiresAt;
      export const round: Daml.PayloadOf<typeof Amulet>['amount']['createdAt'] = { number: '1' };
      // @ts-expect-error an Int is a text
      export const odd: typeof round = { number: 1 };
    `;
    expect(complaintsAbout(new Map([...texts, ['use.ts', use]]))).toEqual([]);
  });
});

// All that there are compile: the newest of each name, with CANTICLE_ALL_DARS alone, which takes a minute.
if (process.env.CANTICLE_ALL_DARS)
  test('the output for real DARs compiles', async () => {
    for (const dar of newestDars()) {
      const out = join(folder(), dar);
      mkdirSync(out);
      const { status, stderr } = await run('codegen', dar, '--out', out);
      // DARs that a participant refuses get an error.
      if (status === 0) expect([dar, complaintsAbout(textsIn(out))]).toEqual([dar, []]);
      else expect(stderr).toMatch(/^canticle: failed to read /);
    }
  }, 300_000);

function newestDars(): Iterable<string> {
  const newest = new Map<string, string>();
  const numbers = new Intl.Collator('en', { numeric: true });
  const dars = readdirSync(foreignPath('DARs')).filter((name) => name.endsWith('.dar'));
  for (const name of dars.sort(numbers.compare))
    newest.set(name.replace(/-[\d.]*\.dar$/, ''), name);
  return newest.values();
}
