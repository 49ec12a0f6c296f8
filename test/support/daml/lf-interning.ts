/**
 * The tables of an encoded package: each string, dotted name, kind and type has one entry, and references are
 * indices.
 */
import type { LfTypeSpec } from './lf-types.js';
import { int, message, packed, part, parts, sint } from './protobuf-bytes.js';

const UNIT = message();

/** `flat` is the interning of 2.2 and later. */
export class LfInterning {
  readonly strings: string[] = [];
  readonly dottedNames: Uint8Array[] = [];
  readonly types: Uint8Array[] = [];
  readonly kinds: Uint8Array[] = [];
  readonly expressions: Uint8Array[] = [];
  readonly imports: string[];
  private readonly indexes = new Map<string, number>();
  private readonly references = new WeakMap<LfTypeSpec, Uint8Array>();

  constructor(
    /** Each constructor is a separate entry. */
    readonly flat: boolean,
    imports: readonly string[],
  ) {
    this.imports = [...imports];
  }

  private index<T>(table: T[], key: string, entry: () => T): number {
    const known = this.indexes.get(key);
    if (known !== undefined) return known;
    const made = entry();
    this.indexes.set(key, table.length);
    return table.push(made) - 1;
  }

  /** In place in 2.1; later an entry of the table, and a reference to it. */
  expression(bytes: Uint8Array): Uint8Array {
    if (!this.flat) return bytes;
    const key = `expression ${Buffer.from(bytes).toString('latin1')}`;
    return message(
      int(
        44,
        this.index(this.expressions, key, () => bytes),
      ),
    );
  }

  /** The entry of a reference. */
  inPlace(reference: Uint8Array): Uint8Array {
    if (!this.flat) return reference;
    return this.expressions.find((_, index) =>
      Buffer.from(message(int(44, index))).equals(reference),
    )!;
  }

  string(value: string): number {
    return this.index(this.strings, `string ${value}`, () => value);
  }

  dottedName(name: string): number {
    const segments = name.split('.');
    return this.index(this.dottedNames, `name ${name}`, () =>
      message(
        packed(
          1,
          segments.map((segment) => this.string(segment)),
        ),
      ),
    );
  }

  private packageId(id: string | undefined): Uint8Array {
    if (id === undefined) return message(part(1, UNIT));
    if (!this.flat) return message(int(3, this.string(id)));
    if (!this.imports.includes(id)) this.imports.push(id);
    return message(int(4, this.imports.indexOf(id)));
  }

  typeId(id: string): Uint8Array {
    const names = id.split(':');
    const entity = names.pop()!;
    const module = names.pop()!;
    const moduleId = message(part(1, this.packageId(names[0])), int(2, this.dottedName(module)));
    return message(part(1, moduleId), int(2, this.dottedName(entity)));
  }

  /** `a` with kind `*`, or with an explicit kind: `f:*->*`, `n:nat`. */
  typeVariable(variable: string): Uint8Array {
    const [name, kind = '*'] = variable.split(':');
    return message(part(2, this.kind(kind)), int(3, this.string(name!)));
  }

  /** In place in 2.1; later an entry of the table, and a reference to it. */
  private kind(kind: string): Uint8Array {
    const arrow = kind.indexOf('->');
    const entry = (): Uint8Array => {
      if (arrow < 0) return message(part(kind === 'nat' ? 3 : 1, UNIT));
      const [from, to] = [kind.slice(0, arrow), kind.slice(arrow + 2)];
      return message(part(2, message(part(1, this.kind(from)), part(2, this.kind(to)))));
    };
    if (!this.flat) return entry();
    return message(int(4, this.index(this.kinds, `kind ${kind}`, entry)));
  }

  /** A reference to the type's entry. */
  type(type: LfTypeSpec): Uint8Array {
    const known = this.references.get(type);
    if (known !== undefined) return known;
    const index = this.index(this.types, `type ${JSON.stringify(type)}`, () => this.entry(type));
    const reference = message(int(8, index));
    this.references.set(type, reference);
    return reference;
  }

  private entry(type: LfTypeSpec): Uint8Array {
    if (this.flat && 'args' in type && type.args.length > 0 && type.tag !== 'syn') {
      const left = this.type({ ...type, args: type.args.slice(0, -1) });
      return message(part(9, message(part(1, left), part(2, this.type(type.args.at(-1)!)))));
    }
    switch (type.tag) {
      case 'variable':
        return message(part(1, message(int(3, this.string(type.name)))));
      case 'con':
        return message(part(2, message(part(1, this.typeId(type.id)), this.args(type.args))));
      case 'builtin':
        return message(part(3, message(int(1, type.number), this.args(type.args))));
      case 'forall': {
        const inner = message(
          part(1, this.typeVariable(type.variable)),
          part(2, this.type(type.body)),
        );
        return message(part(4, inner));
      }
      case 'struct': {
        const fields = Object.entries(type.fields).map(([name, field]) =>
          message(part(2, this.type(field)), int(3, this.string(name))),
        );
        return message(part(5, message(parts(1, fields))));
      }
      case 'nat':
        return message(sint(6, type.value));
      case 'syn':
        return message(part(7, message(part(1, this.typeId(type.id)), this.args(type.args))));
    }
  }

  /** In place in 2.1, as its compilers encode them; interned in later versions. */
  private args(args: readonly LfTypeSpec[]) {
    return parts(
      2,
      args.map((arg) => (this.flat ? this.type(arg) : this.entry(arg))),
    );
  }
}
