/**
 * Real DARs, in the folder that CANTICLE_DARS names, or ~/.canticle/dars. They are other people's work and stay outside the
 * repository. The run prints and skips the missing ones.
 */
import { readdirSync } from 'node:fs';
import { CheckedPackages } from '../../../src/daml/dar/checked-packages.js';
import { readDar } from '../../../src/daml/dar/dar-file.js';
import { releasedFacts } from '../../../src/daml/dar/released-packages.js';
import { readDarFile } from '../../../src/daml/archive/zip/dar-zip.js';
import { LedgerError } from '../../../src/daml/errors/ledger-error.js';
import { dataType, type DamlPackage } from '../../../src/daml/model/package.js';
import type { DamlType } from '../../../src/daml/model/types.js';
import { TOKEN_PACKAGES } from '../../../src/token/index.js';
import { manifestOf, zipOf } from '../../support/daml/dar-builder.js';
import {
  foreignPath,
  isHere as isForeignHere,
  realDar,
  skipsWithout,
} from '../../support/foreign-files.js';
import { refusalOf, stackOf, validationFault } from './refused.js';

interface Expected {
  readonly lf: string;
  readonly templates: number;
  readonly interfaces?: number;
  readonly id?: string;
  readonly packages?: number;
}

const TOKEN = 'splice-api-token';
const READABLE: Readonly<Record<string, Expected>> = {
  'splice-amulet-0.1.14.dar': {
    lf: '2.1',
    templates: 26,
    packages: 37,
    id: '3ca1343ab26b453d38c8adb70dca5f1ead8440c42b59b68f070786955cbf9ec1',
  },
  'splice-wallet-0.1.14.dar': { lf: '2.1', templates: 6 },
  'splice-wallet-payments-0.1.14.dar': { lf: '2.1', templates: 9 },
  'splice-util-0.1.4.dar': { lf: '2.1', templates: 0 },
  'splice-api-featured-app-v1-1.0.0.dar': { lf: '2.1', templates: 0, interfaces: 2 },
  [`${TOKEN}-burn-mint-v1-1.0.0.dar`]: { lf: '2.1', templates: 0, interfaces: 1 },
  [`${TOKEN}-metadata-v1-1.0.0.dar`]: {
    lf: '2.1',
    templates: 0,
    interfaces: 1,
    id: '4ded6b668cb3b64f7a88a30874cd41c75829f5e064b3fbbadf41ec7e8363354f',
  },
  [`${TOKEN}-holding-v1-1.0.0.dar`]: {
    lf: '2.1',
    templates: 0,
    interfaces: 1,
    id: '718a0f77e505a8de22f188bd4c87fe74101274e9d4cb1bfac7d09aec7158d35b',
  },
  [`${TOKEN}-transfer-instruction-v1-1.0.0.dar`]: {
    lf: '2.1',
    templates: 0,
    interfaces: 2,
    id: '55ba4deb0ad4662c4168b39859738a0e91388d252286480c7331b3f71a517281',
  },
  [`${TOKEN}-allocation-v1-1.0.0.dar`]: {
    lf: '2.1',
    templates: 0,
    interfaces: 1,
    id: '93c942ae2b4c2ba674fb152fe38473c507bda4e82b4e4c5da55a552a9d8cce1d',
  },
  [`${TOKEN}-allocation-instruction-v1-1.0.0.dar`]: {
    lf: '2.1',
    templates: 0,
    interfaces: 2,
    id: '275064aacfe99cea72ee0c80563936129563776f67415ef9f13e4297eecbc520',
  },
  [`${TOKEN}-allocation-request-v1-1.0.0.dar`]: {
    lf: '2.1',
    templates: 0,
    interfaces: 1,
    id: '6fe848530b2404017c4a12874c956ad7d5c8a419ee9b040f96b5c13172d2e193',
  },
  [`${TOKEN}-holding-v2-1.0.0.dar`]: {
    lf: '2.1',
    templates: 0,
    interfaces: 1,
    id: '4b7ecfc366d79ccc5ed07c80f26fe489cf2dfd43ce2856c06a78e6a048db7032',
  },
  [`${TOKEN}-transfer-instruction-v2-1.0.0.dar`]: {
    lf: '2.1',
    templates: 0,
    interfaces: 2,
    id: '29317e3b7b165d2bbf16721bcca0ec4869e53eddb2738bddf790d61af28e0099',
  },
  [`${TOKEN}-transfer-events-v2-1.0.0.dar`]: {
    lf: '2.1',
    templates: 0,
    interfaces: 1,
    id: '5c1097a9bad0af4bcfe6d3fb0fe55112d3d11f18eae57ddfb14c20836fee226c',
  },
  [`${TOKEN}-allocation-v2-1.0.0.dar`]: {
    lf: '2.1',
    templates: 0,
    interfaces: 2,
    id: '051a3b0563a6fa4df4cb34448081e48b061e555aa1a265abf6ae8f3f4cafe439',
  },
  [`${TOKEN}-allocation-instruction-v2-1.0.0.dar`]: {
    lf: '2.1',
    templates: 0,
    interfaces: 2,
    id: '9818a0b5b827109de03a04c8f6151cde9d1e7fe5123dbb2dfeb0e52d7271287c',
  },
  [`${TOKEN}-allocation-request-v2-1.0.0.dar`]: {
    lf: '2.1',
    templates: 0,
    interfaces: 1,
    id: 'adc16315a8943a8433886694720a2a000ae84c2315c4414bd6d0db4d1660de9c',
  },
  'canton-builtin-admin-workflow-ping.dar': { lf: '2.2', templates: 6 },
  'canton-builtin-admin-workflow-party-replication-alpha.dar': { lf: '2.2', templates: 2 },
};
const REFUSED = ['dummy-1.15.dar', 'illformed.dar', 'DamlDefinitionsServiceMain.dar'];

