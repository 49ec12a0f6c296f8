/** How the JSON layer of release 3.4 reads and writes Daml values, next to the default release. */
import { definePackage, defineTemplate, d } from 'canticle';
import {
  create,
  eventFormat,
  exercise,
  startLedgerApi,
  type LedgerApi,
} from '../../../support/ledger-api.js';

const color = d.enum('Kinds:Color', ['Red', 'Green']);
const shape = d.variant('Kinds:Shape', { Circle: d.int64, Nothing: d.unit, Of: d.list(d.int64) });
const inner = d.record('Kinds:Inner', { first: d.text, second: d.optional(d.int64) });
const Ints = defineTemplate({
  name: 'Kinds:Ints',
  fields: {
    owner: d.party,
    plain: d.int64,
    list: d.list(d.int64),
    map: d.genMap(d.int64, d.textMap(d.int64)),
    maybe: d.optional(d.int64),
    amount: d.numeric(10),
  },
  signatories: ({ owner }) => [owner],
});
const Sums = defineTemplate({
  name: 'Kinds:Sums',
  fields: { owner: d.party, shape, color, inner },
  signatories: ({ owner }) => [owner],
  choices: (choice) => ({
    Clear: choice({
      consuming: false,
      argument: {},
      result: d.optional(d.int64),
      controllers: ({ owner }) => [owner],
      run: () => null,
    }),
  }),
});
const Wide = defineTemplate({
  name: 'Kinds:Wide',
  fields: {
    owner: d.party,
    items: d.list(d.int64),
    text: d.text,
    flag: d.bool,
    inner,
    last: d.optional(d.text),
  },
  signatories: ({ owner }) => [owner],
});
const row = d.record('Kinds:Row', { ints: d.list(d.int64), label: d.text });
const Rows = defineTemplate({
  name: 'Kinds:Rows',
  fields: { owner: d.party, rows: d.list(row) },
  signatories: ({ owner }) => [owner],
});
const kinds = definePackage({
  name: 'kinds',
  version: '1.0.0',
  templates: [Ints, Sums, Wide, Rows],
});
const id = (name: string) => `${kinds.id}:Kinds:${name}`;

const INVALID = 'The submitted request has invalid arguments: ';
const MISSING = 'Missing non-optional field: ';

let api: LedgerApi;
let owner: string;
const start = async (canton: '3.4' | '3.5') => {
  api = await startLedgerApi({ canton, packages: [kinds] });
  [owner] = await api.parties('owner');
};
afterEach(() => api.client.close());

const submit = (template: string, payload: object) =>
  api.post(
    '/v2/commands/submit-and-wait',
    api.commands(create(id(template), payload), { actAs: owner }),
  );
async function stored(template: string, payload: object) {
  const { status, body } = await submit(template, payload);
  expect([status, body]).toEqual([200, expect.anything()]);
  const events = await api.active(eventFormat([owner]));
  return events.at(-1).createArgument;
}

const ints = (more: object = {}) => ({
  owner,
  plain: '1',
  list: ['2'],
  map: [['3', { four: '4' }]],
  maybe: '5',
  amount: '6.0',
  ...more,
});
const sums = (more: object = {}) => ({
  owner,
  shape: { tag: 'Circle', value: '1' },
  color: 'Red',
  inner: { first: '' },
  ...more,
});
const wide = (more: object = {}) => ({
  owner,
  items: [],
  text: '',
  flag: true,
  inner: { first: '' },
  ...more,
});

