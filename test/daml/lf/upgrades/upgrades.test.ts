/** Contracts that one version of a package made and another one uses (smart contract upgrading, Daml-LF 2.1 and later). */
import { createCanticle } from 'canticle';
import { buildDar } from '../../../support/daml/dar-builder.js';
import { e, p, u, type Code } from '../../../support/daml/lf-code.js';
import {
  encodePackage,
  type DataTypeSpec,
  type EncodedPackage,
  type Fields,
} from '../../../support/daml/lf-encoder.js';
import { answer } from '../../../support/daml/lf-probe.js';
import { t } from '../../../support/daml/lf-types.js';

const NOTE = t.con('Main:Note');
const parties = (...items: Code[]) => e.list(t.party, items);
const fieldOf = (name: string) => e.field(NOTE, name, e.var('this'));

interface Version {
  readonly version: string;
  readonly fields: Fields;
  readonly text: Code;
  readonly signatories?: Code;
  readonly observers?: Code;
  readonly precondition?: Code;
  readonly name?: string;
}

const version = ({ version: number, fields, text, signatories, ...more }: Version) =>
  encodePackage({
    name: more.name ?? 'notes',
    version: number,
    modules: {
      Main: {
        templates: {
          Note: {
            fields,
            precondition: more.precondition ?? e.true,
            signatories: signatories ?? parties(fieldOf('owner')),
            ...(more.observers && { observers: more.observers }),
            choices: {
              Read: {
                consuming: false,
                argument: t.unit,
                returns: t.text,
                controllers: parties(fieldOf('owner')),
                update: u.pure(t.text, text),
              },
            },
          },
        },
      },
    },
  });

const FIELDS = { owner: t.party, other: t.party, text: t.text };
const withExtra = { ...FIELDS, extra: t.optional(t.text) };
const v1 = version({ version: '1.0.0', fields: FIELDS, text: fieldOf('text') });
const v2 = version({
  version: '2.0.0',
  fields: withExtra,
  text: e.match(fieldOf('extra'), [p.none, e.text('nothing')], [p.some('x'), e.var('x')]),
});
const otherSignatory = version({
  version: '3.0.0',
  fields: withExtra,
  text: fieldOf('text'),
  signatories: parties(fieldOf('owner'), fieldOf('other')),
});
const needsMore = version({
  version: '4.0.0',
  fields: { ...FIELDS, extra: t.text },
  text: fieldOf('extra'),
});

const otherObserver = version({
  version: '5.0.0',
  fields: withExtra,
  text: fieldOf('text'),
  observers: parties(fieldOf('other')),
});
const stricter = version({
  version: '6.0.0',
  fields: withExtra,
  text: fieldOf('text'),
  precondition: e.call(e.builtin('EQUAL', t.text), fieldOf('text'), e.text('hi')),
});
const namesake = version({
  name: 'other-notes',
  version: '1.0.0',
  fields: FIELDS,
  text: fieldOf('text'),
});
const failing = version({
  version: '7.0.0',
  fields: withExtra,
  text: e.call(e.builtin('INT64_TO_TEXT'), e.call(e.builtin('DIV_INT64'), e.int(1), e.int(0))),
});
const ALL = [v1, v2, otherSignatory, needsMore, otherObserver, stricter, namesake, failing];

function world() {
  const canticle = createCanticle({ seed: 1 });
  const { participant } = canticle;
  for (const one of ALL) participant.uploadDar(buildDar(one));
  const [alice, bob] = ['alice', 'bob'].map((hint) => participant.allocateParty(hint)) as [
    string,
    string,
  ];
  const note = (id: string, more = {}) =>
    participant.create(
      `${id}:Main:Note`,
      { owner: alice, other: bob, text: 'hello', ...more },
      { actAs: [alice, bob] },
    );
  const read = (id: string, contract: string, by = alice) =>
    answer(() => {
      const options = { actAs: [by], readAs: [alice] };
      return participant.exercise(`${id}:Main:Note`, contract, 'Read', {}, options).result;
    });
  return { note, read, alice, bob };
}

test('a contract of an earlier version has None in added fields', () => {
  const { note, read } = world();
  expect(read(v2.id, note(v1.id))).toBe('nothing');
  expect(read(v1.id, note(v1.id))).toBe('hello');
});

