/** Kinds of values from any realm, recognized by their structure only. */
import { runInNewContext } from 'node:vm';
import { isBytes, isError, isMap, isPromise, isSet } from '../../../src/daml/errors/realms.js';

const NONE = [undefined, null, 0, 'text', {}, [], () => undefined];
const foreign = (code: string): unknown => runInNewContext(code);
/** A function with members does not have any of these kinds. */
const withMembers = (members: object) => Object.assign(() => undefined, members);

it('accepts a Uint8Array of any realm', () => {
  for (const bytes of [new Uint8Array(1), Buffer.from('a'), foreign('new Uint8Array(1)')])
    expect(isBytes(bytes)).toBe(true);
  const others = [new Uint16Array(1), new DataView(new ArrayBuffer(1)), new ArrayBuffer(1), [1]];
  for (const other of [...NONE, ...others, { [Symbol.toStringTag]: 'Uint8Array' }])
    expect(isBytes(other)).toBe(false);
});

it('accepts errors of any realm, with their message, name and stack', () => {
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

it('distinguishes errors by their names', () => {
  const error = foreign('new RangeError("x")');
  expect([isError(error, 'RangeError'), isError(error, 'TypeError')]).toEqual([true, false]);
});

it('treats a value with a callable `then` as a promise', () => {
  for (const promise of [Promise.resolve(), foreign('Promise.resolve()'), { then() {} }])
    expect(isPromise(promise)).toBe(true);
  for (const other of [...NONE, { then: 1 }, withMembers({ then() {} })])
    expect(isPromise(other)).toBe(false);
});

it('distinguishes maps and sets of any realm', () => {
  for (const map of [new Map(), foreign('new Map()')])
    expect([isMap(map), isSet(map)]).toEqual([true, false]);
  for (const set of [new Set(), foreign('new Set()')])
    expect([isMap(set), isSet(set)]).toEqual([false, true]);
  for (const other of [...NONE, new WeakMap(), withMembers({ [Symbol.toStringTag]: 'Map' })])
    expect([isMap(other), isSet(other)]).toEqual([false, false]);
});
