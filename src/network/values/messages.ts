/** Daml values in the messages of the Ledger API (`com.daml.ledger.api.v2.Value`). */
import { splitTypeId, type TypeId } from '../../daml/model/types.js';
import { defined, type Defined } from '../protobuf/defined.js';

export type ProtoIdentifier = Defined<'com.daml.ledger.api.v2.Identifier'>;
/** Exactly one member is present. */
export type ProtoValue = Defined<'com.daml.ledger.api.v2.Value'>;

export const Value = defined('com.daml.ledger.api.v2.Value');
export const RecordMessage = defined('com.daml.ledger.api.v2.Record');

export function toIdentifier(id: TypeId): ProtoIdentifier {
  const { packageId, module, entity } = splitTypeId(id);
  return { packageId, moduleName: module, entityName: entity };
}

/** A Daml value as it came: the bytes of a Value or of a Record. */
export class GivenValue {
  constructor(
    readonly kind: 'value' | 'record',
    readonly bytes: Uint8Array,
  ) {}
}
