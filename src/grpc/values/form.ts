/** Daml values as the messages of the Ledger API carry them. */
import type { ValueForm } from '../../services/value-form.js';
import { readCommands } from './commands.js';
import { LABELLED, TERSE, VERBOSE } from '../../network/values/writer.js';

export const MESSAGE_VALUES: ValueForm = {
  name: 'protobuf',
  commands: readCommands,
  writer: (isVerbose) => (isVerbose ? VERBOSE : TERSE),
  requestWriter: LABELLED,
};
