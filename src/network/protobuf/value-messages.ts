/** Daml values in the messages of the Ledger API (`com.daml.ledger.api.v2.Value`). */
import { defined, type Defined } from './defined.js';

export type ProtoIdentifier = Defined<'com.daml.ledger.api.v2.Identifier'>;
/** Exactly one member is present. */
export type ProtoValue = Defined<'com.daml.ledger.api.v2.Value'>;

export const Value = defined('com.daml.ledger.api.v2.Value');
export const RecordMessage = defined('com.daml.ledger.api.v2.Record');
