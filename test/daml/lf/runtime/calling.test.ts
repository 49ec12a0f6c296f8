/** Calls of compiled code with any number of arguments. */
import { callCode } from '../../../../src/daml/lf/runtime/calling.js';
import { Machine } from '../../../../src/daml/lf/runtime/machine.js';
import { Code, Fun, type FastCode } from '../../../../src/daml/lf/runtime/runtime-values.js';

const machine = new Machine({ package: () => undefined, packageIdForName: () => undefined });
const given: FastCode = (...all) => all;

it.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 60])(
  'pass %i arguments on between the closure and the machine',
  (count) => {
    const args = Array.from({ length: count }, (_, place) => `argument ${place}`);
    const closure = new Fun(count, given, new Code(given), []);
    for (const self of [0, closure] as const)
      expect(callCode(given, self, args, machine, 7)).toEqual([self, ...args, machine, 7]);
  },
);
