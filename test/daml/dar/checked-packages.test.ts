/** Records of checked packages: the meaning of a record, and invalid records. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { CheckedPackages, type FactStore } from '../../../src/daml/dar/checked-packages.js';
import { readDar } from '../../../src/daml/dar/dar-file.js';
import { buildDar } from '../../support/daml/dar-builder.js';
import { e } from '../../support/daml/lf-code.js';
import { encodePackage } from '../../support/daml/lf-encoder.js';
import { t } from '../../support/daml/lf-types.js';
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

/** A package that fails every check: it is accepted only if a record is believed. */
const illTyped = encodePackage({
  name: 'ill-typed',
  modules: { Main: { values: { x: { type: t.text, expression: e.int(1) } } } },
});
const FACTS = { format: 1, compiler: COMPILER, packageId: illTyped.id, dependencies: [] };

/** Of the DAR above, in the order of its packages. */
const DAR_FACTS = {
  format: 1,
  compiler: COMPILER,
  dar: main.id,
  packages: { [main.id]: [library.id], [library.id]: [] },
};

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

/** Whether the bytes, as the record of that name, have a DAR accepted that is ill-typed. */
function isBelieved(bytes: Uint8Array, name = illTyped.id, refused = buildDar(illTyped)): boolean {
  const store = new Memory();
  store.write(`${COMPILER}/${name}`, bytes);
  const checked = new CheckedPackages(store, COMPILER);
  try {
    readDar(refused, undefined, { checked });
    return true;
  } catch {
    return false;
  }
}

const whole = record(JSON.stringify(FACTS));

test('stores one record for each checked package, by compiler and package id, and one for the DAR', () => {
  const store = new Memory();
  readDar(dar, undefined, { checked: new CheckedPackages(store, COMPILER) });
  const facts = { ...FACTS, packageId: main.id, dependencies: [library.id] };
  expect(Object.fromEntries(store.files)).toEqual({
    [`${COMPILER}/${main.id}`]: record(JSON.stringify(facts)),
    [`${COMPILER}/${library.id}`]: record(JSON.stringify({ ...FACTS, packageId: library.id })),
    [`${COMPILER}/dars/${main.id}`]: record(JSON.stringify(DAR_FACTS)),
  });
});

test('reads only the record of a DAR if it exists, and the records of its packages otherwise', () => {
  const store = new Memory();
  readDar(dar, undefined, { checked: new CheckedPackages(store, COMPILER) });
  const [ofDar, stored] = [`${COMPILER}/dars/${main.id}`, new Map(store.files)];
  const read: string[] = [];
  const written: string[] = [];
  const counting: FactStore = {
    read: (name) => (read.push(name), stored.get(name)),
    write: (name, bytes) => (written.push(name), stored.set(name, bytes)),
  };
  readDar(dar, undefined, { checked: new CheckedPackages(counting, COMPILER) });
  expect([read, written]).toEqual([[ofDar], []]);
  stored.delete(ofDar);
  readDar(dar, undefined, { checked: new CheckedPackages(counting, COMPILER) });
  expect(written).toEqual([ofDar]);
  expect(stored).toEqual(store.files);
});

test('a DAR record lists only the packages that were checked, not those of the ledger', () => {
  const store = new Memory();
  const checked = new CheckedPackages(store, COMPILER);
  const [known] = readDar(buildDar(library)).packages;
  const ledger = { package: (id: string) => (id === library.id ? known : undefined) };
  readDar(dar, ledger, { checked });
  expect(store.files.get(`${COMPILER}/dars/${main.id}`)).toEqual(
    record(JSON.stringify({ ...DAR_FACTS, packages: { [main.id]: [library.id] } })),
  );
});

