/** Packages written in TypeScript: their types, ids, errors, and what the compiler knows about them. */
import {
  DefinitionError,
  d,
  defineInterface,
  definePackage,
  defineTemplate,
  methods,
  tuple2,
  type Type,
  type ValueOf,
} from '../../../src/daml/define/index.js';
import { Numeric } from '../../../src/daml/model/numeric.js';
import type { PackageSpec } from '../../../src/daml/define/package.js';
import { Iou, quickstartPackage } from '../../../src/daml/define/quickstart.js';
import { some, type DamlVariant, type Some } from '../../../src/daml/model/values.js';

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? [] : [never]) : [never];
/** `valuesOf(type).are<Expected>()` compiles only if the type's values have the type `Expected`. */
const valuesOf = <T>(_type: Type<T>) => ({ are: <E>(..._proof: Same<T, E>): void => undefined });

/** TypeScript code does not use it. */
const context = { packages: { package: () => undefined, packageIdForName: () => undefined } };
const packageOf = (spec: Partial<PackageSpec>) =>
  definePackage({ name: 'test', version: '1.0.0', ...spec });
const template = (name = 'Main:Thing') =>
  defineTemplate({ name, fields: { owner: d.party }, signatories: (thing) => [thing.owner] });

describe('the quickstart package', () => {
  test('is named and identified by its declarations', () => {
    expect(quickstartPackage).toMatchObject({
      name: 'canticle-quickstart',
      version: '1.0.0',
      languageVersion: 'typescript',
    });
    expect(quickstartPackage.id).toMatch(/^[0-9a-f]{64}$/);
    expect(Iou.id).toBe(`${quickstartPackage.id}:Quickstart.Iou:Iou`);
  });

  test('has an Iou with its fields in order', () => {
    expect(quickstartPackage.dataTypes.get('Quickstart.Iou:Iou')?.body).toEqual({
      kind: 'record',
      fields: [
        { name: 'issuer', type: { kind: 'party' } },
        { name: 'owner', type: { kind: 'party' } },
        { name: 'currency', type: { kind: 'text' } },
        { name: 'amount', type: { kind: 'numeric', scale: 10 } },
        { name: 'observers', type: { kind: 'list', of: { kind: 'party' } } },
      ],
    });
  });

  test('names the argument records after the choices, and has Archive', () => {
    const iou = quickstartPackage.templates.get('Quickstart.Iou:Iou');
    expect([...(iou?.choices.keys() ?? [])]).toEqual([
      'Iou_Split',
      'Iou_Transfer',
      'Iou_AddObserver',
      'Archive',
    ]);
    expect(iou?.choices.get('Iou_Transfer')?.argumentType).toEqual({
      kind: 'con',
      id: `${quickstartPackage.id}:Quickstart.Iou:Iou_Transfer`,
      args: [],
    });
    expect(iou?.choices.get('Archive')?.argumentType).toEqual({
      kind: 'con',
      id: '9e70a8b3510d617f8a136213f33d6a903a10ca0eeec76bb06ba55d1ed9680f69:DA.Internal.Template:Archive',
      args: [],
    });
  });

  test('Iou_Split returns the pair type of the standard library', () => {
    const contractId = { kind: 'contractId', of: { kind: 'con', id: Iou.id, args: [] } };
    expect(
      quickstartPackage.templates.get('Quickstart.Iou:Iou')?.choices.get('Iou_Split')?.returnType,
    ).toEqual({
      kind: 'con',
      id: '5aee9b21b8e9a4c4975b5f4c4198e6e6e8469df49e2010820e792f393db870f4:DA.Types:Tuple2',
      args: [contractId, contractId],
    });
    expect(quickstartPackage.dependencies).toEqual([
      '5aee9b21b8e9a4c4975b5f4c4198e6e6e8469df49e2010820e792f393db870f4',
      '9e70a8b3510d617f8a136213f33d6a903a10ca0eeec76bb06ba55d1ed9680f69',
    ]);
  });

  test('has issuer and owner as signatories, and accepts positive amounts only', () => {
    const code = quickstartPackage.templates.get('Quickstart.Iou:Iou')!.code!;
    const payload = {
      issuer: 'bank',
      owner: 'alice',
      currency: 'EUR',
      amount: Numeric.of('1'),
      observers: ['carol'],
    };
    expect(code.signatories(payload, context)).toEqual(['bank', 'alice']);
    expect(code.observers(payload, context)).toEqual(['carol']);
    expect(code.precondition(payload, context)).toBe(true);
    expect(code.precondition({ ...payload, amount: Numeric.of('0') }, context)).toBe(false);
  });
});

