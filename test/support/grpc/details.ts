/**
 * Messages that clients must provide: error details are messages of google.rpc, which reflection does not include.
 * Only the fields that a participant sets.
 */
import { create } from '@bufbuild/protobuf';
import {
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FileDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';

const text = (name: string, number: number) => ({
  name,
  number,
  jsonName: name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
  type: FieldDescriptorProto_Type.STRING,
  label: FieldDescriptorProto_Label.OPTIONAL,
});
const METADATA = {
  ...text('metadata', 3),
  type: FieldDescriptorProto_Type.MESSAGE,
  typeName: '.google.rpc.ErrorInfo.MetadataEntry',
  label: FieldDescriptorProto_Label.REPEATED,
};
const ENTRY = {
  name: 'MetadataEntry',
  field: [text('key', 1), text('value', 2)],
  options: { mapEntry: true },
};

export const DETAILS_FILE = create(FileDescriptorProtoSchema, {
  name: 'google/rpc/error_details.proto',
  package: 'google.rpc',
  syntax: 'proto3',
  messageType: [
    {
      name: 'ErrorInfo',
      field: [text('reason', 1), text('domain', 2), METADATA],
      nestedType: [ENTRY],
    },
    { name: 'RequestInfo', field: [text('request_id', 1), text('serving_data', 2)] },
    {
      name: 'ResourceInfo',
      field: ['resource_type', 'resource_name', 'owner', 'description'].map((name, at) =>
        text(name, at + 1),
      ),
    },
    { name: 'RetryInfo' },
  ],
});
