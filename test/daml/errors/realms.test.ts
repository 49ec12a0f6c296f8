/** What values are, whichever realm they come from: told by their structure, and no more than that. */
import { runInNewContext } from 'node:vm';
import { isBytes, isError, isMap, isPromise, isSet } from '../../../src/daml/errors/realms.js';

const NONE = [undefined, null, 0, 'text', {}, [], () => undefined];
const foreign = (code: string): unknown => runInNewContext(code);
/** A function that has members is no value of these kinds. */
const withMembers = (members: object) => Object.assign(() => undefined, members);

it('bytes are of any realm, and of one kind', () => {
  for (const bytes of [new Uint8Array(1), Buffer.from('a'), foreign('new Uint8Array(1)')])
    expect(isBytes(bytes)).toBe(true);
  const others = [new Uint16Array(1), new DataView(new ArrayBuffer(1)), new ArrayBuffer(1), [1]];
  for (const other of [...NONE, ...others, { [Symbol.toStringTag]: 'Uint8Array' }])
    expect(isBytes(other)).toBe(false);
});

it('errors are of any realm, and have a message, a name and a stack', () => {
  const whole = { message: 'm', name: 'n', stack: '' };
  for (const error of [new Error('x'), foreign('new TypeError("x")'), whole])
    expect(isError(error)).toBe(true);
  const { message, name, stack } = whole;
  const others = [
    { name, stack },
    { message, stack },
    { message, name },
    { ...whole, message: 1 },
    { ...whole, name: 1 },
    withMembers({ message, stack }),
  ];
  for (const other of [...NONE, ...others]) expect(isError(other)).toBe(false);
});

it('errors are told apart by their names', () => {
  const error = foreign('new RangeError("x")');
  expect([isError(error, 'RangeError'), isError(error, 'TypeError')]).toEqual([true, false]);
});

it('promises are what has a `then` that can be called', () => {
  for (const promise of [Promise.resolve(), foreign('Promise.resolve()'), { then() {} }])
    expect(isPromise(promise)).toBe(true);
  for (const other of [...NONE, { then: 1 }, withMembers({ then() {} })])
    expect(isPromise(other)).toBe(false);
});

it('maps and sets are of any realm, and not each other', () => {
  for (const map of [new Map(), foreign('new Map()')])
    expect([isMap(map), isSet(map)]).toEqual([true, false]);
  for (const set of [new Set(), foreign('new Set()')])
    expect([isMap(set), isSet(set)]).toEqual([false, true]);
  for (const other of [...NONE, new WeakMap(), withMembers({ [Symbol.toStringTag]: 'Map' })])
    expect([isMap(other), isSet(other)]).toEqual([false, false]);
});