describe('package ids', () => {
  test('depend on the declarations of a package', () => {
    const id = packageOf({ templates: [template()] }).id;
    expect(packageOf({ templates: [template()] }).id).toBe(id);
    expect(packageOf({ templates: [template('Main:Other')] }).id).not.toBe(id);
    expect(packageOf({ templates: [template()], version: '1.0.1' }).id).not.toBe(id);
    const withChoice = defineTemplate({
      name: 'Main:Thing',
      fields: { owner: d.party },
      signatories: (thing) => [thing.owner],
      choices: (choice) => ({
        Poke: choice({ result: d.unit, controllers: (thing) => [thing.owner], run: () => ({}) }),
      }),
    });
    expect(packageOf({ templates: [withChoice] }).id).not.toBe(id);
  });

  test('do not depend on the order in which definitions are listed', () => {
    const one = packageOf({ templates: [template('Main:A'), template('Main:B')] });
    const two = packageOf({ templates: [template('Main:B'), template('Main:A')] });
    expect(two.id).toBe(one.id);
    expect(two.archive).toEqual(one.archive);
  });

  test('can be set, for a package that replaces a real one', () => {
    const id = 'ab'.repeat(32);
    const Thing = template();
    expect(packageOf({ id, templates: [Thing] }).id).toBe(id);
    expect(Thing.id).toBe(`${id}:Main:Thing`);
  });
});

describe('types', () => {
  test('refer to each other within and across packages', () => {
    const Color = d.enum('Shared:Color', ['Red', 'Green']);
    const shared = packageOf({ name: 'shared', types: [Color] });
    const Shape = d.variant('Main:Shape', { Circle: { radius: d.numeric(2) }, Point: d.unit });
    const Figure = defineTemplate({
      name: 'Main:Figure',
      fields: {
        owner: d.party,
        shape: Shape,
        color: d.optional(Color),
        next: d.optional(d.contractId('Main:Figure')),
      },
      signatories: (figure) => [figure.owner],
    });
    const { id, dataTypes, dependencies } = packageOf({ templates: [Figure] });
    expect([...dataTypes.keys()]).toEqual(['Main:Figure', 'Main:Shape', 'Main:Shape.Circle']);
    expect(dataTypes.get('Main:Figure')?.body).toMatchObject({
      fields: [
        { name: 'owner' },
        { type: { kind: 'con', id: `${id}:Main:Shape` } },
        { type: { kind: 'optional', of: { kind: 'con', id: `${shared.id}:Shared:Color` } } },
        {
          type: {
            kind: 'optional',
            of: { kind: 'contractId', of: { kind: 'con', id: `${id}:Main:Figure` } },
          },
        },
      ],
    });
    expect(dependencies).toContain(shared.id);
  });

  test('may be recursive', () => {
    interface Tree {
      readonly label: string;
      readonly children: readonly Tree[];
    }
    const Tree: Type<Tree> = d.record('Main:Tree', {
      label: d.text,
      children: d.list(d.lazy<Tree>(() => Tree)),
    });
    const { id, dataTypes } = packageOf({ types: [Tree] });
    expect(dataTypes.get('Main:Tree')?.body).toMatchObject({
      fields: [
        { name: 'label' },
        { type: { kind: 'list', of: { kind: 'con', id: `${id}:Main:Tree` } } },
      ],
    });
  });

  test('have matching TypeScript types', () => {
    valuesOf(d.party).are<string>();
    valuesOf(d.int64).are<bigint>();
    valuesOf(d.date).are<number>();
    valuesOf(d.numeric(10)).are<Numeric>();
    valuesOf(tuple2(d.text, d.optional(d.timestamp))).are<{
      readonly _1: string;
      readonly _2: Some<bigint> | null;
    }>();
    valuesOf(d.textMap(d.bool)).are<ReadonlyMap<string, boolean>>();
    valuesOf(d.genMap(d.party, d.list(d.int64))).are<
      readonly (readonly [string, readonly bigint[]])[]
    >();
    valuesOf(d.record('Main:Pair', { left: d.text, right: d.bool })).are<{
      readonly left: string;
      readonly right: boolean;
    }>();
    valuesOf(d.enum('Main:Color', ['Red', 'Green'])).are<'Red' | 'Green'>();
    // @ts-expect-error an int64 is a bigint
    valuesOf(d.int64).are<number>();
    const shape = d.variant('Main:Shape', { Circle: { radius: d.int64 }, Named: d.text });
    const made: DamlVariant = shape.of('Circle', { radius: 2n });
    expect(made).toMatchObject({ tag: 'Circle', value: { radius: 2n } });
    const area = (value: ValueOf<typeof shape>): bigint =>
      value.tag === 'Circle' ? value.value.radius * 3n : BigInt(value.value.length);
    expect([area(shape.of('Circle', { radius: 2n })), area(shape.of('Named', 'four'))]).toEqual([
      6n,
      4n,
    ]);
  });

  test('the compiler rejects wrong payloads, arguments and results', () => {
    defineTemplate({
      name: 'Main:Checked',
      fields: { owner: d.party, count: d.int64, note: d.optional(d.text) },
      // @ts-expect-error a count is no party
      signatories: (checked) => [checked.count],
      choices: (choice) => ({
        Wrong: choice({
          argument: { by: d.int64 },
          result: d.int64,
          controllers: (checked) => [checked.owner],
          // @ts-expect-error a text is no int64
          run: () => 'text',
        }),
        Right: choice({
          argument: { by: d.int64 },
          result: d.int64,
          controllers: (checked) => [checked.owner],
          run: (update, { payload, template: own }, { by }) => {
            // @ts-expect-error the note is missing
            void (() => update.create(own, { owner: payload.owner, count: by }));
            void (() => update.create(own, { ...payload, count: by, note: some('more') }));
            return payload.count + by;
          },
        }),
      }),
    });
  });
});

