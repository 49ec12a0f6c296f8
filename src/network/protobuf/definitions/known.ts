/** The messages of `google.protobuf` that are plain: their definitions are as good as part of the language. */
import { fieldOf, fieldsOf, isMessage, type FieldDefinition } from './definitions.js';

const KNOWN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'google.protobuf.Empty': {},
  'google.protobuf.Timestamp': { seconds: '1 int64', nanos: '2 int32' },
  'google.protobuf.Duration': { seconds: '1 int64', nanos: '2 int32' },
  'google.protobuf.Any': { type_url: '1 string', value: '2 bytes' },
  'google.protobuf.FieldMask': { paths: '1 repeated string' },
  'google.protobuf.Int32Value': { value: '1 int32' },
  'google.protobuf.UInt32Value': { value: '1 uint32' },
  'google.protobuf.Int64Value': { value: '1 int64' },
  'google.protobuf.UInt64Value': { value: '1 uint64' },
  'google.protobuf.BoolValue': { value: '1 bool' },
  'google.protobuf.StringValue': { value: '1 string' },
  'google.protobuf.BytesValue': { value: '1 bytes' },
};

export const KNOWN_MESSAGES: readonly string[] = Object.keys(KNOWN);

/** Undefined where the name is not of a message but of an enumeration. */
export function messageFields(fullName: string): readonly FieldDefinition[] | undefined {
  const known = KNOWN[fullName];
  if (known !== undefined)
    return Object.entries(known).map(([name, text]) => fieldOf(name, text, 'google.protobuf'));
  return isMessage(fullName) ? fieldsOf(fullName) : undefined;
}
