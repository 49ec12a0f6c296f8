/** The protobuf definitions of a release as descriptors, which server reflection sends. */
import { camelCase } from '../../network/protobuf/camel-case.js';
import { create, toBinary } from '@bufbuild/protobuf';
import {
  DescriptorProto_ExtensionRangeSchema,
  DescriptorProtoSchema,
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FieldDescriptorProtoSchema,
  FileDescriptorProtoSchema,
  file_google_protobuf_any,
  file_google_protobuf_descriptor,
  file_google_protobuf_duration,
  file_google_protobuf_empty,
  file_google_protobuf_field_mask,
  file_google_protobuf_timestamp,
  file_google_protobuf_wrappers,
  type DescriptorProto,
  type FieldDescriptorProto,
} from '@bufbuild/protobuf/wkt';
import scalapb from '../../network/protobuf/definitions/facts/scalapb.json' with { type: 'json' };
import {
  fieldOf,
  type Definitions,
  type FieldDefinition,
  type FileFacts,
} from '../../network/protobuf/definitions/definitions.js';

const WELL_KNOWN = new Map(
  [
    file_google_protobuf_any,
    file_google_protobuf_descriptor,
    file_google_protobuf_duration,
    file_google_protobuf_empty,
    file_google_protobuf_field_mask,
    file_google_protobuf_timestamp,
    file_google_protobuf_wrappers,
  ].map(({ proto }) => [proto.name, proto]),
);

/** The imports for options that only the compiler reads. Their messages are never sent. */
const OF_OPTIONS: ReadonlyMap<string, FileFacts> = new Map(Object.entries(scalapb.files));

export class Descriptors {
  private readonly made = new Map<string, Uint8Array>();

  constructor(private readonly definitions: Definitions) {}

  /** The file, followed by all its imports. */
  of(path: string): readonly Uint8Array[] {
    return this.withImports([path])
      .toReversed()
      .map((each) => this.descriptorOf(each));
  }

  /** The files of these services. */
  filesOf(services: readonly string[]): ReadonlySet<string> {
    return new Set(this.withImports(services.map((name) => this.definitions.homeOf(name)!)));
  }

  /** The file that defines a message, a service or a method. Fields and enumerations are not symbols. */
  fileOfSymbol(symbol: string): string | undefined {
    const { definitions } = this;
    if (definitions.isMessage(symbol)) return definitions.homeOf(symbol);
    if (definitions.isServiceOrMethod(symbol))
      return (
        definitions.homeOf(symbol) ?? definitions.homeOf(symbol.slice(0, symbol.lastIndexOf('.')))
      );
    for (const [path, facts] of OF_OPTIONS) if (defines(facts, symbol)) return path;
    return [...WELL_KNOWN.values()].find(({ package: prefix, messageType }) =>
      messageType.some(({ name }) => `${prefix}.${name}` === symbol),
    )?.name;
  }

  private factsOf(path: string): FileFacts | undefined {
    return this.definitions.files.get(path) ?? OF_OPTIONS.get(path);
  }

  /** Files and their imports. Each file comes after its imports. */
  private withImports(paths: readonly string[]): readonly string[] {
    const ordered = new Set<string>();
    const add = (each: string): void => {
      if (ordered.has(each)) return;
      for (const imported of this.factsOf(each)?.imports ?? []) add(imported);
      ordered.add(each);
    };
    paths.forEach(add);
    return [...ordered];
  }

  private descriptorOf(path: string): Uint8Array {
    let bytes = this.made.get(path);
    if (bytes === undefined) {
      const facts = this.factsOf(path);
      const proto = facts === undefined ? WELL_KNOWN.get(path)! : this.fileOf(path, facts);
      this.made.set(path, (bytes = toBinary(FileDescriptorProtoSchema, proto)));
    }
    return bytes;
  }