describe('interfaces', () => {
  const View = d.record('Main:View', { owner: d.party });
  const Owned = defineInterface({
    name: 'Main:Owned',
    view: View,
    methods: methods<{ rename(to: string): string }>()('rename'),
    choices: (choice) => ({
      Rename: choice({
        argument: { to: d.text },
        result: d.text,
        controllers: (view) => [view.owner],
        run: (_update, self, { to }) => self.methods.rename(to),
      }),
    }),
  });
  const Strict = defineInterface({
    name: 'Main:Strict',
    view: d.record('Main:StrictView', {}),
    requires: [Owned],
  });
  const Base = defineTemplate({
    name: 'Main:Base',
    fields: { owner: d.party, title: d.text },
    signatories: (base) => [base.owner],
    implements: (implement) => [
      implement(Owned, {
        view: ({ owner }) => ({ owner }),
        methods: { rename: ({ payload }, to) => `${payload.title} is now ${to}` },
      }),
      implement(Strict, { view: () => ({}) }),
    ],
  });
  const built = packageOf({ name: 'interfaces', templates: [Base], interfaces: [Owned, Strict] });

  test('have views, choices with Archive, and required interfaces', () => {
    const owned = built.interfaces.get('Main:Owned');
    expect(owned?.viewType).toEqual({ kind: 'con', id: `${built.id}:Main:View`, args: [] });
    expect([...(owned?.choices.keys() ?? [])]).toEqual(['Rename', 'Archive']);
    expect(built.interfaces.get('Main:Strict')?.requires).toEqual([Owned.id]);
    expect(built.dataTypes.get('Main:Owned')).toMatchObject({
      serializable: false,
      body: { kind: 'interface' },
    });
  });

  test("run a template's methods on the contract", () => {
    const payload = { owner: 'alice', title: 'Report' };
    const { methods: bound, view } = built.templates
      .get('Main:Base')!
      .implementations.get(Owned.id)!.code!;
    const target = { contractId: '00', templateId: Base.id, payload, methods: bound, context };
    const rename = built.interfaces.get('Main:Owned')!.choices.get('Rename')!.code!;
    const archive = built.interfaces.get('Main:Owned')!.choices.get('Archive')!.code!;
    expect(view(payload, context)).toEqual({ owner: 'alice' });
    expect(rename.controllers(target, { to: 'Essay' })).toEqual(['alice']);
    expect(rename.run(undefined as never, target, { to: 'Essay' })).toBe('Report is now Essay');
    expect(archive.controllers(target, {})).toEqual(['alice']);
  });
});