test('a package with a record is not checked again, and its record is not written again', () => {
  const store = new Memory();
  readDar(dar, undefined, { checked: new CheckedPackages(store, COMPILER) });
  const stored = new Map(store.files);
  const written: string[] = [];
  const reader: FactStore = {
    read: (name) => stored.get(name),
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
  // A record confirms this:
  expect(isBelieved(whole)).toBe(true);
});

test('writes no record for a rejected package', () => {
  const store = new Memory();
  const checked = new CheckedPackages(store, COMPILER);
  expect(refusalOf(buildDar(illTyped), undefined, { checked }).code).toBe('DAR_VALIDATION_ERROR');
  expect(store.files.size).toBe(0);
});

test('a record does not replace a dependency that the DAR lacks', () => {
  const store = new Memory();
  readDar(dar, undefined, { checked: new CheckedPackages(store, COMPILER) });
  const checked = new CheckedPackages(store, COMPILER);
  expect(refusalOf(buildDar(main), undefined, { checked }).code).toBe('DAR_DEPENDENCIES_NOT_VALID');
});

test('a package id is the hash of the bytes, even if a stored record differs', () => {
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
  ['whose dependencies are not a list', { ...FACTS, dependencies: {} }],
  ['whose dependencies are not ids', { ...FACTS, dependencies: ['x'] }],
  ['that is null', null],
])('rejects a record %s', (_, facts) => {
  expect(isBelieved(record(JSON.stringify(facts)))).toBe(false);
});

test.each([
  ['nothing', ''],
  ['text', 'no record'],
  ['invalid JSON', record('{')],
  ['JSON without a hash', JSON.stringify(FACTS)],
])('%s is not a valid record', (_, bytes) => {
  expect(isBelieved(Buffer.from(bytes))).toBe(false);
});

/** Ill-typed, with a dependency that it uses. The check does not look for faults in packages next to an unused dependency. */
const dependent = encodePackage({
  name: 'dependent',
  modules: {
    Main: {
      types: { R: { record: { t: t.con(`${library.id}:Lib:T`) } } },
      values: { x: { type: t.text, expression: e.int(1) } },
    },
  },
});
const ILL_TYPED_DAR = {
  ...DAR_FACTS,
  dar: dependent.id,
  packages: { [dependent.id]: [library.id], [library.id]: [] },
};

const isBelievedOfDar = (bytes: Uint8Array): boolean =>
  isBelieved(bytes, `dars/${dependent.id}`, buildDar(dependent, library));

test('the record of a DAR covers its packages like their own records', () => {
  expect(isBelievedOfDar(record(JSON.stringify(ILL_TYPED_DAR)))).toBe(true);
});

test.each([
  ['of another compiler', { ...ILL_TYPED_DAR, compiler: 'canticle-other' }],
  ['of another DAR', { ...ILL_TYPED_DAR, dar: main.id }],
  ['of another format', { ...ILL_TYPED_DAR, format: 2 }],
  ['without packages', { ...ILL_TYPED_DAR, packages: undefined }],
  ['of other packages', { ...ILL_TYPED_DAR, packages: { [main.id]: [] } }],
  ['whose dependencies are not a list', { ...ILL_TYPED_DAR, packages: { [dependent.id]: {} } }],
  ['whose dependencies are not ids', { ...ILL_TYPED_DAR, packages: { [dependent.id]: ['x'] } }],
  [
    'with a key that is not a package id',
    { ...ILL_TYPED_DAR, packages: { ...ILL_TYPED_DAR.packages, x: [] } },
  ],
  ['that is null', null],
])('rejects a DAR record %s', (_, facts) => {
  expect(isBelievedOfDar(record(JSON.stringify(facts)))).toBe(false);
});

test('rejects a DAR record that is truncated or changed', () => {
  const whole = record(JSON.stringify(ILL_TYPED_DAR));
  const damage = fc.record({ at: fc.nat(whole.length - 1), to: fc.nat(255), cut: fc.boolean() });
  check(
    fc.property(damage, ({ at, to, cut }) => {
      const changed = cut ? whole.subarray(0, at) : Uint8Array.from(whole);
      if (!cut) changed[at] = to;
      fc.pre(!Buffer.from(changed).equals(whole));
      expect(isBelievedOfDar(changed)).toBe(false);
    }),
    { numRuns: 60 },
  );
});

test('rejects a truncated or changed record, and writes it again', () => {
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

describe('names found by a search through a whole package', () => {
  const names = (store: FactStore, found: readonly string[], compiler = COMPILER) =>
    new CheckedPackages(store, compiler).names(main.id, 'scripts', () => found);

  it('are searched once for the same compiler and purpose', () => {
    const store = new Memory();
    expect(names(store, ['Main:a', 'Main:b'])).toEqual(['Main:a', 'Main:b']);
    expect(names(store, ['Main:c'])).toEqual(['Main:a', 'Main:b']);
    expect(names(store, ['Main:d'], 'another')).toEqual(['Main:d']);
  });

  it('are searched again if the record is truncated, or belongs to another package', () => {
    const store = new Memory();
    names(store, ['Main:a']);
    const [place, bytes] = [...store.files][0]!;
    store.write(place, bytes.subarray(0, -1));
    expect(names(store, ['Main:b'])).toEqual(['Main:b']);
    const packageId = library.id;
    const other = { format: 1, compiler: COMPILER, packageId, scripts: ['Main:a'] };
    store.write(place, record(JSON.stringify(other)));
    expect(names(store, ['Main:c'])).toEqual(['Main:c']);
  });
});
