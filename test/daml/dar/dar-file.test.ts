import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { byTable as crc32ByTable } from '../../../src/daml/archive/zip/crc32.js';
import { readDar } from '../../../src/daml/dar/dar-file.js';
import {
  buildDar,
  entryName,
  manifestFor,
  manifestOf,
  zipOf,
} from '../../support/daml/dar-builder.js';
import { e, u, type Code } from '../../support/daml/lf-code.js';
import {
  encodeArchive,
  encodePackage,
  encodePayload,
  type ModuleSpec,
} from '../../support/daml/lf-encoder.js';
import { t } from '../../support/daml/lf-types.js';
import { check } from '../../support/property.js';
import { int, message, part, text } from '../../support/daml/protobuf-bytes.js';
import { errorOf, parseFault, refusalOf, validationFault } from './refused.js';

const MANIFEST = 'META-INF/MANIFEST.MF';

interface LocalHeader {
  readonly flags?: number;
  readonly method?: number;
  readonly crc?: number;
  readonly size?: number;
  readonly originalSize?: number;
  /** Sum and sizes are behind the entry. */
  readonly described?: boolean | 'unsigned';
}

/** An entry with its header, as in a zip. */
function localEntry(name: string | Buffer, content: Uint8Array | string, more: LocalHeader = {}) {
  const { method = 8, described = false, flags = described ? 8 : 0 } = more;
  const bytes = Buffer.from(content as Uint8Array);
  const packed = method === 0 ? bytes : deflateRawSync(bytes);
  const { crc = crc32ByTable(bytes), size = packed.length, originalSize = bytes.length } = more;
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(flags, 6);
  header.writeUInt16LE(method, 8);
  const sums = Buffer.alloc(12);
  for (const [index, value] of [crc, size, originalSize].entries())
    sums.writeUInt32LE(value, index * 4);
  if (described === false) sums.copy(header, 14);
  header.writeUInt16LE(Buffer.from(name as string).length, 26);
  const signature = Buffer.from(described === true ? 'PK\u0007\u0008' : '');
  const behind = described === false ? [] : [signature, sums];
  return Buffer.concat([header, Buffer.from(name as string), packed, ...behind]);
}
const library = encodePackage({
  name: 'library',
  modules: { Lib: { types: { T: { record: {} } } } },
});
const main = encodePackage({
  name: 'main',
  modules: { Main: { types: { R: { record: { t: t.con(`${library.id}:Lib:T`) } } } } },
});