describe('3.4', () => {
  beforeEach(() => start('3.4'));

  it('accepts JSON numbers as Ints at each place, without their fraction (R-34-001, R-34-003)', async () => {
    const numbers = { plain: 7.9, list: [-7.9, 1e300], map: [[8, { four: -1e300 }]], maybe: 0 };
    expect(await stored('Ints', ints(numbers))).toMatchObject({
      plain: '7',
      list: ['-7', '9223372036854775807'],
      map: [['8', { four: '-9223372036854775808' }]],
      maybe: '0',
    });
    expect(await stored('Sums', sums({ shape: { tag: 'Circle', value: 3 } }))).toMatchObject({
      shape: { value: '3' },
    });
  });

  it('rejects other kinds of JSON as an Int with an invalid argument (R-34-002)', async () => {
    for (const [json, text] of [
      [true, 'true'],
      [null, 'null'],
      [[1], '[1]'],
      [{ a: 1 }, '{"a":1}'],
    ]) {
      const { status, body } = await submit('Ints', ints({ plain: json }));
      expect([status, body.code, body.cause]).toEqual([
        400,
        'INVALID_ARGUMENT',
        `${INVALID}${text} is not a valid Int64 value`,
      ]);
    }
    const { body } = await submit('Ints', ints({ plain: '1.5' }));
    expect(body.cause).toBe(`${INVALID}For input string: "1.5"`);
  });

  it.each<[title: string, status: number, code: string, cause: string, wrong: object]>([
    [
      'its first missing field (R-34-005)',
      400,
      'COMMAND_PREPROCESSING_FAILED',
      `${MISSING}text`,
      { text: undefined, flag: undefined },
    ],
    [
      'a wrong value before a missing field (R-34-006)',
      500,
      'LEDGER_API_INTERNAL_ERROR',
      'Expected ujson.Str (data: 1)',
      { text: 1, flag: undefined },
    ],
    [
      'a missing field before a wrong value (R-34-006)',
      400,
      'COMMAND_PREPROCESSING_FAILED',
      `${MISSING}text`,
      { text: undefined, flag: 1 },
    ],
    [
      'the first of two wrong values (R-34-006)',
      500,
      'LEDGER_API_INTERNAL_ERROR',
      'Expected ujson.Str (data: 1)',
      { text: 1, flag: 1 },
    ],
    [
      'a missing field before an unexpected one (R-34-007)',
      400,
      'COMMAND_PREPROCESSING_FAILED',
      `${MISSING}flag`,
      { flag: undefined, x: 1 },
    ],
    [
      'a wrong value before an unexpected field (R-34-007)',
      500,
      'LEDGER_API_INTERNAL_ERROR',
      'Expected ujson.Bool (data: 1)',
      { flag: 1, x: 1 },
    ],
    [
      'the fault of an inner record before its own (R-34-007)',
      400,
      'INVALID_ARGUMENT',
      `${INVALID}Unexpected fields: y`,
      { inner: { first: '', y: 1 }, x: 1 },
    ],
    [
      'its own fault before that of an item of a list (R-34-007)',
      400,
      'INVALID_ARGUMENT',
      `${INVALID}Unexpected fields: x`,
      { items: ['a'], x: 1 },
    ],
    [
      'each unknown member, also null ones (R-34-008)',
      400,
      'INVALID_ARGUMENT',
      `${INVALID}Unexpected fields: xn`,
      { n: null, x: 1 },
    ],
  ])('names in a record: %s', async (_title, status, code, cause, wrong) => {
    const { status: got, body } = await submit('Wide', wide(wrong));
    expect([got, body.code, body.cause]).toEqual([status, code, cause]);
  });

  it.each<[title: string, cause: string, shape: unknown]>([
    ['without a tag (R-34-010)', 'key not found: tag', { value: '1' }],
    ['without a value (R-34-011)', 'key not found: value', { tag: 'Circle' }],
    ['with an unknown tag, but no value (R-34-011)', 'key not found: Square', { tag: 'Square' }],
    [
      'with an unknown tag (R-34-012, R-34-015)',
      'key not found: Square',
      { tag: 'Square', value: 1 },
    ],
    ['with a tag that is no text (R-34-010)', 'Expected ujson.Str (data: 1)', { tag: 1 }],
    ['as a text (R-34-013)', 'Expected ujson.Obj (data: "Circle")', 'Circle'],
    ['as a list (R-34-013)', 'Expected ujson.Obj (data: [])', []],
  ])('answers an internal error for a variant %s', async (_title, cause, wrong) => {
    const { status, body } = await submit('Sums', sums({ shape: wrong }));
    expect([status, body.code, body.cause]).toEqual([500, 'LEDGER_API_INTERNAL_ERROR', cause]);
  });

  it('answers an internal error for an unknown constructor of an enum (R-34-014)', async () => {
    const { status, body } = await submit('Sums', sums({ color: 'Blue' }));
    const cause = 'key not found: Blue';
    expect(status).toBe(500);
    expect(body).toMatchObject({
      code: 'LEDGER_API_INTERNAL_ERROR',
      cause,
      context: { throwableO: `Some(java.util.NoSuchElementException: ${cause})` },
    });
  });

  it('reads the items of lists and maps after all other parts, in their order (B-VAL-046)', async () => {
    const rows = [
      { ints: ['1', true], label: 1 },
      { ints: [], label: 2 },
    ];
    expect((await submit('Rows', { owner, rows })).body.cause).toBe('Expected ujson.Str (data: 1)');
    const inner = [{ ints: ['1', true], label: '' }, { ints: [] }];
    expect((await submit('Rows', { owner, rows: inner })).body.cause).toBe(
      `${INVALID}true is not a valid Int64 value`,
    );
    for (const [cause, wrong] of [
      [`${MISSING}flag`, { items: [true], flag: undefined }],
      [`${INVALID}true is not a valid Int64 value`, { items: ['1', true, 'x'] }],
    ] as const)
      expect((await submit('Wide', wide(wrong))).body.cause).toBe(cause);
    for (const [cause, wrong] of [
      [`${INVALID}true is not a valid Int64 value`, { list: [true], map: [['x', {}]] }],
      [
        `${INVALID}For input string: "x"`,
        {
          map: [
            ['1', { a: 'x' }],
            ['y', {}],
          ],
        },
      ],
      [`${INVALID}[] is not a valid numeric value`, { list: [true], amount: [] }],
    ] as const)
      expect((await submit('Ints', ints(wrong))).body.cause).toBe(cause);
  });
});

