/**
 * Writes packages defined in TypeScript as Daml-LF archives: their types, templates, choices and interfaces. The
 * archive replaces code with a failure that says where the code runs. The language version is 2.1, or 2.3 for a
 * package with contract keys.
 */
import type { Choice, DamlPackage, Interface, Template } from '../model/package.js';
import {
  qualifiedNameOf,
  splitTypeId,
  type DamlType,
  type DataType,
  type Field,
  type TypeId,
} from '../model/types.js';
import { compareText } from '../model/text-order.js';
import { failure } from './code.js';
import { writeException, writeLibraryValue, type LibraryValue } from './library-values.js';
import { flag, message, number, packed, part, parts, texts } from './message.js';
import { Tables, type CodeType } from './tables.js';

/** A package without an id: its own id is the empty text. */
export type Written = Omit<DamlPackage, 'id' | 'archive'>;

/** The part of an interface that its implementations need. */
export interface WrittenInterface {
  readonly view: DamlType;
  readonly methods: readonly WrittenMethod[];
}

interface WrittenMethod {
  readonly name: string;
  readonly argument: DamlType;
  /** The result of a method that is an update; absent for a method that returns parties. */
  readonly result?: DamlType;
}

export interface ArchiveOptions {
  /** The interfaces that the package declares or implements. */
  readonly interfaces: ReadonlyMap<TypeId, WrittenInterface>;
  /** The functions of a standard library package, whose types keep their order. */
  readonly library?: readonly LibraryValue[] | undefined;
  /** Names of its exceptions. */
  readonly exceptions?: readonly string[] | undefined;
  /** Names of type parameters of kind `Nat`. */
  readonly naturals?: readonly string[] | undefined;
}

const PARTIES: CodeType = { kind: 'list', of: { kind: 'party' } };
/** The flags of every module: they forbid features that compilers no longer use. */
const FLAGS = message(flag(1, true), flag(2, true), flag(3, true));

/** @returns the payload of the archive, whose SHA-256 is the package's id */
export function packageArchive(written: Written, options: ArchiveOptions): Uint8Array {
  const hasKeys = [...written.templates.values()].some(({ key }) => key !== undefined);
  const contents = new Archive(new Tables(hasKeys), written, options).contents();
  return message(texts(3, [hasKeys ? '3' : '1']), part(4, contents));
}

class Archive {
  constructor(
    private readonly tables: Tables,
    private readonly written: Written,
    private readonly options: ArchiveOptions,
  ) {}

  contents(): Uint8Array {
    const { tables, written } = this;
    const modules = this.modules().map((name) => this.module(name));
    const metadata = message(
      number(1, tables.string(written.name)),
      number(2, tables.string(written.version)),
    );
    return message(
      parts(1, modules),
      texts(2, tables.strings),
      parts(3, tables.names),
      part(4, metadata),
      parts(5, tables.types),
      parts(6, tables.kinds),
      parts(7, tables.expressions),
      ...(tables.flat ? [part(9, message(texts(1, tables.imports)))] : []),
    );
  }

  private modules(): readonly string[] {
    const { dataTypes, templates, interfaces } = this.written;
    const names = [...dataTypes.keys(), ...templates.keys(), ...interfaces.keys()];
    return [...new Set(names.map((name) => name.slice(0, name.indexOf(':'))))].sort(compareText);
  }

  /** The definitions of a module: sorted by name, but in their own order in a library. */
  private of<T>(module: string, all: ReadonlyMap<string, T>): T[] {
    const found = [...all].filter(([name]) => name.startsWith(`${module}:`));
    if (this.options.library === undefined) found.sort(([one], [other]) => compareText(one, other));
    return found.map(([, each]) => each);
  }

  private module(name: string): Uint8Array {
    const { written, tables } = this;
    const dotted = tables.dottedName(name);
    const types = this.of(name, written.dataTypes);
    const dataTypes = types.map((type) => this.dataType(type));
    const values = (this.options.library ?? []).map((value) =>
      writeLibraryValue(tables, types, value),
    );
    const templates = this.of(name, written.templates).map((each) => this.template(each));
    const exceptions = (this.options.exceptions ?? []).map((each) =>
      writeException(tables, types, each),
    );
    const interfaces = this.of(name, written.interfaces).map((each) => this.interface(each));
    return message(
      number(1, dotted),
      part(2, FLAGS),
      parts(4, dataTypes),
      parts(5, values),
      parts(6, templates),
      parts(7, exceptions),
      parts(8, interfaces),
    );
  }

