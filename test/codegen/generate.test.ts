/** The output of `canticle codegen`: it compiles under strict settings, matches the JSON Ledger API exactly, and works at runtime. */
import fc from 'fast-check';
import { createCanticle, d, defineInterface, definePackage, defineTemplate } from 'canticle';
import { generateTypeScript } from '../../src/codegen/index.js';
import { encodeValue, readDar, type DamlPackage, type DamlType } from '../../src/daml/index.js';
import {
  damlTypeAndValue,
  named,
  optionalType,
  packages,
  TEXT,
  typesPackage,
} from '../support/daml/arbitrary-daml.js';
import { buildDar } from '../support/daml/dar-builder.js';
import { encodePackage } from '../support/daml/lf-encoder.js';
import { t } from '../support/daml/lf-types.js';
import { check } from '../support/property.js';
import { arbitraryDar } from './arbitrary-dar.js';
import { complaintsAbout, exportsOf } from './compile.js';

const generated = (main: DamlPackage, others: readonly DamlPackage[] = []) =>
  generateTypeScript({ main: [main], packages: [main, ...others] });
const withUse = (texts: ReadonlyMap<string, string>, use: string) =>
  new Map([...texts, ['use.ts', `${use}\nexport {};\n`]]);

/** A package of one more module, with a record of each type. */
function probesOf(types: readonly DamlType[]): DamlPackage {
  const { id } = typesPackage;
  const probes = types.map((type, index) => {
    const name = `Probes:Probe${index}`;
    const body = { kind: 'record' as const, fields: [{ name: 'value', type }] };
    return [name, { id: `${id}:${name}`, params: [], serializable: true, body }] as const;
  });
  return { ...typesPackage, dataTypes: new Map([...typesPackage.dataTypes, ...probes]) };
}

test('the types accept every value that the codec writes', () => {
  const cases = fc.array(damlTypeAndValue, { minLength: 60, maxLength: 60 });
  // Both Nones are left out, and only the second type says that they may be.
  const maybe = optionalType(TEXT);
  const pair = { type: named('Pair', maybe, maybe), value: { _1: null, _2: null } };
  check(
    fc.property(cases, (arbitrary) => {
      const probes = [pair, ...arbitrary];
      const own = probesOf(probes.map(({ type }) => type));
      const lookup = { ...packages, package: () => own };
      const lines = probes.map(({ value }, index) => {
        const type: DamlType = { kind: 'con', id: `${own.id}:Probes:Probe${index}`, args: [] };
        const json = encodeValue(lookup, type, { value });
        return `const probe${index}: Probes.Probe${index} = ${literal(json)} as const; void probe${index};`;
      });
      const use = `import type * as Probes from './arbitrary-types/Probes.js';\n${lines.join('\n')}`;
      expect(complaintsAbout(withUse(generated(own), use))).toEqual([]);
    }),
    { numRuns: 1 },
  );
});

/** JSON as an expression, where `__proto__` is special. (As a constant: otherwise `constructor` would be special, too.) */
const literal = (json: unknown): string =>
  JSON.stringify(json).replaceAll('"__proto__":', '["__proto__"]:');

test('the output compiles for packages of any names and shapes', () => {
  // Together, as a compiler takes most of its time to start.
  const dars = fc.array(arbitraryDar, { minLength: 8, maxLength: 8 });
  check(
    fc.property(dars, (all) => {
      const texts = new Map(all.flatMap((dar, index) => [...textsOf(dar, `dar${index}`)]));
      const seen = [...texts.keys()].map((path) => path.toLowerCase());
      expect(new Set(seen).size).toBe(seen.length);
      expect(complaintsAbout(texts)).toEqual([]);
      for (const text of texts.values()) expect(() => exportsOf(text)).not.toThrow();
    }),
    { numRuns: 1 },
  );
});

function textsOf(dar: Uint8Array, folder: string): ReadonlyMap<string, string> {
  const { main, packages: all } = readDar(dar);
  const texts = generateTypeScript({ main: [main], packages: all });
  return new Map([...texts].map(([path, text]) => [`${folder}/${path}`, text]));
}

