import { javaDouble, jsonDouble, parseLong } from '../../../src/daml/codec/java-number.js';

test.each([
  ['0.0', 0],
  ['-0.0', -0],
  ['1.0', 1],
  ['-1.5', -1.5],
  ['0.001', 1e-3],
  ['9.99E-4', 9.99e-4],
  ['9999999.0', 9999999],
  ['9999999.5', 9999999.5],
  ['1.0E7', 1e7],
  ['1.0000000005E10', 10000000005],
  ['1.7976931348623157E308', Number.MAX_VALUE],
])('prints a double as Java does: %s (B-VAL-007)', (printed, value) => {
  expect(javaDouble(value)).toBe(printed);
});

test.each([
  ['9223372036854774784', 2 ** 63 - 1024],
  ['9223372036854775807', 2 ** 63],
  ['-9223372036854775808', -(2 ** 63)],
  ['1.8446744073709552E19', 2 ** 64],
  ['-1.8446744073709552E19', -(2 ** 64)],
  ['1.5', 1.5],
  ['0', -0],
])('prints a double as the JSON Ledger API does: %s (B-VAL-038)', (printed, value) => {
  expect(jsonDouble(value)).toBe(printed);
});

test.each([
  ['9223372036854775807', 2n ** 63n - 1n],
  ['-9223372036854775808', -(2n ** 63n)],
  ['9223372036854775808', undefined],
  ['-9223372036854775809', undefined],
  [`+${'0'.repeat(30)}7`, 7n],
  ['', undefined],
  ['-', undefined],
  ['1\n', undefined],
  ['1.0', undefined],
  ['\u0660\u0669', 9n],
])('parses %j as Java does: %s (B-VAL-039)', (text, value) => {
  expect(parseLong(text)).toBe(value);
});
