/** The definitions as descriptors, the form in which server reflection tells them. */
import { create, toBinary } from '@bufbuild/protobuf';
import {
  DescriptorProtoSchema,
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FieldDescriptorProtoSchema,
  FileDescriptorProtoSchema,
  file_google_protobuf_any,
  file_google_protobuf_duration,
  file_google_protobuf_empty,
  file_google_protobuf_field_mask,
  file_google_protobuf_timestamp,
  file_google_protobuf_wrappers,
  type DescriptorProto,
  type FieldDescriptorProto,
} from '@bufbuild/protobuf/wkt';
import {
  fieldOf,
  FILES,
  homeOf,
  isMessage,
  isServiceOrMethod,
  type FieldDefinition,
  type FileFacts,
} from '../messages/definitions.js';

const WELL_KNOWN = new Map(
  [
    file_google_protobuf_any,
    file_google_protobuf_duration,
    file_google_protobuf_empty,
    file_google_protobuf_field_mask,
    file_google_protobuf_timestamp,
    file_google_protobuf_wrappers,
  ].map(({ proto }) => [proto.name, proto]),
);

const MADE = new Map<string, Uint8Array>();

/** Files and all that they import, each before those that need it. */
function withImports(paths: readonly string[]): readonly string[] {
  const ordered = new Set<string>();
  const add = (each: string): void => {
    if (ordered.has(each)) return;
    for (const imported of FILES.get(each)?.imports ?? []) add(imported);
    ordered.add(each);
  };
  paths.forEach(add);
  return [...ordered];
}

/** The file, and then all that it imports. */
export function descriptorsOf(path: string): readonly Uint8Array[] {
  return withImports([path]).toReversed().map(descriptorOf);
}

/** The files that services need. */
export function filesOf(services: readonly string[]): ReadonlySet<string> {
  return new Set(withImports(services.map((name) => homeOf(name)!)));
}

/** The file that defines a message, a service or a method: fields and enumerations are no symbols. */
export function fileOfSymbol(symbol: string): string | undefined {
  if (isMessage(symbol)) return homeOf(symbol);
  if (isServiceOrMethod(symbol))
    return homeOf(symbol) ?? homeOf(symbol.slice(0, symbol.lastIndexOf('.')));
  return [...WELL_KNOWN.values()].find(({ package: prefix, messageType }) =>
    messageType.some(({ name }) => `${prefix}.${name}` === symbol),
  )?.name;
}

function descriptorOf(path: string): Uint8Array {
  let bytes = MADE.get(path);
  if (bytes === undefined) {
    const facts = FILES.get(path);
    const proto = facts === undefined ? WELL_KNOWN.get(path)! : fileOf(path, facts);
    MADE.set(path, (bytes = toBinary(FileDescriptorProtoSchema, proto)));
  }
  return bytes;
}

function fileOf(path: string, { package: prefix, imports, messages, enums, services }: FileFacts) {
  const roots = new Map<string, DescriptorProto>();
  // Outer messages come first in the facts of their file, or at least are made here before those inside of them.
  for (const name of Object.keys(messages).sort((a, b) => depthOf(a) - depthOf(b))) {
    const message = messageOf(`${prefix}.${name}`, messages[name]!, prefix);
    roots.set(name, message);
    const outer = roots.get(name.slice(0, name.lastIndexOf('.')));
    if (name.includes('.')) outer!.nestedType.push(message);
  }
  const tops = [...roots].filter(([name]) => !name.includes('.')).map(([, message]) => message);
  const file = create(FileDescriptorProtoSchema, {
    name: path,
    package: prefix,
    dependency: [...imports],
    syntax: 'proto3',
    messageType: tops,
    service: Object.entries(services).map(([name, methods]) => ({
      name,
      method: Object.entries(methods).map(([method, told]) => {
        const [input, output] = told.split(' -> ').map((side) => sideOf(side, prefix));
        return {
          name: method,
          inputType: input!.type,
          outputType: output!.type,
          clientStreaming: input!.isStream,
          serverStreaming: output!.isStream,
        };
      }),
    })),
  });
  for (const [name, values] of Object.entries(enums)) {
    const value = Object.entries(values).map(([each, number]) => ({ name: each, number }));
    const own = { name: name.slice(name.lastIndexOf('.') + 1), value };
    const holder = name.includes('.') ? roots.get(name.slice(0, name.lastIndexOf('.')))! : file;
    holder.enumType.push(create(FileDescriptorProtoSchema, { enumType: [own] }).enumType[0]!);
  }
  return file;
}

const depthOf = (name: string): number => name.split('.').length;

function sideOf(told: string, prefix: string) {
  const type = told.replace('stream ', '');
  return {
    isStream: told.startsWith('stream '),
    type: type.startsWith('.') ? `.${prefix}${type}` : `.${type}`,
  };
}

const camel = (name: string): string =>
  name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

function messageOf(fullName: string, facts: Readonly<Record<string, string>>, prefix: string) {
  const fields = Object.entries(facts).map(([name, told]) => fieldOf(name, told, prefix));
  const oneofs = [...new Set(fields.flatMap(({ oneof }) => oneof ?? []))];
  // Each optional field is the only one of a group of its own.
  const optionals = fields.filter(({ label }) => label === 'optional');
  const groups = [...oneofs, ...optionals.map(({ name }) => `_${name}`)];
  const message = create(DescriptorProtoSchema, {
    name: fullName.slice(fullName.lastIndexOf('.') + 1),
    oneofDecl: groups.map((name) => ({ name })),
  });
  for (const field of fields) {
    const isOptional = field.label === 'optional';
    const group = isOptional ? `_${field.name}` : field.oneof;
    const made =
      field.mapKey === undefined ? plainField(field) : mapField(fullName, field, message);
    if (group !== undefined) made.oneofIndex = groups.indexOf(group);
    if (isOptional) made.proto3Optional = true;
    message.field.push(made);
  }
  return message;
}

function plainField({ name, number, label, type }: FieldDefinition): FieldDescriptorProto {
  const scalar = FieldDescriptorProto_Type[type.toUpperCase() as 'STRING'];
  const { MESSAGE, ENUM } = FieldDescriptorProto_Type;
  const isKnown = isMessage(type) || type.startsWith('google.protobuf.');
  return create(FieldDescriptorProtoSchema, {
    name,
    number,
    jsonName: camel(name),
    label:
      label === 'repeated'
        ? FieldDescriptorProto_Label.REPEATED
        : FieldDescriptorProto_Label.OPTIONAL,
    ...(scalar === undefined
      ? { type: isKnown ? MESSAGE : ENUM, typeName: `.${type}` }
      : { type: scalar }),
  });
}

/** A map is a list of entries, a message of their own inside of the one that has it. */
function mapField(
  fullName: string,
  field: FieldDefinition,
  message: DescriptorProto,
): FieldDescriptorProto {
  const name = `${camel(`_${field.name}`)}Entry`;
  const entry = create(DescriptorProtoSchema, {
    name,
    field: [
      plainField({ name: 'key', number: 1, label: '', type: field.mapKey! }),
      plainField({ name: 'value', number: 2, label: '', type: field.type }),
    ],
    options: { mapEntry: true },
  });
  message.nestedType.push(entry);
  return create(FieldDescriptorProtoSchema, {
    name: field.name,
    number: field.number,
    jsonName: camel(field.name),
    label: FieldDescriptorProto_Label.REPEATED,
    type: FieldDescriptorProto_Type.MESSAGE,
    typeName: `.${fullName}.${name}`,
  });
}