const Viewed = defineInterface({
  name: 'Shop.Api:Viewed',
  view: d.record('Shop.Api:View', { price: d.numeric(10) }),
  choices: (choice) => ({
    Look: choice({
      consuming: false,
      argument: { viewer: d.party },
      result: d.numeric(10),
      controllers: (_view, { viewer }) => [viewer],
      run: (_update, { view }) => view.price,
    }),
  }),
});
const Colour = d.enum('Shop:Colour', ['Red', 'Green']);
const Article = defineTemplate({
  name: 'Shop:Article',
  fields: {
    owner: d.party,
    price: d.numeric(10),
    colour: Colour,
    size: d.variant('Shop:Size', {
      None: d.unit,
      Box: { width: d.int64, depth: d.optional(d.int64) },
    }),
    note: d.optional(d.text),
    tags: d.genMap(d.text, d.list(d.int64)),
    kin: d.list(d.contractId('Shop:Article')),
  },
  signatories: ({ owner }) => [owner],
  key: { type: d.party, of: ({ owner }) => owner, maintainers: (owner) => [owner] },
  choices: (choice) => ({
    Article_Sell: choice({
      argument: { buyer: d.party },
      result: d.contractId('Shop:Article'),
      controllers: ({ owner }, { buyer }) => [owner, buyer],
      run: (update, { payload, template }, { buyer }) =>
        update.create(template, { ...payload, owner: buyer }),
    }),
  }),
  implements: (implement) => [implement(Viewed, { view: ({ price }) => ({ price }) })],
});
const shop = definePackage({
  name: 'shop',
  version: '1.2.0',
  templates: [Article],
  interfaces: [Viewed],
});

describe('a package with an interface and a key', () => {
  const texts = generated(shop);

  test('has one file per module, with names and without hashes', () => {
    expect([...texts.keys()]).toEqual(['shop/Shop.ts', 'shop/Shop/Api.ts']);
    expect([...texts.values()].join('')).not.toMatch(/[0-9a-f]{16}/);
    expect([...texts.values()].join('\n')).toMatchInlineSnapshot(`
      "// Written by \`canticle codegen\` from Shop of shop 1.2.0; changes will be lost.
      /* eslint-disable */
      import type { Daml } from 'canticle';

      export interface Article extends Daml.Implements<'#shop:Shop.Api:Viewed'> {
        readonly owner: Daml.Party;
        readonly price: Daml.Numeric;
        readonly colour: Colour;
        readonly size: Size;
        readonly note?: Daml.Optional<Daml.Text>;
        readonly tags: Daml.GenMap<Daml.Text, Daml.List<Daml.Int64>>;
        readonly kin: Daml.List<Daml.ContractId<Article>>;
      }

      export const Article: Daml.Template<Article, {
        readonly Article_Sell: Daml.Choice<Article, Article_Sell, Daml.ContractId<Article>, Daml.Party>;
      }, Daml.Party> = {
        templateId: '#shop:Shop:Article',
        Article_Sell: { choiceName: 'Article_Sell', template: () => Article },
        Archive: { choiceName: 'Archive', template: () => Article },
      };

      export type Colour = 'Red' | 'Green';

      export const Colour = {
        Red: 'Red',
        Green: 'Green',
      } as const;

      export type Size =
        | { readonly tag: 'None'; readonly value: Daml.Unit }
        | { readonly tag: 'Box'; readonly value: Size_Box };

      export interface Size_Box {
        readonly width: Daml.Int64;
        readonly depth?: Daml.Optional<Daml.Int64>;
      }

      export interface Article_Sell {
        readonly buyer: Daml.Party;
      }

      // Written by \`canticle codegen\` from Shop.Api of shop 1.2.0; changes will be lost.
      /* eslint-disable */
      import type { Daml } from 'canticle';

      export type Viewed = Daml.Implements<'#shop:Shop.Api:Viewed'>;

      export const Viewed: Daml.Interface<Viewed, View, {
        /** Leaves the contract active. */
        readonly Look: Daml.Choice<Viewed, Look, Daml.Numeric>;
      }> = {
        templateId: '#shop:Shop.Api:Viewed',
        Look: { choiceName: 'Look', template: () => Viewed },
        Archive: { choiceName: 'Archive', template: () => Viewed },
      };

      export interface View {
        readonly price: Daml.Numeric;
      }

      export interface Look {
        readonly viewer: Daml.Party;
      }
      "
    `);
  });

  test('accepts valid values only', () => {
    const use = `
      import type { Daml } from 'canticle';
      import { Article, Colour, type Size } from './shop/Shop.js';
      import { Viewed } from './shop/Shop/Api.js';
      declare const id: Daml.ContractId<Article>;
      const size: Size = { tag: 'Box', value: { width: '1' } };
      const article: Article = { owner: 'a', price: '1.0', colour: Colour.Red, size, tags: [['x', ['1']]], kin: [id, 'any text'] };
      export const seen: Daml.ContractId<Viewed> = id;
      export const target: Daml.TargetOf<typeof Viewed.Look> = id;
      export const key: Daml.KeyOf<typeof Article.Article_Sell> = 'a';
      export const view: Daml.ViewOf<typeof Viewed> = { price: '1.0' };
      // @ts-expect-error the id of a contract that is only seen
      export const back: Daml.ContractId<Article> = seen;
      // @ts-expect-error no such colour
      export const blue: Article = { ...article, colour: 'Blue' };
      // @ts-expect-error a Numeric is a text
      export const priced: Article = { ...article, price: 1 };
      // @ts-expect-error a map with keys that are texts is an array of pairs, too
      export const tagged: Article = { ...article, tags: { x: ['1'] } };
      // @ts-expect-error the tag of another constructor
      export const sized: Size = { tag: 'None', value: { width: '1' } };
      // @ts-expect-error no such constructor
      export const odd: Size = { tag: 'Bag', value: {} };
      // @ts-expect-error no width
      export const flat: Size = { tag: 'Box', value: {} };
      // @ts-expect-error no owner
      export const nobodys: Article = { price: '1.0', colour: 'Red', size, tags: [], kin: [] };
    `;
    expect(complaintsAbout(withUse(texts, use))).toEqual([]);
  });

  test('submits commands with the generated template and choice names', () => {
    const { participant } = createCanticle({ packages: [shop], seed: 3 });
    const owner = participant.allocateParty('owner');
    const made = exportsOf(texts.get('shop/Shop.ts')!)['Article'] as typeof Article;
    const payload = {
      owner,
      price: '3.0',
      colour: 'Red',
      size: { tag: 'None', value: {} },
      tags: [],
      kin: [],
    } as const;
    const id = participant.create(made, payload, { actAs: owner });
    const { result } = participant.exercise(
      id,
      made.Article_Sell,
      { buyer: owner },
      { actAs: owner },
    );
    expect(participant.activeContracts(made)).toMatchObject([
      { contractId: result, payload: { colour: 'Red' } },
    ]);
    const viewed = exportsOf(texts.get('shop/Shop/Api.ts')!)['Viewed'] as typeof Viewed;
    const looked = participant.exercise(result, viewed.Look, { viewer: owner }, { actAs: owner });
    expect(looked.result).toBe('3.0000000000');
    expect(participant.activeContracts(viewed)).toMatchObject([
      { view: { price: '3.0000000000' } },
    ]);
  });
});

