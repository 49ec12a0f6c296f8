/**
 * Fields and messages of later releases that every network reads and writes itself, in addition to those of the default
 * release. A prepared transaction can have them.
 */
import { fieldOf, type FieldDefinition } from './definitions.js';

const TRANSACTION = 'com.daml.ledger.api.v2.interactive.transaction.v1';

const LATER: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [`${TRANSACTION}.Exercise`]: { external_call_results: '17 repeated .ExternalCallResult' },
  [`${TRANSACTION}.ExternalCallResult`]: {
    extension_id: '1 string',
    function_id: '2 string',
    config: '3 bytes',
    input: '4 bytes',
    output: '5 bytes',
  },
};

/** The names of messages that the default release does not define. */
export const LATER_MESSAGES: readonly string[] = [`${TRANSACTION}.ExternalCallResult`];

export function laterFields(fullName: string): readonly FieldDefinition[] {
  return Object.entries(LATER[fullName] ?? {}).map(([name, text]) =>
    fieldOf(name, text, TRANSACTION),
  );
}
