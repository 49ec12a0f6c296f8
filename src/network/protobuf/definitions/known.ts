/** The messages of `google.protobuf` that are plain: their definitions are as good as part of the language. */

export const KNOWN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
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
