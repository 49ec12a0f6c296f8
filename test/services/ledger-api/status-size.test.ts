/** The space in a status for context and resources, in bytes of its protobuf, and how they are shortened to it. */
import {
  detailsBudget,
  inScalaOrder,
  shortenContext,
  shortenId,
  shortenResources,
} from '../../../src/services/ledger-api/formats/grpc-status-size.js';

const MAX = 4096;
const TAG = 5;
/** An Any without content: the tag, the length and the text of its type URL. */
const any = (name: string) => 2 + `type.googleapis.com/google.rpc.${name}`.length;
const field = (content: number) => 1 + (content < 128 ? 1 : 2) + content;
const packed = (name: string, content: number) => any(name) + field(content) + TAG;
const HEAD = 1 + TAG;

const budget = (parts: Partial<Parameters<typeof detailsBudget>[0]>, entries = 0, resources = 0) =>
  detailsBudget(
    { texts: [], retrySeconds: undefined, requestId: undefined, ...parts },
    entries,
    resources,
  );

describe('the remaining space of a status', () => {
  const whole = MAX - HEAD - any('ErrorInfo');

  it('is the rest after the mandatory parts', () => {
    expect(budget({})).toEqual({ context: whole, resources: 0 });
    expect(budget({ texts: ['abc', 'ä'] }).context).toBe(whole - 3 - TAG - 2 - TAG);
  });

  it('has no room for when to retry', () => {
    expect(budget({ retrySeconds: 0 }).context).toBe(whole - packed('RetryInfo', 2));
    expect(budget({ retrySeconds: 1 }).context).toBe(whole - packed('RetryInfo', 4));
  });

  it.each([1, 125, 126, 127, 128, 129])('has no room for a request id of %d bytes', (length) => {
    const requestId = 'x'.repeat(length);
    expect(budget({ requestId }).context).toBe(whole - packed('RequestInfo', field(length)));
  });

  it('is shared by context and resources by their number', () => {
    const left = whole - 2 * TAG * 4;
    const resources = Math.trunc(left / 4);
    expect(budget({}, 3, 1)).toEqual({ context: left - resources, resources });
  });
});

it('an id is cut where it is longer than 256 characters', () => {
  expect(shortenId('x'.repeat(256))).toBe('x'.repeat(256));
  expect(shortenId('x'.repeat(257))).toBe(`${'x'.repeat(253)}...`);
});

describe('an entry of the context', () => {
  it('that fits stays whole', () => {
    expect(shortenContext([['key', 'value']], 8)).toEqual([['key', 'value']]);
  });

  it('is left out without a key or a value', () => {
    expect(
      shortenContext(
        [
          ['!', 'value'],
          ['key', ''],
          ['other', 'x'],
        ],
        100,
      ),
    ).toEqual([['other', 'x']]);
  });

  it('is cut where eight bytes are left for it, and dropped where fewer are', () => {
    expect(shortenContext([['key', 'longer']], 8)).toEqual([['key', 'lo...']]);
    expect(shortenContext([['key', 'longer']], 7)).toEqual([]);
  });

  it('has a key of no more than half of its room where it is cut', () => {
    expect(shortenContext([['a'.repeat(20), 'b'.repeat(20)]], 20)).toEqual([
      [`${'a'.repeat(7)}...`, `${'b'.repeat(7)}...`],
    ]);
  });

  it('is dropped where its cut text has more bytes than characters', () => {
    expect(shortenContext([['key', 'ä'.repeat(20)]], 12)).toEqual([]);
  });

  it('is dropped where its share has room for its characters alone, though all have enough together', () => {
    const budget = 1 + 2 * 9 + 11;
    expect(
      shortenContext(
        [
          ['a', 'ä'.repeat(9)],
          ['b', 'x'.repeat(10)],
        ],
        budget,
      ),
    ).toEqual([['b', 'x'.repeat(10)]]);
  });

  it('leaves what it does not need to longer ones', () => {
    expect(
      shortenContext(
        [
          ['b', 'x'.repeat(40)],
          ['a', '1'],
        ],
        24,
      ),
    ).toEqual([
      ['a', '1'],
      ['b', `${'x'.repeat(18)}...`],
    ]);
  });
});

it('a resource is dropped where its own Any does not fit', () => {
  const size = 'KIND'.length + 'value'.length + any('ResourceInfo');
  expect(shortenResources([['KIND', 'value']], size)).toEqual([['KIND', 'value']]);
  expect(shortenResources([['KIND', 'value']], size - 1)).toEqual([]);
  expect(
    shortenResources(
      [
        ['KIND', 'value'],
        ['KIND', 'other'],
      ],
      2 * size - 1,
    ),
  ).toEqual([['KIND', 'value']]);
});

describe('the order of Scala', () => {
  const named = (...names: string[]) => names.map((name) => [name, `of ${name}`] as const);
  const five = ['category', 'tid', 'participant', 'definite_answer', 'commands'];
  const ordered = ['participant', 'category', 'tid', 'definite_answer', 'commands'];

  it('leaves up to four names in the given order, and reorders five', () => {
    expect(inScalaOrder(named(...five.slice(0, 4)))).toEqual(named(...five.slice(0, 4)));
    expect(inScalaOrder(named(...five)).map(([name]) => name)).toEqual(ordered);
  });

  it('is the same for other values, and where many other lists were met between', () => {
    for (let n = 0; n < 300; n += 1) inScalaOrder(named(`a${n}`, `b${n}`));
    const others = five.map((name, place) => [name, String(place)] as const);
    expect(inScalaOrder(others)).toEqual(ordered.map((name) => [name, String(five.indexOf(name))]));
  });

  it('has the last of several entries with one name, where the first is', () => {
    const twice = [...named('a', 'b'), ['a', 'other'] as const];
    expect(inScalaOrder(twice)).toEqual([['a', 'other'], ...named('b')]);
  });

  it('distinguishes one list of names from another', () => {
    expect(inScalaOrder(named('ab', 'c'))).toEqual(named('ab', 'c'));
    expect(inScalaOrder(named('a', 'bc'))).toEqual(named('a', 'bc'));
    expect(inScalaOrder(named('abc'))).toEqual(named('abc'));
  });
});
