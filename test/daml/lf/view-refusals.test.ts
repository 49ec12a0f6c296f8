/** The error of a failed view outside of a transaction. */
import { viewRefusal } from '../../../src/daml/interpreter/interface-view.js';
import { arithmeticError } from '../../../src/daml/lf/runtime/exceptions.js';
import type { PackageLookup } from '../../../src/daml/model/package.js';

/** None of them is asked for: the exception is one of the language itself. */
const NO_PACKAGES = {} as PackageLookup;

test('an exception in a view keeps its type and message', () => {
  const { code, details } = viewRefusal(NO_PACKAGES, arithmeticError('DIV_INT64', '1', '0'));
  const id = 'UNHANDLED_EXCEPTION/DA.Exception.ArithmeticError:ArithmeticError';
  expect(code).toBe('DAML_FAILURE');
  expect(details.cause).toBe(
    `Interpretation error: Error: User failure: ${id} (error category 9): ArithmeticError while evaluating (DIV_INT64 1 0).`,
  );
  expect(details.context).toMatchObject({ error_id: id });
});
