/**
 * The definitions of the messages and services that are spoken, from the facts that scripts/carry-protos.mjs writes. This module
 * loads the facts when a message is first encoded, decoded or described.
 */
import adminApi from './facts/admin-api.json' with { type: 'json' };
import grpc from './facts/grpc.json' with { type: 'json' };
import ledgerApi from './facts/ledger-api.json' with { type: 'json' };
import sequencer from './facts/sequencer.json' with { type: 'json' };

/** A definition file in the form of the facts, with fields as `number [repeated|optional|oneof NAME|map KEY] type`. */
export interface FileFacts {
  readonly package: string;
  /** The syntax of a file that is not `proto3`. */
  readonly syntax?: string;
  readonly imports: readonly string[];
  readonly messages: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly enums: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly services: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Messages that others may extend, with fields from the number on. */
  readonly extendable?: Readonly<Record<string, number>>;
  /** Fields of messages of other files, by the full names of those messages. */
  readonly extensions?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface FieldDefinition {
  /** As in the definition: `command_id`. */
  readonly name: string;
  readonly number: number;
  readonly label: '' | 'repeated' | 'optional';
  /** The type of the keys of a map. */
  readonly mapKey?: string;
  readonly oneof?: string;
  /** The name of a scalar, or the full name of a message or an enumeration. */
  readonly type: string;
}

export interface MethodDefinition {
  /** `/package.Service/Method`. */
  readonly path: string;
  readonly input: string;
  readonly output: string;
  readonly streamsIn: boolean;
  readonly streamsOut: boolean;
}

export const FILES: ReadonlyMap<string, FileFacts> = new Map(
  [ledgerApi, grpc, adminApi, sequencer].flatMap(({ files }) =>
    Object.entries(files as unknown as Readonly<Record<string, FileFacts>>),
  ),
);

/** The file that defines each message, enumeration and service, by its whole name. */
const HOMES = new Map<string, { readonly path: string; readonly name: string }>();
for (const [path, { package: prefix, messages, enums, services }] of FILES)
  for (const name of [messages, enums, services].flatMap(Object.keys))
    HOMES.set(`${prefix}.${name}`, { path, name });

/** The path of the file that defines a name; undefined if no file does. */
export function homeOf(fullName: string): string | undefined {
  return HOMES.get(fullName)?.path;
}

function found(fullName: string): { readonly file: FileFacts; readonly name: string } {
  const home = HOMES.get(fullName);
  if (home === undefined) throw new TypeError(`No definition has ${fullName}.`);
  return { file: FILES.get(home.path)!, name: home.name };
}

const whole = (type: string, prefix: string): string =>
  type.startsWith('.') ? prefix + type : type;

export function isMessage(fullName: string): boolean {
  const home = HOMES.get(fullName);
  return home !== undefined && home.name in FILES.get(home.path)!.messages;
}

/** Undefined where the name is not of a service. */
function serviceOf(fullName: string): Readonly<Record<string, string>> | undefined {
  const home = HOMES.get(fullName);
  return home && FILES.get(home.path)!.services[home.name];
}

/** Whether the name is one of a service or of a method. */
export function isServiceOrMethod(fullName: string): boolean {
  const at = fullName.lastIndexOf('.');
  const methods = serviceOf(fullName.slice(0, at));
  return serviceOf(fullName) !== undefined || Object.hasOwn(methods ?? {}, fullName.slice(at + 1));
}

export function fieldsOf(fullName: string): readonly FieldDefinition[] {
  const { file, name } = found(fullName);
  return Object.entries(file.messages[name]!).map(([field, text]) =>
    fieldOf(field, text, file.package),
  );
}

export function fieldOf(name: string, text: string, prefix: string): FieldDefinition {
  const [number, ...words] = text.split(' ');
  const type = whole(words.at(-1)!, prefix);
  const [word, argument] = words.length > 1 ? words : [];
  return {
    name,
    number: Number(number),
    label: word === 'repeated' || word === 'optional' ? word : '',
    ...(word === 'oneof' && { oneof: argument }),
    ...(word === 'map' && { mapKey: argument }),
    type,
  };
}

export function valuesOf(fullName: string): Readonly<Record<string, number>> {
  const { file, name } = found(fullName);
  return file.enums[name]!;
}

/** @param fullName of a service */
export function methodsOf(fullName: string): readonly MethodDefinition[] {
  const { file, name } = found(fullName);
  return Object.entries(file.services[name]!).map(([method, text]) => {
    const [input = '', output = ''] = text.split(' -> ');
    return {
      path: `/${fullName}/${method}`,
      ...sideOf('in', input, file.package),
      ...sideOf('out', output, file.package),
    } as MethodDefinition;
  });
}

function sideOf(side: 'in' | 'out', text: string, prefix: string) {
  const isStream = text.startsWith('stream ');
  const type = whole(text.replace('stream ', ''), prefix);
  return side === 'in'
    ? { input: type, streamsIn: isStream }
    : { output: type, streamsOut: isStream };
}