const bytesOf = (name: string): Uint8Array => realDar(name)!;
const isHere = (name: string): boolean => isForeignHere('DARs', name);
const readable = Object.keys(READABLE).filter(isHere);
const known = new Map<string, DamlPackage>();
/** Checks everything, without the facts of released packages, which the test compares. */
const checked = new CheckedPackages(undefined, '', undefined, () => undefined);

skipsWithout('DARs', [...Object.keys(READABLE), ...REFUSED], 'the DARs that are listed');

/** Type constructors that `type` names. */
function named(type: DamlType): readonly string[] {
  switch (type.kind) {
    case 'con':
      return [type.id, ...type.args.flatMap(named)];
    case 'genMap':
      return [...named(type.key), ...named(type.value)];
    case 'optional':
    case 'list':
    case 'textMap':
    case 'contractId':
      return named(type.of);
    default:
      return [];
  }
}

function typesIn(one: DamlPackage): readonly DamlType[] {
  const choices = [...one.templates.values(), ...one.interfaces.values()].flatMap((owner) => [
    ...owner.choices.values(),
  ]);
  const fields = [...one.dataTypes.values()].flatMap(({ body }) =>
    body.kind === 'record' ? body.fields : body.kind === 'variant' ? body.constructors : [],
  );
  return [
    ...fields.map(({ type }) => type),
    ...choices.flatMap(({ argumentType, returnType }) => [argumentType, returnType]),
    ...[...one.interfaces.values()].map(({ viewType }) => viewType),
    ...[...one.templates.values()].map(({ payloadType }) => payloadType),
  ];
}

/** The parts that other packages use: data types, and the views and choices of interfaces, in order of their names. */
function surfaceOf({ dataTypes, interfaces }: DamlPackage): object {
  const byName = <T>(map: ReadonlyMap<string, T>): [string, T][] =>
    [...map].sort(([left], [right]) => (left < right ? -1 : 1));
  return {
    types: byName(dataTypes),
    interfaces: byName(interfaces).map(([name, { viewType, requires, choices }]) => [
      name,
      viewType,
      requires,
      byName(choices).map(([choice, { consuming, argumentType, returnType }]) => [
        choice,
        consuming,
        argumentType,
        returnType,
      ]),
    ]),
  };
}

const isMethod = (name: string): boolean => !name.startsWith(':');

/** By each of the test token's templates that implement the interface. */
function methodsImplemented(interfaceId: string): [string, string[]][] {
  return TOKEN_PACKAGES.flatMap(({ templates }) =>
    [...templates].flatMap(([name, { implementations }]) => {
      const methods = implementations.get(interfaceId)?.code?.methods;
      return methods === undefined ? [] : [[name, Object.keys(methods).filter(isMethod).sort()]];
    }),
  ) as [string, string[]][];
}

/** The newest of each name; all of them where CANTICLE_ALL_DARS is set, which is a matter of half a minute. */
function unlisted(): readonly string[] {
  const listed = new Set([...Object.keys(READABLE), ...REFUSED]);
  const here = isHere('') ? readdirSync(foreignPath('DARs')) : [];
  const others = here
    .filter((name) => name.endsWith('.dar') && !listed.has(name))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  if (process.env.CANTICLE_ALL_DARS) return others;
  return [...new Map(others.map((name) => [name.replace(/-[\d.]+\.dar$/, ''), name])).values()];
}

test('reads each other DAR of the folder, or rejects it with an expected reason', () => {
  for (const name of unlisted()) {
    try {
      const { packages } = readDar(bytesOf(name), { package: (id) => known.get(id) }, { checked });
      expect(packages.length).toBeGreaterThan(0);
      for (const one of packages) known.set(one.id, one);
    } catch (error) {
      expect(error).toBeInstanceOf(LedgerError);
    }
  }
});

