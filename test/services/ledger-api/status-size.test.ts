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

  it('excludes the mandatory parts', () => {
    expect(budget({})).toEqual({ context: whole, resources: 0 });
    expect(budget({ texts: ['abc', 'ä'] }).context).toBe(whole - 3 - TAG - 2 - TAG);
  });

  it('excludes the retry information', () => {
    expect(budget({ retrySeconds: 0 }).context).toBe(whole - packed('RetryInfo', 2));
    expect(budget({ retrySeconds: 1 }).context).toBe(whole - packed('RetryInfo', 4));
  });

  it.each([1, 125, 126, 127, 128, 129])('excludes a request id of %d bytes', (length) => {
    const requestId = 'x'.repeat(length);
    expect(budget({ requestId }).context).toBe(whole - packed('RequestInfo', field(length)));
  });

  it('is divided between context and resources by their number', () => {
    const left = whole - 2 * TAG * 4;
    const resources = Math.trunc(left / 4);
    expect(budget({}, 3, 1)).toEqual({ context: left - resources, resources });
  });
});

it('an id is shortened above 256 characters', () => {
  expect(shortenId('x'.repeat(256))).toBe('x'.repeat(256));
  expect(shortenId('x'.repeat(257))).toBe(`${'x'.repeat(253)}...`);
});

describe('an entry of the context', () => {
  it('stays complete if it fits', () => {
    expect(shortenContext([['key', 'value']], 8)).toEqual([['key', 'value']]);
  });

  it('is omitted without a key or a value', () => {
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

  it('is shortened to at least eight bytes, and dropped below', () => {
    expect(shortenContext([['key', 'longer']], 8)).toEqual([['key', 'lo...']]);
    expect(shortenContext([['key', 'longer']], 7)).toEqual([]);
  });

  it('is shortened together with a key that is longer than half of its space', () => {
    expect(shortenContext([['a'.repeat(20), 'b'.repeat(20)]], 20)).toEqual([
      [`${'a'.repeat(7)}...`, `${'b'.repeat(7)}...`],
    ]);
  });

  it('is dropped if its shortened text has more bytes than characters', () => {
    expect(shortenContext([['key', 'ä'.repeat(20)]], 12)).toEqual([]);
  });

  it('is dropped if its share suffices for its characters but not its bytes', () => {
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

  it('leaves unused space to longer entries', () => {
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

it('a resource is dropped if its Any does not fit', () => {
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

describe('the order of Scala maps', () => {
  const named = (...names: string[]) => names.map((name) => [name, `of ${name}`] as const);
  const five = ['category', 'tid', 'participant', 'definite_answer', 'commands'];
  const ordered = ['participant', 'category', 'tid', 'definite_answer', 'commands'];

  it('keeps up to four names, and reorders five', () => {
    expect(inScalaOrder(named(...five.slice(0, 4)))).toEqual(named(...five.slice(0, 4)));
    expect(inScalaOrder(named(...five)).map(([name]) => name)).toEqual(ordered);
  });

  it('depends only on the names, also after many other lists', () => {
    for (let n = 0; n < 300; n += 1) inScalaOrder(named(`a${n}`, `b${n}`));
    const others = five.map((name, place) => [name, String(place)] as const);
    expect(inScalaOrder(others)).toEqual(ordered.map((name) => [name, String(five.indexOf(name))]));
  });

  it('keeps the last value of a repeated name, at its first position', () => {
    const twice = [...named('a', 'b'), ['a', 'other'] as const];
    expect(inScalaOrder(twice)).toEqual([['a', 'other'], ...named('b')]);
  });

  it('distinguishes lists of names', () => {
    expect(inScalaOrder(named('ab', 'c'))).toEqual(named('ab', 'c'));
    expect(inScalaOrder(named('a', 'bc'))).toEqual(named('a', 'bc'));
    expect(inScalaOrder(named('abc'))).toEqual(named('abc'));
  });
});
