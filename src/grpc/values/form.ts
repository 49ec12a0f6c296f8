/** Daml values as the messages of the Ledger API carry them. */
import type { ValueForm } from '../../services/value-form.js';
import { readValue } from './reader.js';
import { TERSE, VERBOSE } from './writer.js';

export const MESSAGE_VALUES: ValueForm = {
  name: 'protobuf',
  read: readValue,
  writer: (isVerbose) => (isVerbose ? VERBOSE : TERSE),
};