describe('the file', () => {
  test('has the main package first, then its dependencies', () => {
    const dar = readDar(buildDar(main, library));
    expect(dar.main.id).toBe(main.id);
    expect(dar.packages.map(({ id, name, version }) => ({ id, name, version }))).toEqual([
      { id: main.id, name: 'main', version: '1.0.0' },
      { id: library.id, name: 'library', version: '1.0.0' },
    ]);
    expect(Buffer.from(dar.main.archive!).equals(main.payload)).toBe(true);
    expect(dar.main.dependencies).toEqual([library.id]);
  });

  test.each([
    ['an empty payload', new Uint8Array()],
    ['a file that is not a zip archive', Buffer.from('not a zip')],
  ])('%s has no manifest (B-PKG-003)', (_, bytes) => {
    expect(refusalOf(bytes)).toEqual({
      code: 'INVALID_DAR',
      cause: 'Dar file is corrupt',
      context: {
        entries: 'List()',
        throwable:
          'com.digitalasset.daml.lf.archive.Error$InvalidZipEntry: ' +
          'Invalid zip entryName: META-INF/MANIFEST.MF, DAR: unknown-file-name, content: [}]',
      },
    });
  });

  test('rejects a zip without a manifest, and names its entries', () => {
    const { code, context } = refusalOf(zipOf({ 'a.dalf': '', 'b.txt': '' }), undefined, {
      name: 'x.dar',
    });
    expect(code).toBe('INVALID_DAR');
    expect(context['entries']).toBe('List(a.dalf, b.txt)');
    expect(context['throwable']).toContain('DAR: x.dar, content: [a.dalf, b.txt}]');
  });

  test.each([
    ['Main-Dalf', { Dalfs: 'a', Format: 'daml-lf' }, 'Cannot find attribute: Main-Dalf'],
    ['Dalfs', { 'Main-Dalf': 'a', Format: 'daml-lf' }, 'Cannot find attribute: Dalfs'],
    ['Format', { 'Main-Dalf': 'a', Dalfs: 'a' }, 'Cannot find attribute: Format'],
    ['another format', { 'Main-Dalf': 'a', Dalfs: 'a', Format: 'zip' }, 'Unsupported format: zip'],
  ])('rejects a manifest: %s', (_, attributes, fault) => {
    const { code, context } = refusalOf(zipOf({ [MANIFEST]: manifestOf(attributes), a: '' }));
    expect(code).toBe('INVALID_DAR');
    expect(context['throwable']).toBe(
      `com.digitalasset.daml.lf.archive.Error$DarManifestReaderException: ${fault}`,
    );
  });

  // As the JVM words them.
  test.each([
    ['no colon\n', 'invalid header field (line 1)'],
    ['a:b: c\n', 'invalid header field (line 1)'],
    ['a: b\n: c\n', 'invalid header field name:  (line 2)'],
    ['a b: c\n', 'invalid header field name: a b (line 1)'],
    [' continued from nowhere\n', 'misplaced continuation line (line 1)'],
    [`a: ${'b'.repeat(509)}\n`, 'line too long (line 1)'],
    ['a: b\n\nc: d\n', 'invalid manifest format (line 3)'],
    ['a: b\n\nName: c\nd\n', 'invalid header field (line 4)'],
    ['\ufeffa: b\n', 'invalid header field name: \ufeffa (line 1)'],
  ])('rejects an invalid manifest as an unexpected error: %j', (text, fault) => {
    const error = errorOf(zipOf({ [MANIFEST]: text }));
    expect(error).toMatchObject({ code: 'SERVICE_INTERNAL_ERROR', row: { category: 4 } });
    expect(error.details.explanation).toBe(`Its manifest is none: ${fault}.`);
  });

  test('ignores the last line of a manifest if it has no line end', () => {
    const { code, context } = refusalOf(zipOf({ [MANIFEST]: 'a: b\nFormat' }));
    expect(code).toBe('INVALID_DAR');
    expect(context['throwable']).toContain('Cannot find attribute: Main-Dalf');
  });

  test.each(['L,', 'L,,', 'L, ,,', ',', ',,,', 'L , '])(
    'ignores commas at the end of the dependencies (B-PKG-020): %j',
    (written) => {
      const name = entryName(library);
      const Dalfs = written.replace('L', name);
      const manifest = manifestOf({ 'Main-Dalf': name, Dalfs, Format: 'daml-lf' });
      const bytes = zipOf({ [MANIFEST]: manifest, [name]: library.dalf });
      if (written === 'L, ,,') expect(refusalOf(bytes).context['name']).toBe('');
      else expect(readDar(bytes).main.id).toBe(library.id);
    },
  );

  test.each([',L', 'L,,M', ' '])('reads other blank names as names of entries: %j', (written) => {
    const name = entryName(library);
    const Dalfs = written.replace('L', name).replace('M', name);
    const manifest = manifestOf({ 'Main-Dalf': name, Dalfs, Format: 'daml-lf' });
    const bytes = zipOf({ [MANIFEST]: manifest, [name]: library.dalf });
    expect(refusalOf(bytes)).toMatchObject({ code: 'INVALID_ZIP_ENTRY', context: { name: '' } });
  });

  test('attribute names are case-insensitive, and only the first section counts', () => {
    const manifest = `main-dalf: ${entryName(library)}\nDALFS: ${entryName(library)}\nformat: daml-lf\n\nName: other\nFormat: other\n`;
    const bytes = zipOf({ [MANIFEST]: manifest, [entryName(library)]: library.dalf });
    expect(readDar(bytes).main.id).toBe(library.id);
  });

  test('rejects a manifest that names a missing entry', () => {
    const bytes = zipOf({ [MANIFEST]: manifestFor(main, [library]), [entryName(main)]: main.dalf });
    expect(refusalOf(bytes)).toEqual({
      code: 'INVALID_ZIP_ENTRY',
      cause: 'Dar zip file is corrupt',
      context: { name: entryName(library), entries: `List(${MANIFEST}, ${entryName(main)})` },
    });
  });

  test.each(['__proto__', 'constructor', 'toString', 'length'])(
    'treats the name %s like any other entry name',
    (name) => {
      const attributes = { 'Main-Dalf': name, Dalfs: name, Format: 'daml-lf' };
      expect(refusalOf(zipOf({ [MANIFEST]: manifestOf(attributes) })).code).toBe(
        'INVALID_ZIP_ENTRY',
      );
    },
  );

  test('rejects an entry that reaches the size limit as a zip bomb, even if the manifest does not name it', () => {
    const bytes = zipOf({ [MANIFEST]: manifestFor(main, [library]), huge: new Uint8Array(5000) });
    expect(refusalOf(bytes, undefined, { maxEntrySize: 5000 })).toEqual({
      code: 'ZIP_BOMB',
      cause: 'Dar zip file seems to be a zip bomb.',
      context: { msg: 'An entry is too large, rejected as a possible zip bomb' },
    });
  });

  test('rejects entries whose total size reaches the limit as a zip bomb', () => {
    const bytes = buildDar(main, library);
    expect(refusalOf(bytes, undefined, { maxSize: main.dalf.length }).code).toBe('ZIP_BOMB');
  });

  test('counts an archive each time that the manifest names it', () => {
    const name = entryName(library);
    const Dalfs = Array.from({ length: 5 }, () => `${name}`).join(',');
    const manifest = manifestOf({ 'Main-Dalf': 'main', Dalfs, Format: 'daml-lf' });
    const bytes = zipOf({ main: main.dalf, [MANIFEST]: manifest, [name]: library.dalf });
    const size = main.dalf.length + 5 * library.dalf.length;
    expect(refusalOf(bytes, undefined, { maxSize: size - 1 }).code).toBe('ZIP_BOMB');
    expect(readDar(bytes, undefined, { maxSize: size }).main.id).toBe(main.id);
  });

  test('rejects a manifest of 1 MiB as a zip bomb', () => {
    const manifest = `${'Dalfs: '.padEnd(1024 * 1024, ' ')}\n`;
    expect(refusalOf(zipOf({ [MANIFEST]: manifest })).code).toBe('ZIP_BOMB');
  });

  /** Of the zips that follow: stored or deflated, with headers that say what they like. */
  const whole = { [MANIFEST]: manifestFor(library, []), [entryName(library)]: library.dalf };
  const sound = () => localEntry(MANIFEST, whole[MANIFEST]!);
  const archive = (more: LocalHeader = {}) => localEntry(entryName(library), library.dalf, more);

  test('reads a zip from its start, without its directory, and ignores data after the last entry', () => {
    const bytes = Buffer.concat([sound(), archive()]);
    expect(readDar(bytes).main.id).toBe(library.id);
    const more = Buffer.concat([bytes, Buffer.from('whatever')]);
    expect(readDar(more).main.id).toBe(library.id);
    expect(readDar(Buffer.concat([sound(), archive({ described: true })])).main.id).toBe(
      library.id,
    );
    const unsigned = archive({ described: 'unsigned' });
    expect(readDar(Buffer.concat([unsigned, sound()])).main.id).toBe(library.id);
  });

  test('uses the last of two entries with the same name', () => {
    const bytes = Buffer.concat([sound(), localEntry(entryName(library), main.dalf), archive()]);
    expect(readDar(bytes).main.id).toBe(library.id);
  });

  test('finds no entries after leading bytes, or in a truncated header', () => {
    const bytes = Buffer.concat([Buffer.from('x'), sound(), archive()]);
    for (const each of [bytes, sound().subarray(0, 29)])
      expect(refusalOf(each)).toMatchObject({
        code: 'INVALID_DAR',
        context: { entries: 'List()' },
      });
  });

  test('checks entries that the manifest does not name', () => {
    const bytes = Buffer.concat([sound(), archive(), localEntry('other', 'text', { crc: 1 })]);
    expect(parseFault(bytes)).toMatch(
      /^IO error: java.util.zip.ZipException: invalid entry CRC \(expected 0x1 but got 0x[0-9a-f]+\)$/,
    );
  });

  test.each<readonly [string, LocalHeader, string]>([
    ['is encrypted', { flags: 1 }, 'ZipException: encrypted ZIP entry not supported'],
    [
      'is stored and has its sizes after the data',
      { flags: 8, method: 0 },
      'ZipException: only DEFLATED entries can have EXT descriptor',
    ],
    [
      'has an unknown compression method',
      { method: 12 },
      'ZipException: invalid compression method',
    ],
    [
      'has another size than its header',
      { originalSize: 5 },
      `ZipException: invalid entry size (expected 5 but got ${library.dalf.length} bytes)`,
    ],
    [
      'has a huge size in its header',
      { originalSize: 2 ** 31 },
      `ZipException: invalid entry size (expected ${2 ** 31} but got ${library.dalf.length} bytes)`,
    ],
    [
      'has another compressed size than its header',
      { size: 5 },
      `ZipException: invalid entry compressed size (expected 5 but got ${deflateRawSync(library.dalf).length} bytes)`,
    ],
    [
      'has another checksum than its header',
      { crc: 0x7f },
      `ZipException: invalid entry CRC (expected 0x7f but got 0x${crc32ByTable(library.dalf).toString(16)})`,
    ],
  ])('rejects an entry that %s', (_, header, fault) => {
    const bytes = Buffer.concat([sound(), archive(header)]);
    expect(parseFault(bytes)).toBe(`IO error: java.util.zip.${fault}`);
  });

  test('rejects a truncated file', () => {
    const bytes = Buffer.concat([sound(), archive()]);
    const beginning = sound().length + 30;
    expect(parseFault(bytes.subarray(0, -5))).toBe(
      'IO error: java.io.EOFException: Unexpected end of ZLIB input stream',
    );
    expect(parseFault(bytes.subarray(0, beginning + 3))).toBe('IO error: java.io.EOFException');
    const stored = Buffer.concat([sound(), archive({ method: 0 })]);
    expect(parseFault(stored.subarray(0, -5))).toBe(
      'IO error: java.util.zip.ZipException: unexpected EOF',
    );
  });

  test('reads the name of an entry as UTF-8, regardless of its flags', () => {
    for (const flags of [0, 0x800]) {
      const bytes = localEntry(Buffer.from([0xe4]), 'text', { flags });
      expect(parseFault(bytes)).toBe('Unexpected IllegalArgumentException Exception');
    }
  });

  test('an error lists five or more entries in the order of their hashes', () => {
    const entries = Object.fromEntries(['a', 'b', 'c', 'd', 'Z'].map((name) => [name, '']));
    expect(refusalOf(zipOf(entries)).context['entries']).toBe('List(a, b, c, Z, d)');
  });

  test('reads or rejects a DAR with any changed byte', () => {
    const whole = buildDar(main, library);
    const damage = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), {
      minLength: 1,
      maxLength: 4,
    });
    check(
      fc.property(damage, (changes) => {
        const bytes = Uint8Array.from(whole);
        for (const [position, value] of changes) bytes[position] = value;
        try {
          expect(readDar(bytes).main.id).toBe(main.id);
        } catch (error) {
          expect((error as Error).name).toBe('LedgerError');
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('an archive', () => {
  const dar = (dalf: Uint8Array) => buildDar({ ...library, dalf });

  test('has another hash than its contents', () => {
    const wrong = '0'.repeat(64);
    expect(parseFault(dar(encodeArchive(library.payload, wrong)))).toBe(
      `Mismatching hashes! Expected ${library.id} but got ${wrong}`,
    );
  });

  test.each([
    ['', 'Invalid hash: Daml-LF Package ID is empty'],
    ['a/b', 'Invalid hash: non expected character 0x2f in Daml-LF Package ID "a/b"'],
    ['a'.repeat(65), 'Invalid hash: Daml-LF Package ID is too long (max: 64)'],
  ])('has an invalid hash: %p', (hash, reason) => {
    expect(parseFault(dar(encodeArchive(library.payload, hash)))).toBe(reason);
  });

  test.each([
    [
      'another hash function',
      message(int(1, 1), part(3, library.payload)),
      'Unrecognized hash function',
    ],
    [
      'an unknown field',
      message(text(9, 'x')),
      'Message of type daml_lf.Archive contains unknown field numbered 9',
    ],
    [
      'a field with another wire type',
      message(part(1, new Uint8Array())),
      'Message of type daml_lf.Archive contains unknown field numbered 1',
    ],
    ['truncated bytes', library.dalf.subarray(0, 40), /^IO error: .*the input ended unexpectedly/],
    ['text that is not UTF-8', message(part(4, Uint8Array.of(0xff))), /had invalid UTF-8/],
    ['an empty payload', encodeArchive(new Uint8Array()), 'Unrecognized or Unsupported LF version'],
    [
      'a patch version',
      encodeArchive(encodePayload('1', new Uint8Array(), 1)),
      'Unknown patch version 1 for LF 2.1',
    ],
    [
      'an unknown minor version',
      encodeArchive(encodePayload('15', new Uint8Array())),
      /unsupported LF version 2.15/,
    ],
    [
      'a missing metadata field',
      encodeArchive(encodePayload('1', new Uint8Array())),
      'Package.metadata is required in Daml-LF 2.1',
    ],
  ])('is rejected with %s', (_, dalf, reason) => {
    if (reason instanceof RegExp) expect(parseFault(dar(dalf))).toMatch(reason);
    else expect(parseFault(dar(dalf))).toBe(reason);
  });

  test.each(['6', '15', '17', 'dev'])('rejects language version 1.%s', (minor) => {
    const payload = message(text(3, minor), part(2, message(part(4, message()))));
    const { code, cause, context } = refusalOf(dar(encodeArchive(payload)));
    expect(code).toBe('ALLOWED_LANGUAGE_VERSIONS');
    expect(context).toEqual({
      packageId: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      languageVersion: `1.${minor}`,
      allowedLanguageVersions: 'List(2.1, 2.2, 2.3, 2.4, 2.dev)',
    });
    expect(cause).toContain(`but got 1.${minor}`);
  });

  test('decodes a package of language version 1 before it rejects the version (B-PKG-025)', () => {
    const empty = (minor: string) =>
      dar(encodeArchive(message(text(3, minor), part(2, message()))));
    for (const minor of ['8', '14', '17', 'dev'])
      expect(parseFault(empty(minor))).toBe(`Package.metadata is required in Daml-LF 1.${minor}`);
    expect(refusalOf(empty('7')).code).toBe('ALLOWED_LANGUAGE_VERSIONS');
  });

  test('reports bytes that are not a message before unknown fields (B-PKG-026)', () => {
    const unknown = part(13, message());
    const fault = (bytes: Uint8Array): string =>
      parseFault(dar(encodeArchive(encodePayload('1', bytes))));
    const bytes = (...last: number[]) => Buffer.concat([message(unknown), Uint8Array.from(last)]);
    const exception = 'IO error: com.google.protobuf.InvalidProtocolBufferException';
    expect(fault(bytes())).toBe(
      'Message of type daml_lf_2.Package contains unknown field numbered 13',
    );
    expect(fault(bytes(0x0e))).toBe(
      `${exception}$InvalidWireTypeException: Protocol message tag had invalid wire type.`,
    );
    expect(fault(bytes(0x00))).toBe(
      `${exception}: Protocol message contained an invalid tag (zero).`,
    );
    for (const end of [[0x0a], [0x0a, 0x02, 0x00], [0x0a, 0x02, 0x0a, 0x05], [0x6b]])
      expect(fault(bytes(...end))).toContain(`${exception}: While parsing a protocol message,`);
    expect(fault(bytes(0x6c))).toBe(
      `${exception}: Protocol message end-group tag did not match expected tag.`,
    );
    // A group that ends is an unknown field as well.
    expect(fault(bytes(0x6b, 0x08, 0x01, 0x6c))).toContain('contains unknown field numbered 13');
  });
});

describe('the dependencies of a DAR', () => {
  const refer = (lf: '1' | '2', imports: readonly string[] = []) =>
    encodePackage({
      name: 'main',
      lf,
      imports,
      modules: { Main: { types: { R: { record: { t: t.con(`${library.id}:Lib:T`) } } } } },
    });

  test.each(['1', '2'] as const)('must all be in the DAR, in 2.%s', (lf) => {
    const incomplete = refer(lf);
    expect(refusalOf(buildDar(incomplete))).toMatchObject({
      code: 'DAR_DEPENDENCIES_NOT_VALID',
      context: {
        mainPackageId: incomplete.id,
        missingDependencies: `Set(${library.id})`,
        extraDependencies: 'Set()',
      },
    });
  });

  test('must be in the DAR, even if the ledger has the package', () => {
    const known = readDar(buildDar(library)).main;
    expect(refusalOf(buildDar(refer('2')), { package: () => known }).code).toBe(
      'DAR_DEPENDENCIES_NOT_VALID',
    );
  });

  test('must be imported by another package in 2.2, but not in 2.1', () => {
    const alone = (lf: '1' | '2') => encodePackage({ name: 'alone', lf, modules: { A: {} } });
    expect(refusalOf(buildDar(alone('2'), library)).context['extraDependencies']).toBe(
      `Set(${library.id})`,
    );
    expect(readDar(buildDar(alone('1'), library)).packages).toHaveLength(2);
  });

  test('are not type-checked in 2.1 if the DAR has an unused package (B-PKG-019)', () => {
    const illTyped = (lf: '1' | '2') =>
      encodePackage({
        lf,
        name: 'ill-typed',
        modules: { Main: { values: { x: { type: t.text, expression: e.int(1) } } } },
      });
    expect(refusalOf(buildDar(illTyped('1'))).code).toBe('DAR_VALIDATION_ERROR');
    expect(readDar(buildDar(illTyped('1'), library)).main.id).toBe(illTyped('1').id);
    expect(refusalOf(buildDar(illTyped('2'), library)).code).toBe('DAR_DEPENDENCIES_NOT_VALID');
  });

  test('include an import that no type uses', () => {
    const imports = encodePackage({
      name: 'main',
      lf: '2',
      imports: [library.id],
      modules: { A: {} },
    });
    expect(refusalOf(buildDar(imports)).context['missingDependencies']).toBe(`Set(${library.id})`);
    expect(readDar(buildDar(imports, library)).packages).toHaveLength(2);
  });

  test('are returned unchanged if the ledger has them (B-PKG-002)', () => {
    const first = readDar(buildDar(main, library));
    const known = new Map(first.packages.map((one) => [one.id, one]));
    const again = readDar(buildDar(main, library), { package: (id) => known.get(id) });
    expect(again.packages.every((one, index) => one === first.packages[index])).toBe(true);
  });
});

/** A participant decodes every package, expressions too, before it checks any. */
describe('reports decoding errors before type errors', () => {
  const value = (expression: Code) => ({ type: t.unit, expression });
  const illTyped = value(e.text('no unit'));
  /** Invalid numerals, which the error names. */
  const undecodable = (which: string) => value(e.numeric(which));
  const found = (which: string) => `Could not read Numeric string "${which}"`;
  const darOf = (Main: ModuleSpec, Lib: ModuleSpec = {}): Uint8Array => {
    const dependency = encodePackage({ name: 'dependency', lf: '3', modules: { Lib } });
    const imports = [dependency.id];
    return buildDar(encodePackage({ lf: '3', imports, modules: { Main } }), dependency);
  };
  const choice = { argument: t.unit, returns: t.unit };
  const a = encodePackage({ modules: { A: { values: { a: undecodable('a') } } } });

  test.each<[string, Uint8Array, string]>([
    ['in one package', darOf({ values: { a: illTyped, b: undecodable('b') } }), 'b'],
    [
      'in the second of two packages',
      darOf({ values: { a: illTyped } }, { values: { b: undecodable('b') } }),
      'b',
    ],
    ['in an unused package', buildDar(main, library, a), 'a'],
    [
      'in the main package first',
      darOf({ values: { a: undecodable('a') } }, { values: { b: undecodable('b') } }),
      'a',
    ],
    [
      'in values before templates, regardless of the order of reading',
      darOf({
        templates: { T: { fields: {}, key: t.text, signatories: e.numeric('t') } },
        values: { a: undecodable('a') },
      }),
      'a',
    ],
    [
      'in an update before its binding',
      darOf({ values: { a: value(u.block([['x', t.unit, e.numeric('x')]], e.numeric('a'))) } }),
      'a',
    ],
    [
      'in a choice before the observers of its template',
      darOf({
        templates: {
          T: {
            fields: {},
            observers: e.numeric('o'),
            choices: { C: { ...choice, update: e.numeric('c') } },
          },
        },
      }),
      'c',
    ],
    [
      'in a view before methods, and in an interface last',
      darOf({
        types: { V: { record: {} } },
        interfaces: {
          I: { view: t.con('Main:V'), choices: { C: { ...choice, update: e.numeric('i') } } },
        },
        templates: {
          T: {
            fields: {},
            implements: { 'Main:I': { view: e.numeric('v'), methods: { m: e.numeric('m') } } },
          },
        },
      }),
      'v',
    ],
    [
      'in an exception before an interface',
      darOf({
        types: { E: { record: {} }, V: { record: {} } },
        exceptions: { E: e.numeric('e') },
        interfaces: {
          I: { view: t.con('Main:V'), choices: { C: { ...choice, update: e.numeric('i') } } },
        },
      }),
      'e',
    ],
  ])('reports the decoding error %s', (_, dar, which) => {
    expect(parseFault(dar)).toBe(found(which));
  });

  test('reports the type error if all packages decode', () => {
    expect(validationFault(darOf({ values: { a: illTyped } }))).toMatch(/^ETypeMismatch/);
  });
});