test('a contract of a later version loses its added fields if they are None', () => {
  const { note, read } = world();
  expect(read(v1.id, note(v2.id, { extra: null }))).toBe('hello');
  expect(read(v1.id, note(v2.id, { extra: 'kept' }))).toMatchObject({
    refused: 'INTERPRETATION_UPGRADE_ERROR_TRANSLATION_FAILED',
    cause: expect.stringContaining('may not be dropped during downgrading'),
  });
});

// Upstream's PartialTransaction has in its exercises the template of the code that runs.
test('an authorization error and a failure name the version that runs', () => {
  const { note, read, alice, bob } = world();
  expect(read(v2.id, note(v1.id), bob)).toMatchObject({
    refused: 'DAML_AUTHORIZATION_ERROR',
    cause:
      `Interpretation error: Error: node NodeId(0) (${v2.id}:Main:Note) ` +
      `requires authorizers ${alice}, but only ${bob} were given`,
  });
  const at = `${failing.id.slice(0, 8)}:Main:Note:Read on contract`;
  const contract = note(v1.id);
  const short = contract.slice(0, 10);
  expect(read(failing.id, contract)).toMatchObject({
    context: {
      exercise_trace: `    in choice ${at} ${short} (#0)\n    in exercise command ${at} ${short}.\n`,
    },
  });
});

test('signatories must be the same in both versions', () => {
  const { note, read } = world();
  expect(read(otherSignatory.id, note(v1.id))).toMatchObject({
    refused: 'INTERPRETATION_UPGRADE_ERROR_VALIDATION_FAILED',
    cause: expect.stringContaining('Verify that neither the signatories'),
  });
});

test('observers must be the same in both versions', () => {
  const { note, read } = world();
  expect(read(otherObserver.id, note(v1.id))).toMatchObject({
    refused: 'INTERPRETATION_UPGRADE_ERROR_VALIDATION_FAILED',
    cause: expect.stringContaining('recomputed observers are'),
  });
});

test('a contract must meet the precondition of the version that reads it', () => {
  const { note, read } = world();
  expect(read(stricter.id, note(v1.id, { text: 'hi' }))).toBe('hi');
  expect(read(stricter.id, note(v1.id))).toMatchObject({
    refused: 'TEMPLATE_PRECONDITION_VIOLATED',
  });
});

test('a package with another name does not count as a version, even with an equal template name', () => {
  const { note, read } = world();
  expect(read(namesake.id, note(v1.id))).toMatchObject({
    refused: 'INTERPRETATION_UPGRADE_ERROR_VALIDATION_FAILED',
    cause: expect.stringMatching(
      /original package name is notes\n(.*\n)*target package name is other-notes\n/,
    ),
  });
});

test('a template with the same name in another module is a different template', () => {
  const { participant } = createCanticle({ seed: 1 });
  const note = (module: string) => {
    const type = t.con(`${module}:Note`);
    const owners = parties(e.field(type, 'owner', e.var('this')));
    return {
      templates: {
        Note: {
          fields: { owner: t.party },
          precondition: e.true,
          signatories: owners,
          choices: {
            Read: {
              consuming: false,
              argument: t.unit,
              returns: t.text,
              controllers: owners,
              update: u.pure(t.text, e.text(module)),
            },
          },
        },
      },
    };
  };
  const modules = { Main: note('Main'), Other: note('Other') };
  const [one, two] = ['1.0.0', '2.0.0'].map((number) =>
    encodePackage({ name: 'modules', version: number, modules }),
  ) as [EncodedPackage, EncodedPackage];
  for (const each of [one, two]) participant.uploadDar(buildDar(each));
  const alice = participant.allocateParty('alice');
  const made = participant.create(`${one.id}:Main:Note`, { owner: alice }, { actAs: alice });
  const read = (template: string) =>
    answer(() => participant.exercise(template, made, 'Read', {}, { actAs: alice }).result);
  expect(read(`${two.id}:Main:Note`)).toBe('Main');
  for (const { id } of [one, two])
    expect(read(`${id}:Other:Note`)).toMatchObject({ refused: 'WRONGLY_TYPED_CONTRACT' });
});

