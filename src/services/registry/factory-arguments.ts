/** The choice arguments in a request for a factory: those of the choice that the client will exercise (R-GEN-002). */
import { decodeValue } from '../../daml/codec/json/codec.js';
import { LedgerError } from '../../daml/errors/ledger-error.js';
import type { PackageLookup } from '../../daml/model/package.js';
import type { DamlType } from '../../daml/model/types.js';
import type { GetFactoryRequest } from '../../spec/generated/registry.js';
import { HttpRefusal } from '../handler.js';

/**
 * @param expected the expected value, for the error text
 * @throws HttpRefusal 400 if they are not arguments of the choice (R-TI-003, R-V2-019)
 */
export function factoryArguments<T>(
  packages: PackageLookup,
  expected: string,
  type: DamlType,
  { choiceArguments }: GetFactoryRequest,
): T {
  try {
    return decodeValue(packages, type, choiceArguments, 'choiceArguments') as T;
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    throw new HttpRefusal(
      400,
      `Field \`choiceArguments\` does not contain a valid ${expected}: ${error.details.cause}`,
    );
  }
}