describe('definition errors explain what to change', () => {
  const Lonely = defineInterface({ name: 'Main:Lonely', view: d.record('Main:LonelyView', {}) });
  const View = d.record('Main:OwnedView', {});
  const Owned = defineInterface({
    name: 'Main:Owned',
    view: View,
    methods: methods<{ rename(): string }>()('rename'),
  });
  const Strict = defineInterface({ name: 'Main:Strict', view: View, requires: [Lonely] });
  const implementing = (of: typeof Lonely | typeof Strict) =>
    defineTemplate({
      name: 'Main:Thing',
      fields: { owner: d.party },
      signatories: (thing) => [thing.owner],
      implements: (implement) => [implement(of, { view: () => ({}) })],
    });
  const choiceNamed = (name: string) =>
    defineTemplate({
      name: 'Main:Thing',
      fields: { owner: d.party },
      signatories: (thing) => [thing.owner],
      choices: (choice) => ({
        [name]: choice({ result: d.unit, controllers: () => [], run: () => ({}) }),
      }),
    });

  test.each<[string, () => unknown]>([
    [
      "Package name 'my package': use letters, digits, - and _.",
      () => packageOf({ name: 'my package' }),
    ],
    [
      "Package version '1.x': use numbers with dots, for example 1.0.0.",
      () => packageOf({ version: '1.x' }),
    ],
    [
      "Package id 'abc': a package id is 64 lower-case hexadecimal digits.",
      () => packageOf({ id: 'abc' }),
    ],
    [
      "Template 'Thing' is not of the form Module.Path:Entity, for example 'Main.Iou:Iou'.",
      () => template('Thing'),
    ],
    ['Main:Thing is declared twice.', () => packageOf({ templates: [template(), template()] })],
    [
      'Main:Poke is declared twice.',
      () =>
        packageOf({
          templates: [choiceNamed('Poke')],
          types: [d.record('Main:Poke', { other: d.text })],
        }),
    ],
    [
      "Main:Thing: choice 'do it' is not a Daml identifier.",
      () => packageOf({ templates: [choiceNamed('do it')] }),
    ],
    [
      'Main:Thing: the choice Archive is there already.',
      () => packageOf({ templates: [choiceNamed('Archive')] }),
    ],
    [
      "Main:R: field '1st' is not a Daml identifier.",
      () => packageOf({ types: [d.record('Main:R', { '1st': d.text })] }),
    ],
    [
      'Main:E names a constructor twice.',
      () => packageOf({ types: [d.enum('Main:E', ['A', 'A'])] }),
    ],
    ['Main:V has no constructors.', () => packageOf({ types: [d.variant('Main:V', {})] })],
    ['d.numeric(38): a scale is a whole number from 0 to 37.', () => d.numeric(38)],
    [
      'Main:Thing implements Main:Lonely, which is in no package.',
      () => packageOf({ templates: [implementing(Lonely)] }),
    ],
    [
      'Main:Thing implements Main:Strict, which requires Main:Lonely. Implement that too.',
      () => packageOf({ templates: [implementing(Strict)], interfaces: [Strict, Lonely] }),
    ],
    [
      'The implementation of Main:Owned lacks the methods rename.',
      () => implementing(Owned as unknown as typeof Lonely),
    ],
    [
      "d.contractId('Main:Nowhere'): package test has no Main:Nowhere.",
      () => packageOf({ types: [d.record('Main:R', { cid: d.contractId('Main:Nowhere') })] }),
    ],
    ['Template Main:Thing is in no package yet.', () => template().id],
  ])('%s', (message, define) => {
    expect(define).toThrow(DefinitionError);
    expect(define).toThrow(message);
  });

  test('the definitions of a rejected package can be used again', () => {
    const Thing = template();
    expect(() => packageOf({ templates: [Thing, template()] })).toThrow(DefinitionError);
    expect(packageOf({ templates: [Thing] }).templates.size).toBe(1);
  });
});