  private fileOf(path: string, facts: FileFacts) {
    const { package: prefix, imports, messages, enums, services } = facts;
    const { syntax = 'proto3', extendable = {}, extensions = {} } = facts;
    const roots = new Map<string, DescriptorProto>();
    // Creates outer messages before the messages in them.
    for (const name of Object.keys(messages).sort((a, b) => depthOf(a) - depthOf(b))) {
      const message = this.messageOf(`${prefix}.${name}`, messages[name]!, prefix, syntax);
      const start = extendable[name];
      if (start !== undefined)
        message.extensionRange.push(create(RANGE, { start, end: MAX_FIELD }));
      roots.set(name, message);
      const outer = roots.get(name.slice(0, name.lastIndexOf('.')));
      if (name.includes('.')) outer!.nestedType.push(message);
    }
    const tops = [...roots].filter(([name]) => !name.includes('.')).map(([, message]) => message);
    const file = create(FileDescriptorProtoSchema, {
      name: path,
      package: prefix,
      dependency: [...imports],
      syntax: syntax === 'proto2' ? '' : syntax,
      extension: Object.entries(extensions).flatMap(([extendee, fields]) =>
        Object.entries(fields).map(([name, text]) => {
          const field = this.plainField(fieldOf(name, text, prefix));
          field.extendee = `.${extendee}`;
          return field;
        }),
      ),
      messageType: tops,
      service: Object.entries(services).map(([name, methods]) => ({
        name,
        method: Object.entries(methods).map(([method, text]) => {
          const [input, output] = text.split(' -> ').map((side) => sideOf(side, prefix));
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

  private messageOf(
    fullName: string,
    facts: Readonly<Record<string, string>>,
    prefix: string,
    syntax: string,
  ) {
    const fields = Object.entries(facts).map(([name, text]) => fieldOf(name, text, prefix));
    const oneofs = [...new Set(fields.flatMap(({ oneof }) => oneof ?? []))];
    // Each optional field is alone in a group. In older definitions, all fields except lists are optional.
    const isOptional = ({ label }: FieldDefinition): boolean =>
      label === 'optional' && syntax === 'proto3';
    const optionals = fields.filter(isOptional);
    const groups = [...oneofs, ...optionals.map(({ name }) => `_${name}`)];
    const message = create(DescriptorProtoSchema, {
      name: fullName.slice(fullName.lastIndexOf('.') + 1),
      oneofDecl: groups.map((name) => ({ name })),
    });
    for (const field of fields) {
      const group = isOptional(field) ? `_${field.name}` : field.oneof;
      const made =
        field.mapKey === undefined
          ? this.plainField(field)
          : this.mapField(fullName, field, message);
      if (group !== undefined) made.oneofIndex = groups.indexOf(group);
      if (isOptional(field)) made.proto3Optional = true;
      message.field.push(made);
    }
    return message;
  }

  private plainField({ name, number, label, type }: FieldDefinition): FieldDescriptorProto {
    const scalar = FieldDescriptorProto_Type[type.toUpperCase() as 'STRING'];
    const { MESSAGE, ENUM } = FieldDescriptorProto_Type;
    const isKnown =
      this.definitions.isMessage(type) ||
      type.startsWith('google.protobuf.') ||
      [...OF_OPTIONS.values()].some((facts) => defines(facts, type));
    return create(FieldDescriptorProtoSchema, {
      name,
      number,
      jsonName: camelCase(name),
      label:
        label === 'repeated'
          ? FieldDescriptorProto_Label.REPEATED
          : FieldDescriptorProto_Label.OPTIONAL,
      ...(scalar === undefined
        ? { type: isKnown ? MESSAGE : ENUM, typeName: `.${type}` }
        : { type: scalar }),
    });
  }

  /** A map is a list of entries. The message of an entry is nested in the message that has the map. */
  private mapField(
    fullName: string,
    field: FieldDefinition,
    message: DescriptorProto,
  ): FieldDescriptorProto {
    const name = `${camelCase(`_${field.name}`)}Entry`;
    const entry = create(DescriptorProtoSchema, {
      name,
      field: [
        this.plainField({ name: 'key', number: 1, label: '', type: field.mapKey! }),
        this.plainField({ name: 'value', number: 2, label: '', type: field.type }),
      ],
      options: { mapEntry: true },
    });
    message.nestedType.push(entry);
    return create(FieldDescriptorProtoSchema, {
      name: field.name,
      number: field.number,
      jsonName: camelCase(field.name),
      label: FieldDescriptorProto_Label.REPEATED,
      type: FieldDescriptorProto_Type.MESSAGE,
      typeName: `.${fullName}.${name}`,
    });
  }
}

/** Whether the file defines this message or extension. */
function defines({ package: prefix, messages, extensions = {} }: FileFacts, symbol: string) {
  if (!symbol.startsWith(`${prefix}.`)) return false;
  const name = symbol.slice(prefix.length + 1);
  return [messages, ...Object.values(extensions)].some((each) => Object.hasOwn(each, name));
}

/** The files that extend a message, by the numbers of the fields. @param type its full name */
export function extensionsOf(type: string): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (const [path, { package: prefix, extensions = {} }] of OF_OPTIONS)
    for (const [name, text] of Object.entries(
      Object.hasOwn(extensions, type) ? extensions[type]! : {},
    ))
      found.set(fieldOf(name, text, prefix).number, path);
  return found;
}

const RANGE = DescriptorProto_ExtensionRangeSchema;
/** One more than the maximum number of a field. */
const MAX_FIELD = 2 ** 29;

const depthOf = (name: string): number => name.split('.').length;

function sideOf(text: string, prefix: string) {
  const type = text.replace('stream ', '');
  return {
    isStream: text.startsWith('stream '),
    type: type.startsWith('.') ? `.${prefix}${type}` : `.${type}`,
  };
}
