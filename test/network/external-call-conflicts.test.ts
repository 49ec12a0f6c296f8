/** Equal external calls with different outputs, as a participant names them (B-CMD-074). */
import { conflictingCalls } from '../../src/network/extensions/conflicts.js';

const call = (functionId: string, input: string, output: string) => ({
  extensionId: 'x',
  functionId,
  config: '',
  input,
  output,
});
const start = `InvalidTransactionViewError(
  externalCallResults records conflicting outputs for the same external call: `;
const key = (functionId: string, input: number) =>
  `ExternalCallKey(extension id = "x", function id = "${functionId}", config bytes = "0 bytes", input bytes = "${input} bytes")`;

it('are those below one root', () => {
  const [one, other] = [call('f', '', '01'), call('f', '', '02')];
  expect(conflictingCalls([])).toBeUndefined();
  expect(conflictingCalls([[one], [other]])).toBeUndefined();
  expect(
    conflictingCalls([
      [one, one],
      [other, call('f', '00', '03')],
    ]),
  ).toBeUndefined();
  expect(conflictingCalls([[one], [other, one]])).toBe(
    `${start}${key('f', 0)} with outputs [1 bytes, 1 bytes]\n)`,
  );
});

it('are named in order, with the sizes of their outputs', () => {
  const g = [call('g', '0000', '030303'), call('g', '0000', ''), call('g', '0000', '01')];
  const f = [call('f', '00', '03'), call('f', '00', '')];
  expect(conflictingCalls([[...g, call('h', '', ''), ...f]])).toBe(
    `${start}${key('f', 1)} with outputs [0 bytes, 1 bytes]; ${key('g', 2)} with outputs [0 bytes, 1 bytes, 3 bytes]\n)`,
  );
});

it('of the first root hide those of the next', () => {
  const [first, second] = ['a', 'b'].map((name) => [call(name, '', '01'), call(name, '', '')]);
  expect(conflictingCalls([second!, first!])).toContain(key('b', 0));
  expect(conflictingCalls([second!, first!])).not.toContain(key('a', 0));
});