describe.each(['3.4', '3.5'] as const)('%s', (release) => {
  beforeEach(() => start(release));

  it('accepts numbers and texts as a Numeric, and no other kind (R-34-004)', async () => {
    for (const amount of [6.5, '6.5'])
      expect(await stored('Ints', ints({ amount }))).toMatchObject({ amount: '6.5000000000' });
    const { status, body } = await submit('Ints', ints({ amount: true }));
    expect([status, body.cause]).toEqual([400, `${INVALID}true is not a valid numeric value`]);
  });

  it('accepts an unknown member that is null (R-34-009)', async () => {
    expect(await stored('Wide', wide({ x: null }))).not.toHaveProperty('x');
  });

  it('leaves trailing Nones out of records, and writes the others as null (R-34-016, R-34-017)', async () => {
    const given = { inner: { first: '', second: null }, last: null };
    expect(await stored('Wide', wide(given))).toEqual(wide());
    const { amount } = await stored('Ints', ints({ maybe: null }));
    expect(amount).toBe('6.0000000000');
    expect((await api.active(eventFormat([owner]))).at(-1).createArgument.maybe).toBeNull();
  });

  it('answers the result None of a choice as null (R-34-019)', async () => {
    const contractId = await api.create(id('Sums'), sums(), { actAs: owner });
    const format = {
      eventFormat: eventFormat([owner]),
      transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS',
    };
    const { events } = await api.transact(
      exercise(id('Sums'), contractId, 'Clear'),
      { actAs: owner },
      format,
    );
    expect(events[0].ExercisedEvent.exerciseResult).toBeNull();
  });
});

describe('3.5', () => {
  beforeEach(() => start('3.5'));

  it.each<
    [id: string, status: number, cause: string, template: 'Ints' | 'Sums' | 'Wide', wrong: object]
  >([
    ['R-34-001', 500, 'Expected ujson.Str (data: 7)', 'Ints', { plain: 7 }],
    ['R-34-002', 500, 'Expected ujson.Str (data: true)', 'Ints', { plain: true }],
    [
      'R-34-005',
      400,
      'Missing non-optional fields: HashSet(text, flag)',
      'Wide',
      { text: undefined, flag: undefined },
    ],
    [
      'R-34-006',
      400,
      'Missing non-optional fields: HashSet(flag)',
      'Wide',
      { text: 1, flag: undefined },
    ],
    ['R-34-007', 400, `${INVALID}Unexpected fields: x`, 'Wide', { flag: 1, x: 1 }],
    ['R-34-008', 400, `${INVALID}Unexpected fields: x`, 'Wide', { n: null, x: 1 }],
    [
      'R-34-010',
      400,
      `${INVALID}Variant type json must have 'tag' and 'value' fields.`,
      'Sums',
      { shape: { value: 1 } },
    ],
    [
      'R-34-012',
      400,
      `${INVALID}Unexpected variant tag: Square`,
      'Sums',
      { shape: { tag: 'Square', value: 1 } },
    ],
    [
      'R-34-013',
      400,
      `${INVALID}Variant type json must have 'tag' and 'value' fields.`,
      'Sums',
      { shape: 'Circle' },
    ],
    ['R-34-014', 500, 'Unexpected case: Blue', 'Sums', { color: 'Blue' }],
  ])('differs in %s: %d %s', async (_id, status, cause, template, wrong) => {
    const payload =
      template === 'Ints' ? ints(wrong) : template === 'Sums' ? sums(wrong) : wide(wrong);
    const { status: got, body } = await submit(template, payload);
    expect([got, body.cause]).toEqual([status, cause]);
  });
});