test('the listed facts of released packages equal newly computed facts', () => {
  const released = [...known.values()].filter(({ name }) => /^(splice-|splitwell$)/.test(name));
  for (const { id } of released) expect([id, releasedFacts(id)]).toEqual([id, checked.get(id)]);
});

for (const name of readable)
  describe(name, () => {
    const expected = READABLE[name]!;
    // As at a participant, what one DAR brought is not checked again for the next.
    const { main, packages } = readDar(
      bytesOf(name),
      { package: (id) => known.get(id) },
      { checked },
    );
    for (const one of packages) known.set(one.id, one);

    test('has the expected id, language version, templates and interfaces', () => {
      expect(name).toBe(
        name.startsWith('canton') ? `${main.name}.dar` : `${main.name}-${main.version}.dar`,
      );
      expect(main.languageVersion).toBe(expected.lf);
      expect(main.templates.size).toBe(expected.templates);
      expect(main.interfaces.size).toBe(expected.interfaces ?? 0);
      if (expected.id) expect(main.id).toBe(expected.id);
      if (expected.packages) expect(packages).toHaveLength(expected.packages);
    });

    const declared = TOKEN_PACKAGES.find(({ id }) => id === main.id);
    if (declared !== undefined)
      test('has the types, views and choices of our TypeScript declarations, and the methods that we implement', () => {
        expect(surfaceOf(declared)).toEqual(surfaceOf(main));
        for (const { id, methods } of main.interfaces.values())
          for (const [template, names] of methodsImplemented(id))
            expect([template, names]).toEqual([template, [...methods!.keys()].sort()]);
      });

    test('contains each type that its packages refer to', () => {
      const byId = new Map(packages.map((one) => [one.id, one]));
      const lookup = { package: (id: string) => byId.get(id), packageIdForName: () => undefined };
      const unresolved = packages
        .flatMap((one) => typesIn(one).flatMap(named))
        .filter((id) => !dataType(lookup, id));
      expect(unresolved).toEqual([]);
    });

    test('each template has Archive, and each implementation has its interface', () => {
      const byId = new Map(packages.map((one) => [one.id, one]));
      for (const template of packages.flatMap((one) => [...one.templates.values()])) {
        expect(template.choices.get('Archive')).toMatchObject({
          consuming: true,
          returnType: { kind: 'unit' },
        });
        for (const interfaceId of template.implementations.keys()) {
          const colon = interfaceId.indexOf(':');
          expect(
            byId.get(interfaceId.slice(0, colon))!.interfaces.has(interfaceId.slice(colon + 1)),
          ).toBe(true);
        }
      }
    });
  });

// A refused DAR is decoded completely, to find an earlier fault. These DARs have none.
for (const name of ['canton-builtin-admin-workflow-ping.dar', `${TOKEN}-metadata-v1-1.0.0.dar`])
  if (isHere(name))
    test(`rejects ${name} without one of its packages`, () => {
      const { names, archive } = readDarFile(bytesOf(name));
      const [main, , ...others] = names.map(archive);
      const entries = [main!, ...others].map((bytes, n) => [`${n}.dalf`, bytes] as const);
      const manifest = manifestOf({
        'Manifest-Version': '1.0',
        'Main-Dalf': '0.dalf',
        Dalfs: entries.map(([entry]) => entry).join(', '),
        Format: 'daml-lf',
        Encryption: 'non-encrypted',
      });
      const dar = zipOf({ 'META-INF/MANIFEST.MF': manifest, ...Object.fromEntries(entries) });
      const { code } = refusalOf(dar, undefined, { checked: new CheckedPackages() });
      expect(code).toMatch(/^DAR_(DEPENDENCIES_NOT_VALID|VALIDATION_ERROR)$/);
    });

if (isHere('dummy-1.15.dar')) {
  test('rejects the language version of dummy-1.15.dar', () => {
    expect(refusalOf(bytesOf('dummy-1.15.dar'))).toMatchObject({
      code: 'ALLOWED_LANGUAGE_VERSIONS',
      context: { languageVersion: '1.15' },
    });
  });
}

if (isHere('illformed.dar')) {
  test('rejects illformed.dar with a type error', () => {
    expect(validationFault(bytesOf('illformed.dar'))).toMatch(
      /^ETypeMismatch: .*expected type: Bool.*found type: Unit/s,
    );
  });
}

if (isHere('DamlDefinitionsServiceMain.dar')) {
  test('rejects DamlDefinitionsServiceMain.dar, whose 2.dev lacks the list of imports', () => {
    const bytes = bytesOf('DamlDefinitionsServiceMain.dar');
    const { code, context } = refusalOf(bytes);
    const reason = expect.stringMatching(/^Got explicit non-stable package id \(8647af/) as string;
    expect({ code, context }).toEqual({ code: 'DAR_PARSE_ERROR', context: { reason } });
    // Canton's cause says no more than that it cannot be read.
    expect(stackOf(bytes)).toContain(
      'Failed to parse the dar file content. Got explicit non-stable',
    );
  });
}
