/** Daml values in the form of the Ledger API's messages. */
import type { ValueForm } from '../../services/value-form.js';
import { readCommands } from './commands.js';
import { LABELLED, TERSE, VERBOSE } from '../../network/values/writer.js';

export const MESSAGE_VALUES: ValueForm = {
  name: 'protobuf',
  commands: readCommands,
  writer: (isVerbose) => (isVerbose ? VERBOSE : TERSE),
  requestWriter: LABELLED,
};
