/** A DAR that is read again. Its archives are not read again, but the reader's languages and limits still count. */
import { isLegacy, type LfArchive } from '../../../src/daml/archive/lf-archive.js';
import { readDar } from '../../../src/daml/dar/dar-file.js';
import { MAX_REMEMBERED_DARS, ReadDars } from '../../../src/daml/dar/read-dars.js';
import { buildDar } from '../../support/daml/dar-builder.js';
import { encodeArchive, encodePackage } from '../../support/daml/lf-encoder.js';
import { message, part, text } from '../../support/daml/protobuf-bytes.js';
import { heldMegabytes } from '../../support/memory.js';
import { refusalOf } from './refused.js';

const darOf = (name: string) =>
  buildDar(
    encodePackage({ name, modules: { Main: { types: { T: { record: {} } } } } }),
    encodePackage({ name: 'library', modules: { Lib: { types: { T: { record: {} } } } } }),
  );
const first = darOf('first');

/** Archives stay in memory while a package uses them. */
const kept: unknown[] = [];
function archivesOf(dars: ReadDars, dar: Uint8Array, options = {}): readonly LfArchive[] {
  const found = dars.archives(dar, options);
  dars.add(found);
  kept.push(found);
  return found.archives as readonly LfArchive[];
}

it('has the archives of the first time', () => {
  const dars = new ReadDars();
  const archives = archivesOf(dars, first);
  const again = archivesOf(dars, Uint8Array.from(first));
  expect(again.map(({ packageId }) => packageId)).toEqual(
    archives.map(({ packageId }) => packageId),
  );
  for (const [i, each] of archives.entries()) expect(again[i]).toBe(each);
  expect(archivesOf(dars, darOf('other'))[0]).not.toBe(archives[0]);
});

it('is refused as before by a reader that does not know its language, or that has a lower limit', () => {
  const options = [
    { languages: { known: ['2.0'] } },
    { languages: { known: ['2.0'], asRange: true } },
    { maxSize: 10 },
    { maxEntrySize: 10 },
  ];
  const refused = () => options.map((each) => refusalOf(first, undefined, each));
  const before = refused();
  kept.push(readDar(first));
  expect(refused()).toEqual(before);
  kept.push(readDar(first));
  const dars = new ReadDars();
  archivesOf(dars, first);
  for (const each of options) expect(() => archivesOf(dars, first, each)).toThrow();
});

it('is not remembered by a reader with other limits', () => {
  const dars = new ReadDars();
  const [archive] = archivesOf(dars, first, { maxSize: 1e6, maxEntrySize: 1e6 });
  expect(archivesOf(dars, first)[0]).not.toBe(archive);
});

it('is read again after its archives have left the memory', async () => {
  const dars = new ReadDars();
  dars.add(dars.archives(first, {}));
  await new Promise((resolve) => setImmediate(resolve));
  heldMegabytes();
  const { archives } = dars.archives(first, {});
  expect(archives.map((each) => (each as LfArchive).version.name)).toEqual(['2.1', '2.1']);
});

it('is not remembered with a package of language version 1', () => {
  const legacy = message(text(3, '17'), part(2, message(part(4, message()))));
  const main = encodePackage({ name: 'main', modules: {} });
  const dar = buildDar(main, { ...main, name: 'legacy', dalf: encodeArchive(legacy) });
  const dars = new ReadDars();
  for (let n = 0; n < 2; n += 1) {
    const found = dars.archives(dar, {});
    expect(found.unknown).toBeUndefined();
    expect(found.archives.map(isLegacy)).toEqual([false, true]);
    dars.add(found);
  }
});

it('is remembered with up to 999 others', () => {
  expect(MAX_REMEMBERED_DARS).toBe(1000);
  const dars = new ReadDars(2);
  const [archive] = archivesOf(dars, first);
  archivesOf(dars, darOf('second'));
  expect(archivesOf(dars, first)[0]).toBe(archive);
  archivesOf(dars, darOf('third'));
  expect(archivesOf(dars, first)[0]).not.toBe(archive);
});