const oneRecord = (
  name: string,
  entity: string,
  fields: Parameters<typeof d.record>[1],
  version = '1.0.0',
) => definePackage({ name, version, types: [d.record(entity, fields)] });

test('distinguishes packages whose names are equal or differ in case only', () => {
  const upper = oneRecord('Goods', 'Main:A', { a: d.text });
  const lower = oneRecord('goods', 'Main:A', { b: d.text });
  const later = oneRecord('goods', 'Main:A', { b: d.text, c: d.optional(d.text) }, '1.1.0');
  const all = [upper, lower, later];
  const paths = [...generateTypeScript({ main: all, packages: all }).keys()];
  const folder = (name: string) => expect.stringMatching(new RegExp(`^${name}/Main.ts$`));
  expect(paths).toEqual(['Goods-1.0.0-.{8}', 'goods-1.0.0-.{8}', 'goods-1.1.0'].map(folder));
});

test('a module imports the types that it uses from other modules', () => {
  const Odd = d.record('Numbers.Odd:Odd', { next: d.optional(d.int64) });
  const Even = d.record('Numbers.Even:Even', { next: d.optional(Odd) });
  const texts = generated(definePackage({ name: 'numbers', version: '1.0.0', types: [Even, Odd] }));
  expect(complaintsAbout(texts)).toEqual([]);
  expect(texts.get('numbers/Numbers/Even.ts')).toContain(`from './Odd.js'`);
});

test('writes only the parts of a library that the main package uses', () => {
  const text = { record: { text: t.text } };
  const library = encodePackage({
    name: 'library',
    lf: '2',
    modules: {
      L: {
        types: {
          Outer: { record: { inner: t.con('L:Inner') } },
          Inner: text,
          Asked: { variant: { Some: t.con('L:Answered') } },
          Answered: { enum: ['Yes'] },
          Result: text,
          Shared: text,
          Unused: text,
        },
      },
    },
  });
  const of = (name: string) => t.con(`${library.id}:L:${name}`);
  const main = encodePackage({
    name: 'main',
    lf: '2',
    modules: {
      M: {
        templates: {
          T: {
            fields: { owner: t.party, outer: of('Outer') },
            choices: {
              Ask: { argument: of('Asked'), returns: t.optional(of('Result')) },
              // All templates have it: its argument is written as a unit.
              Archive: { argument: of('Shared'), returns: t.unit },
            },
          },
        },
      },
    },
  });
  const written = textsOf(buildDar(main, library), 'dar').get('dar/library/L.ts')!;
  expect(
    [...written.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name),
  ).toEqual(['Outer', 'Inner', 'Asked', 'Answered', 'Result']);
});
