/** The definitions of messages and services of one release. */
import { KNOWN } from './known.js';

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

/** The files of a release, by their paths. Its names are full names, such as `com.daml.ledger.api.v2.Value`. */
export class Definitions {
  /** The file that defines each message, enumeration and service. */
  private readonly homes = new Map<string, { readonly path: string; readonly name: string }>();

  constructor(readonly files: ReadonlyMap<string, FileFacts>) {
    for (const [path, { package: prefix, messages, enums, services }] of files)
      for (const name of [messages, enums, services].flatMap(Object.keys))
        this.homes.set(`${prefix}.${name}`, { path, name });
  }

  /** The path of the file that defines a name; undefined if no file does. */
  homeOf(fullName: string): string | undefined {
    return this.homes.get(fullName)?.path;
  }

  isMessage(fullName: string): boolean {
    return this.definitionIn('messages', fullName) !== undefined;
  }

  /** Whether the name is one of a service or of a method. */
  isServiceOrMethod(fullName: string): boolean {
    const at = fullName.lastIndexOf('.');
    const methods = this.definitionIn('services', fullName.slice(0, at));
    return (
      this.definitionIn('services', fullName) !== undefined ||
      Object.hasOwn(methods ?? {}, fullName.slice(at + 1))
    );
  }

  /** The fields of a message; undefined if the release has no message of this name. */
  messageFields(fullName: string): readonly FieldDefinition[] | undefined {
    const known = KNOWN[fullName];
    const fields = known ?? this.definitionIn('messages', fullName);
    const prefix = known === undefined ? this.packageOf(fullName) : 'google.protobuf';
    return fields && Object.entries(fields).map(([name, text]) => fieldOf(name, text, prefix));
  }

  /** The numbers of an enumeration. */
  valuesOf(fullName: string): Readonly<Record<string, number>> {
    const values = this.definitionIn('enums', fullName);
    if (values === undefined) throw new TypeError(`No definition has ${fullName}.`);
    return values;
  }

  /** The methods of a service; none if the release lacks the service. */
  methodsOf(fullName: string): readonly MethodDefinition[] {
    const prefix = this.packageOf(fullName);
    return Object.entries(this.definitionIn('services', fullName) ?? {}).map(([method, text]) => {
      const [input = '', output = ''] = text.split(' -> ');
      return {
        path: `/${fullName}/${method}`,
        ...sideOf('in', input, prefix),
        ...sideOf('out', output, prefix),
      } as MethodDefinition;
    });
  }

  private packageOf(fullName: string): string {
    const home = this.homes.get(fullName);
    return home === undefined ? '' : this.files.get(home.path)!.package;
  }

  private definitionIn<K extends 'messages' | 'enums' | 'services'>(
    kind: K,
    fullName: string,
  ): FileFacts[K][string] | undefined {
    const home = this.homes.get(fullName);
    if (home === undefined) return undefined;
    const all = this.files.get(home.path)![kind] as Readonly<Record<string, FileFacts[K][string]>>;
    return Object.hasOwn(all, home.name) ? all[home.name] : undefined;
  }
}

const whole = (type: string, prefix: string): string =>
  type.startsWith('.') ? prefix + type : type;

export function fieldOf(name: string, text: string, prefix: string): FieldDefinition {
  const [number, ...words] = text.split(' ');
  const type = whole(words.at(-1)!, prefix);
  const [word, argument] = words;
  return {
    name,
    number: Number(number),
    label: word === 'repeated' || word === 'optional' ? word : '',
    ...(word === 'oneof' && { oneof: argument }),
    ...(word === 'map' && { mapKey: argument }),
    type,
  };
}

function sideOf(side: 'in' | 'out', text: string, prefix: string) {
  const isStream = text.startsWith('stream ');
  const type = whole(text.replace('stream ', ''), prefix);
  return side === 'in'
    ? { input: type, streamsIn: isStream }
    : { output: type, streamsOut: isStream };
}
