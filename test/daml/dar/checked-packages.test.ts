/** What is kept about packages that were checked: what a record stands for, and what is no record. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { CheckedPackages, type FactStore } from '../../../src/daml/dar/checked-packages.js';
import { readDar } from '../../../src/daml/dar/dar-file.js';
import { buildDar } from '../../support/dar-builder.js';
import { e } from '../../support/lf-code.js';
import { encodePackage } from '../../support/lf-encoder.js';
import { t } from '../../support/lf-types.js';
import { check } from '../../support/property.js';
import { refusalOf } from './refused.js';

const COMPILER = 'canticle-test';

const library = encodePackage({
  name: 'library',
  modules: { Lib: { types: { T: { record: {} } } } },
});
const main = encodePackage({
  name: 'main',
  modules: { Main: { types: { R: { record: { t: t.con(`${library.id}:Lib:T`) } } } } },
});
const dar = buildDar(main, library);

/** A package that no check lets pass: whoever accepts it has believed a record. */
const illTyped = encodePackage({
  name: 'ill-typed',
  modules: { Main: { values: { x: { type: t.text, expression: e.int(1) } } } },
});
const FACTS = { format: 1, compiler: COMPILER, packageId: illTyped.id, dependencies: [] };

class Memory implements FactStore {
  readonly files = new Map<string, Uint8Array>();

  read(name: string): Uint8Array | undefined {
    return this.files.get(name);
  }

  write(name: string, bytes: Uint8Array): void {
    this.files.set(name, bytes);
  }
}

function record(text: string): Uint8Array {
  return Buffer.from(`${createHash('sha256').update(text).digest('hex')}\n${text}`);
}

/** Whether the bytes, as the record of the ill-typed package, are believed. */
function isBelieved(bytes: Uint8Array): boolean {
  const store = new Memory();
  store.write(`${COMPILER}/${illTyped.id}`, bytes);
  const checked = new CheckedPackages(store, COMPILER);
  try {
    readDar(buildDar(illTyped), undefined, { checked });
    return true;
  } catch {
    return false;
  }
}

const whole = record(JSON.stringify(FACTS));

test('a package that was checked has a record, by compiler and package id', () => {
  const store = new Memory();
  readDar(dar, undefined, { checked: new CheckedPackages(store, COMPILER) });
  const facts = { ...FACTS, packageId: main.id, dependencies: [library.id] };
  expect(Object.fromEntries(store.files)).toEqual({
    [`${COMPILER}/${main.id}`]: record(JSON.stringify(facts)),
    [`${COMPILER}/${library.id}`]: record(JSON.stringify({ ...FACTS, packageId: library.id })),
  });
});

test('with a record a package is not checked again, nor is the record written again', () => {
  const store = new Memory();
  readDar(dar, undefined, { checked: new CheckedPackages(store, COMPILER) });
  const kept = new Map(store.files);
  const written: string[] = [];
  const reader: FactStore = {
    read: (name) => kept.get(name),
    write: (name) => written.push(name),
  };
  const again = readDar(dar, undefined, { checked: new CheckedPackages(reader, COMPILER) });
  expect(again.packages.map(({ id, name, version }) => ({ id, name, version }))).toEqual([
    { id: main.id, name: 'main', version: '1.0.0' },
    { id: library.id, name: 'library', version: '1.0.0' },
  ]);
  expect(again.main.dependencies).toEqual([library.id]);
  expect(again.main.dataTypes.get('Main:R')).toEqual(readDar(dar).main.dataTypes.get('Main:R'));
  expect(written).toEqual([]);
  // Which is what a record stands for:
  expect(isBelieved(whole)).toBe(true);
});

test('a package that is refused has no record', () => {
  const store = new Memory();
  const checked = new CheckedPackages(store, COMPILER);
  expect(refusalOf(buildDar(illTyped), undefined, { checked }).code).toBe('DAR_VALIDATION_ERROR');
  expect(store.files.size).toBe(0);
});

test('a record does not stand in for a dependency that the DAR lacks', () => {
  const store = new Memory();
  readDar(dar, undefined, { checked: new CheckedPackages(store, COMPILER) });
  const checked = new CheckedPackages(store, COMPILER);
  expect(refusalOf(buildDar(main), undefined, { checked }).code).toBe('DAR_DEPENDENCIES_NOT_VALID');
});

test('a package id is the hash of the bytes, whatever there is a record of', () => {
  const [store, other] = [new Memory(), encodePackage({ name: 'other', modules: {} })];
  readDar(dar, undefined, { checked: new CheckedPackages(store, COMPILER) });
  const lying = { ...main, dalf: Buffer.from(other.dalf) };
  lying.dalf.write(main.id, lying.dalf.indexOf(other.id));
  const checked = new CheckedPackages(store, COMPILER);
  expect(refusalOf(buildDar(lying, library), undefined, { checked }).context['reason']).toBe(
    `Mismatching hashes! Expected ${other.id} but got ${main.id}`,
  );
});

test.each([
  ['of another compiler', { ...FACTS, compiler: 'canticle-other' }],
  ['of another package', { ...FACTS, packageId: main.id }],
  ['of another format', { ...FACTS, format: 2 }],
  ['without dependencies', { ...FACTS, dependencies: undefined }],
  ['whose dependencies are no list', { ...FACTS, dependencies: {} }],
  ['whose dependencies are no ids', { ...FACTS, dependencies: ['x'] }],
  ['that is null', null],
])('a record %s is none', (_, facts) => {
  expect(isBelieved(record(JSON.stringify(facts)))).toBe(false);
});

test.each([
  ['nothing', ''],
  ['text', 'no record'],
  ['what is no JSON', record('{')],
  ['what has no hash', JSON.stringify(FACTS)],
])('%s is no record', (_, bytes) => {
  expect(isBelieved(Buffer.from(bytes))).toBe(false);
});

test('a record that was cut off or changed anywhere is none, and is written anew', () => {
  const names = [main.id, library.id].map((id) => `${COMPILER}/${id}`);
  const damage = fc.record({ at: fc.nat(whole.length - 1), to: fc.nat(255), cut: fc.boolean() });
  check(
    fc.property(damage, fc.constantFrom(...names), ({ at, to, cut }, name) => {
      const changed = cut ? whole.subarray(0, at) : Uint8Array.from(whole);
      if (!cut) changed[at] = to;
      fc.pre(!Buffer.from(changed).equals(whole));
      expect(isBelieved(changed)).toBe(false);

      const store = new Memory();
      store.write(name, changed);
      readDar(dar, undefined, { checked: new CheckedPackages(store, COMPILER) });
      const found = new CheckedPackages(store, COMPILER);
      expect(found.get(main.id)).toEqual({ dependencies: [library.id] });
      expect(found.get(library.id)).toEqual({ dependencies: [] });
    }),
    { numRuns: 60 },
  );
});