  private dataType({ id, params, serializable, body }: DataType): Uint8Array {
    const { tables } = this;
    const head = [
      number(2, tables.dottedName(splitTypeId(id).entity)),
      parts(
        3,
        params.map((param) => tables.typeVariable(param, this.options.naturals?.includes(param))),
      ),
      flag(4, serializable),
    ];
    switch (body.kind) {
      case 'record':
        return message(...head, part(5, this.fields(body.fields)));
      case 'variant':
        return message(...head, part(6, this.fields(body.constructors)));
      case 'interface':
        return message(...head, part(8, message()));
      case 'enum': {
        const constructors = body.constructors.map((name) => tables.string(name));
        return message(...head, part(7, message(packed(2, constructors))));
      }
    }
  }

  private fields(fields: readonly Field[]): Uint8Array {
    const { tables } = this;
    const encoded = fields.map(({ name, type }) =>
      message(number(3, tables.string(name)), part(2, tables.type(type))),
    );
    return message(parts(1, encoded));
  }

  private template({ id, choices, implementations, key }: Template): Uint8Array {
    const { tables } = this;
    const name = qualifiedNameOf(id);
    const parties = (of: string): Uint8Array => this.code(`the ${of} of ${name}`, PARTIES);
    return message(
      number(1, tables.dottedName(splitTypeId(id).entity)),
      number(2, tables.string('this')),
      part(4, parties('signatories')),
      parts(6, this.choices(name, choices)),
      part(7, parties('observers')),
      ...(key === undefined ? [] : [part(9, this.key(name, key.type))]),
      parts(
        10,
        [...implementations.keys()]
          .sort(compareText)
          .map((each) => this.implementation(name, each)),
      ),
    );
  }

  private key(name: string, type: DamlType): Uint8Array {
    const maintainers: CodeType = { kind: 'arrow', from: type, to: PARTIES };
    return message(
      part(1, this.tables.type(type)),
      part(3, this.code(`the maintainers of ${name}`, maintainers)),
      part(4, this.code(`the key of ${name}`, type)),
    );
  }

  private implementation(name: string, id: TypeId): Uint8Array {
    const { tables } = this;
    const { view, methods } = this.options.interfaces.get(id)!;
    const encoded = methods.map((method) =>
      message(
        number(1, tables.string(method.name)),
        part(2, this.code(`${method.name} of ${name}`, methodType(id, method))),
      ),
    );
    const viewed = part(2, this.code(`the view of ${name}`, view));
    return message(part(1, tables.typeId(id)), part(2, message(parts(1, encoded), viewed)));
  }

  private interface({ id, choices, viewType, requires }: Interface): Uint8Array {
    const { tables } = this;
    const methods = this.options.interfaces
      .get(id)!
      .methods.map((method) =>
        message(
          number(2, tables.string(method.name)),
          part(3, tables.type(methodType(id, method))),
        ),
      );
    return message(
      number(2, tables.dottedName(splitTypeId(id).entity)),
      parts(3, methods),
      number(4, tables.string('this')),
      parts(5, this.choices(qualifiedNameOf(id), choices)),
      part(6, tables.type(viewType)),
      parts(
        7,
        [...requires].sort(compareText).map((each) => tables.typeId(each)),
      ),
    );
  }

  private choices(owner: string, choices: ReadonlyMap<string, Choice>): readonly Uint8Array[] {
    return [...choices.values()]
      .sort((one, other) => compareText(one.name, other.name))
      .map((choice) => this.choice(owner, choice));
  }

  private choice(owner: string, choice: Choice): Uint8Array {
    const { tables } = this;
    const name = `${owner}.${choice.name}`;
    const result: CodeType = { kind: 'update', of: choice.returnType };
    return message(
      number(2, tables.string(choice.name)),
      flag(3, choice.consuming),
      part(4, this.code(`the controllers of ${name}`, PARTIES)),
      part(5, this.code(`the observers of ${name}`, PARTIES)),
      part(6, message(number(3, tables.string('arg')), part(2, tables.type(choice.argumentType)))),
      part(8, tables.type(choice.returnType)),
      part(9, this.code(name, result)),
      number(10, tables.string('self')),
    );
  }

  private code(what: string, type: CodeType): Uint8Array {
    const { name, version } = this.written;
    const text = `${what}: written in TypeScript, in the package ${name} ${version}, it runs in Canticle alone`;
    return failure(this.tables, type, text);
  }
}

function methodType(interfaceId: TypeId, { argument, result }: WrittenMethod): CodeType {
  if (result === undefined) return { kind: 'arrow', from: argument, to: PARTIES };
  const self: CodeType = { kind: 'contractId', of: { kind: 'con', id: interfaceId, args: [] } };
  const update: CodeType = {
    kind: 'arrow',
    from: argument,
    to: { kind: 'update', of: result },
  };
  return { kind: 'arrow', from: self, to: update };
}