test('rejects an added field that is not optional', () => {
  const { note, read } = world();
  expect(read(needsMore.id, note(v1.id))).toMatchObject({
    refused: 'INTERPRETATION_UPGRADE_ERROR_TRANSLATION_FAILED',
  });
});

test('rejects the removal of a field that is not optional', () => {
  const { note, read } = world();
  expect(read(v1.id, note(needsMore.id, { extra: 'kept' }))).toMatchObject({
    refused: 'INTERPRETATION_UPGRADE_ERROR_TRANSLATION_FAILED',
    cause: expect.stringContaining('Found non-optional extra field at index 3'),
  });
});

describe.each([
  ['variant', { variant: { Small: t.unit } }, { variant: { Small: t.unit, Big: t.unit } }],
  ['enum', { enum: ['Small'] }, { enum: ['Small', 'Big'] }],
] as const)('a %s with one more constructor', (kind, before, after) => {
  const holder = (number: string, size: DataTypeSpec) =>
    encodePackage({
      name: `sizes-of-${kind}`,
      version: number,
      modules: {
        Main: {
          types: { Size: size },
          templates: {
            Note: {
              fields: { owner: t.party, size: t.con('Main:Size') },
              precondition: e.true,
              signatories: parties(fieldOf('owner')),
              choices: {
                Touch: {
                  consuming: false,
                  argument: t.unit,
                  returns: t.unit,
                  controllers: parties(fieldOf('owner')),
                  update: u.pure(t.unit, e.unit),
                },
              },
            },
          },
        },
      },
    });
  const [earlier, later] = [holder('1.0.0', before), holder('2.0.0', after)];
  const { participant } = createCanticle({ seed: 1 });
  for (const one of [earlier, later]) participant.uploadDar(buildDar(one));
  const owner = participant.allocateParty('alice');
  const touch = (tag: string) => {
    const size = kind === 'enum' ? tag : { tag, value: {} };
    const id = participant.create(`${later.id}:Main:Note`, { owner, size }, { actAs: [owner] });
    return answer(() =>
      participant.exercise(`${earlier.id}:Main:Note`, id, 'Touch', {}, { actAs: [owner] }),
    );
  };

  test('rejects only the constructors that the earlier version lacks', () => {
    expect(touch('Big')).toMatchObject({
      refused: 'INTERPRETATION_UPGRADE_ERROR_TRANSLATION_FAILED',
    });
    expect(touch('Small')).not.toHaveProperty('refused');
  });
});

describe('through an interface', () => {
  const api = encodePackage({
    name: 'source-api',
    modules: {
      Api: {
        types: { SourceView: { record: { text: t.text } } },
        interfaces: {
          Source: {
            view: t.con('Api:SourceView'),
            methods: { text: t.text },
            choices: {
              Tell: {
                consuming: false,
                argument: t.unit,
                returns: t.text,
                controllers: e.signatoryInterface('Api:Source', e.var('this')),
                update: u.pure(t.text, e.callInterface('Api:Source', 'text', e.var('this'))),
              },
            },
          },
        },
      },
    },
  });
  const id = `${api.id}:Api:Source`;
  const implementation = (number: string, text: string) =>
    encodePackage({
      name: 'sources',
      version: number,
      imports: [api.id],
      modules: {
        Main: {
          templates: {
            Note: {
              fields: { owner: t.party },
              precondition: e.true,
              signatories: parties(fieldOf('owner')),
              implements: {
                [id]: {
                  view: e.record(t.con(`${api.id}:Api:SourceView`), { text: e.text(text) }),
                  methods: { text: e.text(text) },
                },
              },
            },
          },
        },
      },
    });

  test('uses the version to which its package name resolves', () => {
    const { participant } = createCanticle({ seed: 1 });
    const [first, second] = [implementation('1.0.0', 'first'), implementation('2.0.0', 'second')];
    const alice = participant.allocateParty('alice');
    const exerciseTell = (contract: string) =>
      participant.exercise(id, contract, 'Tell', {}, { actAs: [alice] }).result;
    participant.uploadDar(buildDar(first, api));
    const contract = participant.create(
      `${first.id}:Main:Note`,
      { owner: alice },
      { actAs: [alice] },
    );
    expect(exerciseTell(contract)).toBe('first');
    participant.uploadDar(buildDar(second, api));
    expect(exerciseTell(contract)).toBe('second');
  });
});
