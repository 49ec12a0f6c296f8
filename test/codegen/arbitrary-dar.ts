/** DARs of awkward names and any shapes, as the archive encoder of the tests makes them. */
import fc, { type Arbitrary } from 'fast-check';
import { LedgerError, readDar } from '../../src/daml/index.js';
import { buildDar } from '../support/daml/dar-builder.js';
import {
  encodePackage,
  type DataTypeSpec,
  type EncodedPackage,
  type ModuleSpec,
  type TemplateSpec,
} from '../support/daml/lf-encoder.js';
import { t, type LfTypeSpec } from '../support/daml/lf-types.js';

/** Keywords, names of the language and of what is imported, names that differ by case or by what dots become. */
const NAMES = [
  'class default Object Promise Daml string undefined Array Record Readonly Map A A_B A.B A.B.C constructor templateId'.split(
    ' ',
  ),
  'Main Main_Sub Type await Symbol exports require module Unit __esModule Infinity a b Pair Optional Date'.split(
    ' ',
  ),
].flat();
const FIELDS = [
  'owner',
  'class',
  'constructor',
  '__proto__',
  'default',
  'a',
  'value',
  'tag',
  'templateId',
];
const MODULES = ['Main', 'Main.Sub', 'Daml', 'Class.Default', 'Object'];
const CHOICES = ['Do', 'templateId', 'constructor', 'new', 'Delete'];

interface Declared {
  readonly id: string;
  readonly params: number;
}

/** Types of values that are valid on a ledger. */
function typeOf(declared: readonly Declared[], params: readonly string[]): Arbitrary<LfTypeSpec> {
  const leaves = [t.unit, t.bool, t.int64, t.date, t.timestamp, t.party, t.text, t.numeric(10)];
  return fc.letrec<{ type: LfTypeSpec }>((tie) => ({
    type: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(...leaves, ...params.map(t.var)),
      fc.tuple(tie('type')).map(([of]) => t.optional(of)),
      fc.tuple(tie('type')).map(([of]) => t.list(of)),
      fc.tuple(tie('type')).map(([of]) => t.textMap(of)),
      fc.tuple(tie('type')).map(([of]) => t.contractId(of)),
      fc.tuple(tie('type'), tie('type')).map(([key, value]) => t.genMap(key, value)),
      ...(declared.length === 0
        ? []
        : [
            fc
              .tuple(fc.constantFrom(...declared), tie('type'), tie('type'))
              .map(([{ id, params: count }, ...args]) => t.con(id, ...args.slice(0, count))),
          ]),
    ),
  })).type;
}

const PARAMS = [[], ['a'], ['a', 'b'], ['in', 'Daml']] as const;

function dataType(
  declared: readonly Declared[],
): Arbitrary<DataTypeSpec & { params: readonly string[] }> {
  return fc.constantFrom(...PARAMS).chain((params) => {
    const type = typeOf(declared, params);
    const named = (names: readonly string[], minLength: number) =>
      fc
        .uniqueArray(fc.tuple(fc.constantFrom(...names), type), {
          minLength,
          maxLength: 3,
          selector: ([name]) => name.toUpperCase(),
        })
        // Not through an object, which has another opinion about `__proto__`.
        .map((entries) => entries);
    return fc.oneof(
      named(FIELDS, 0).map((record) => ({ params, record })),
      named(['Left', 'Right', 'class'], 1).map((variant) => ({
        params,
        variant: Object.fromEntries(variant),
      })),
      fc.constant({ params: [], enum: ['Red', 'default'] }),
    );
  });
}

function template(declared: readonly Declared[]): Arbitrary<TemplateSpec> {
  const type = typeOf(declared, []);
  return fc
    .record({
      fields: fc.dictionary(fc.constantFrom('owner', 'class', 'value'), type, { maxKeys: 3 }),
      choices: fc.dictionary(
        fc.constantFrom(...CHOICES),
        fc.record({ argument: type, returns: type, consuming: fc.boolean() }),
        { maxKeys: 3 },
      ),
    })
    .map(({ fields, choices }) => ({ fields: { ...fields }, choices: { ...choices } }));
}

/** A module whose types may name those before them, and those of modules before it. */
function modules(before: readonly Declared[]): Arbitrary<Record<string, ModuleSpec>> {
  const names = fc.uniqueArray(fc.constantFrom(...MODULES), { minLength: 1, maxLength: 3 });
  return names.chain((chosen) => {
    const seen: Declared[] = [...before];
    return chosen.reduce<Arbitrary<Record<string, ModuleSpec>>>(
      (earlier, module) =>
        earlier.chain((made) =>
          moduleOf(module, seen).map((spec) => ({ ...made, [module]: spec })),
        ),
      fc.constant({}),
    );
  });
}

function moduleOf(module: string, seen: Declared[]): Arbitrary<ModuleSpec> {
  const names = fc.uniqueArray(fc.constantFrom(...NAMES), {
    minLength: 1,
    maxLength: 6,
    selector: (name) => name.toUpperCase(),
  });
  const before = [...seen];
  return names.chain(([payload, ...others]) => {
    const types = others.reduce<Arbitrary<Record<string, DataTypeSpec>>>(
      (earlier, name) =>
        earlier.chain((made) => {
          const own = Object.keys(made).map((id) => ({
            id: `${module}:${id}`,
            params: made[id]!.params?.length ?? 0,
          }));
          return dataType([...before, ...own]).map((spec) => ({ ...made, [name]: spec }));
        }),
      fc.constant({}),
    );
    return types.chain((made) => {
      const own = Object.keys(made).map((id) => ({
        id: `${module}:${id}`,
        params: made[id]!.params?.length ?? 0,
      }));
      seen.push(...own);
      return template([...before, ...own]).map((spec) => ({
        types: { ...made, Sight: { record: { owner: t.party } } },
        templates: { [payload!]: spec },
        // The same choices of an interface, whose name is a word of the language.
        interfaces: { of: { view: t.con(`${module}:Sight`), choices: spec.choices ?? {} } },
      }));
    });
  });
}

const encoded = (name: string, before: readonly Declared[]): Arbitrary<EncodedPackage> =>
  modules(before).map((specs) => encodePackage({ name, lf: '2', modules: specs }));

export const arbitraryDar: Arbitrary<Uint8Array> = encoded('awkward', [])
  .map((main) => buildDar(main))
  // Some names would be the same but for case.
  .filter(isAccepted);

function isAccepted(dar: Uint8Array): boolean {
  try {
    readDar(dar);
    return true;
  } catch (error) {
    if (error instanceof LedgerError && error.stack!.includes('ECollision')) return false;
    throw error;
  }
}
