/**
 * Daml-LF archives for tests, from a readable notation: `encodePackage({ name, modules: { Main: { … } } })`.
 * Language version 2.1 nests types in place and names packages by their ids; later ones intern each constructor and
 * list what they import. Expressions use the notation of `lf-code.ts`. The defaults of omitted parts are
 * well-typed: no parties, or an error of the expected type.
 */
import { createHash } from 'node:crypto';
import { e, type Code } from './lf-code.js';
import { LfInterning } from './lf-interning.js';
import { t, type LfTypeSpec } from './lf-types.js';
import { flag, int, message, packed, part, parts, text, texts } from './protobuf-bytes.js';

export type Fields = Readonly<Record<string, LfTypeSpec>>;

export interface ChoiceSpec {
  readonly consuming?: boolean;
  readonly argument: LfTypeSpec;
  readonly returns: LfTypeSpec;
  /** An expression of `this` and `arg`. */
  readonly controllers?: Code;
  /** Null for a message without the field, which is invalid in each language version. */
  readonly observers?: Code | null;
  readonly authorizers?: Code;
  /** Of `this`, `self` and `arg`. */
  readonly update?: Code;
}

export interface ImplementationSpec {
  /** Both of `this`. */
  readonly view?: Code;
  readonly methods: Readonly<Record<string, Code>>;
}

/** `params` have kind `*`; a type is serializable by default. */
interface TypeOptions {
  readonly params?: readonly string[];
  readonly serializable?: boolean;
}

export type DataTypeSpec = TypeOptions &
  (
    | { readonly record: Fields | readonly (readonly [string, LfTypeSpec])[] }
    | { readonly variant: Fields }
    | { readonly enum: readonly string[]; readonly isPacked?: boolean }
    | { readonly interface: true }
  );

export interface KeySpec {
  readonly type: LfTypeSpec;
  /** Of `this`. */
  readonly body: Code;
  /** A function of the key. */
  readonly maintainers: Code;
}

export interface TemplateSpec {
  /** Of the payload record; leave out where the module's `types` define it. */
  readonly fields?: Fields;
  readonly choices?: Readonly<Record<string, ChoiceSpec>>;
  /** By interface id: the code, or only the names of methods. */
  readonly implements?: Readonly<Record<string, readonly string[] | ImplementationSpec>>;
  /** Its type only, or the whole definition. */
  readonly key?: LfTypeSpec | KeySpec;
  /** All of `this`. */
  readonly precondition?: Code;
  readonly signatories?: Code;
  readonly observers?: Code;
  /** Its line in the module, from 1. */
  readonly line?: number;
}

export interface InterfaceSpec {
  readonly view: LfTypeSpec;
  readonly methods?: Fields;
  readonly choices?: Readonly<Record<string, ChoiceSpec>>;
  readonly requires?: readonly string[];
}

export interface ModuleSpec {
  readonly types?: Readonly<Record<string, DataTypeSpec>>;
  readonly synonyms?: Readonly<Record<string, { params?: readonly string[]; type: LfTypeSpec }>>;
  readonly templates?: Readonly<Record<string, TemplateSpec>>;
  readonly interfaces?: Readonly<Record<string, InterfaceSpec>>;
  readonly values?: Readonly<Record<string, { type: LfTypeSpec; expression?: Uint8Array | Code }>>;
  /** With the functions that make their messages. */
  readonly exceptions?: readonly string[] | Readonly<Record<string, Code>>;
  readonly flags?: Uint8Array;
}

export interface PackageSpec {
  readonly name?: string;
  readonly version?: string;
  /** The minor language version. */
  readonly lf?: '1' | '2' | '3' | '4' | 'dev';
  readonly modules: Readonly<Record<string, ModuleSpec>>;
  /** Declared from 2.2 on. The packages of types are added automatically. */
  readonly imports?: readonly string[];
  /** Raw entries after the interned types. */
  readonly rawTypes?: readonly Uint8Array[];
  /** Entries after those that the package uses. */
  readonly rawDottedNames?: readonly Uint8Array[];
  /** The same of kinds. */
  readonly rawKinds?: readonly Uint8Array[];
  /** The version of the payload; only 0 exists. */
  readonly patch?: number;
  readonly withoutMetadata?: boolean;
  /** The name in the metadata. */
  readonly upgradedPackageId?: string;
}

export interface EncodedPackage {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly payload: Uint8Array;
  /** The archive: payload and hash. */
  readonly dalf: Uint8Array;
}

const NO_PARTIES = e.nil(t.party);
const UPDATE = 17;
/** An expression of any type, which fails when it runs. */
const missing = (type: LfTypeSpec): Code =>
  e.call(e.builtin('ERROR', type), e.text('a test left this out'));
const FLAGS = message(flag(1, true), flag(2, true), flag(3, true));

export function encodePayload(minor: string, lf2: Uint8Array, patch = 0): Uint8Array {
  return message(text(3, minor), patch ? int(5, patch) : undefined, part(4, lf2));
}

/** `hash` is only for a wrong hash. */
export function encodeArchive(payload: Uint8Array, hash = hashOf(payload)): Uint8Array {
  return message(part(3, payload), text(4, hash));
}

function hashOf(payload: Uint8Array): string {
  return createHash('sha256').update(payload).digest('hex');
}

export function encodePackage(spec: PackageSpec): EncodedPackage {
  const { name = 'test-package', version = '1.0.0', lf = '1' } = spec;
  const payload = encodePayload(lf, encodeLf2(spec, name, version, lf), spec.patch);
  return { id: hashOf(payload), name, version, payload, dalf: encodeArchive(payload) };
}

function encodeLf2(spec: PackageSpec, name: string, version: string, lf: string): Uint8Array {
  const interning = new LfInterning(lf !== '1', spec.imports ?? []);
  const modules = Object.entries(spec.modules).map(([module, definitions]) =>
    encodeModule(interning, module, definitions),
  );
  const { upgradedPackageId: upgraded } = spec;
  const metadata = message(
    int(1, interning.string(name)),
    int(2, interning.string(version)),
    upgraded === undefined ? undefined : part(3, message(int(1, interning.string(upgraded)))),
  );
  return message(
    parts(1, modules),
    texts(2, interning.strings),
    parts(3, [...interning.dottedNames, ...(spec.rawDottedNames ?? [])]),
    spec.withoutMetadata ? undefined : part(4, metadata),
    parts(5, [...interning.types, ...(spec.rawTypes ?? [])]),
    parts(6, [...interning.kinds, ...(spec.rawKinds ?? [])]),
    parts(7, interning.expressions),
    lf === '1' ? undefined : part(9, message(texts(1, interning.imports))),
  );
}

function encodeModule(interning: LfInterning, name: string, spec: ModuleSpec): Uint8Array {
  const templates = Object.entries(spec.templates ?? {});
  const interfaces = Object.entries(spec.interfaces ?? {});
  const types: [string, DataTypeSpec][] = [
    ...Object.entries(spec.types ?? {}),
    ...templates.flatMap(([entity, { fields }]): [string, DataTypeSpec][] =>
      fields ? [[entity, { record: fields }]] : [],
    ),
    ...interfaces.map(([entity]): [string, DataTypeSpec] => [
      entity,
      { interface: true, serializable: false },
    ]),
  ];
  const encode = new ModuleEncoder(interning, name, spec);
  return message(
    int(1, interning.dottedName(name)),
    part(2, spec.flags ?? FLAGS),
    parts(
      3,
      Object.entries(spec.synonyms ?? {}).map(([entity, synonym]) =>
        encode.synonym(entity, synonym),
      ),
    ),
    parts(
      4,
      types.map(([entity, type]) => encode.dataType(entity, type)),
    ),
    parts(
      5,
      Object.entries(spec.values ?? {}).map(([entity, value]) => encode.value(entity, value)),
    ),
    parts(
      6,
      templates.map(([entity, template]) => encode.template(entity, template)),
    ),
    parts(
      7,
      exceptionsOf(spec).map(([entity, text]) => encode.exception(entity, text)),
    ),
    parts(
      8,
      interfaces.map(([entity, definition]) => encode.interface(entity, definition)),
    ),
  );
}

class ModuleEncoder {
  constructor(
    private readonly interning: LfInterning,
    private readonly module: string,
    private readonly spec: ModuleSpec,
  ) {}

  private type(field: number, type: LfTypeSpec) {
    return part(field, this.interning.type(type));
  }

  private params(field: number, params: readonly string[] = []) {
    return parts(
      field,
      params.map((param) => this.interning.typeVariable(param)),
    );
  }

  private fields(fields: Iterable<readonly [string, LfTypeSpec]>): Uint8Array {
    const encoded = [...fields].map(([name, type]) =>
      message(this.type(2, type), int(3, this.interning.string(name))),
    );
    return message(parts(1, encoded));
  }

  dataType(entity: string, spec: DataTypeSpec): Uint8Array {
    const head = [
      int(2, this.interning.dottedName(entity)),
      this.params(3, spec.params),
      flag(4, spec.serializable ?? true),
    ];
    if ('record' in spec) {
      const { record } = spec;
      const fields = Symbol.iterator in record ? record : Object.entries(record);
      return message(...head, part(5, this.fields(fields)));
    }
    if ('variant' in spec)
      return message(...head, part(6, this.fields(Object.entries(spec.variant))));
    if ('interface' in spec) return message(...head, part(8, message()));
    const constructors = spec.enum.map((name) => this.interning.string(name));
    const encoded = spec.isPacked
      ? [packed(2, constructors)]
      : constructors.map((index) => int(2, index));
    return message(...head, part(7, message(...encoded)));
  }

  synonym(
    entity: string,
    { params, type }: { params?: readonly string[]; type: LfTypeSpec },
  ): Uint8Array {
    return message(
      int(2, this.interning.dottedName(entity)),
      this.params(3, params),
      this.type(4, type),
    );
  }

  value(
    entity: string,
    { type, expression }: { type: LfTypeSpec; expression?: Uint8Array | Code },
  ): Uint8Array {
    const nameWithType = message(int(1, this.interning.dottedName(entity)), this.type(2, type));
    return message(part(2, nameWithType), part(3, this.code(expression, missing(type))));
  }

  private code(code: Code | Uint8Array | undefined, absent: Code): Uint8Array {
    return code instanceof Uint8Array ? code : (code ?? absent)(this.interning);
  }

  exception(entity: string, text?: Code): Uint8Array {
    const absent = e.lambda({ e: t.con(`${this.module}:${entity}`) }, e.text(''));
    return message(int(1, this.interning.dottedName(entity)), part(3, this.code(text, absent)));
  }

  private choices(field: number, choices: TemplateSpec['choices'] = {}) {
    const variable = this.interning.string('arg');
    const self = this.interning.string('self');
    const encoded = Object.entries(choices).map(([name, choice]) => {
      const { consuming = true, argument, returns, authorizers } = choice;
      return message(
        int(2, this.interning.string(name)),
        flag(3, consuming),
        part(4, this.code(choice.controllers, NO_PARTIES)),
        choice.observers === null ? undefined : part(5, this.code(choice.observers, NO_PARTIES)),
        part(6, message(this.type(2, argument), int(3, variable))),
        this.type(8, returns),
        part(9, this.code(choice.update, missing(t.builtin(UPDATE, returns)))),
        int(10, self),
        authorizers && part(1001, authorizers(this.interning)),
      );
    });
    return parts(field, encoded);
  }

  template(entity: string, spec: TemplateSpec): Uint8Array {
    const implementations = Object.entries(spec.implements ?? {}).map(([id, given]) => {
      const names = isNames(given) ? given : Object.keys(given.methods);
      // An interface of another module or package needs its methods and view written out.
      const own = this.spec.interfaces?.[id.slice(this.module.length + 1)];
      const encoded = names.map((name) => {
        const code = isNames(given) ? undefined : given.methods[name];
        const absent = missing(own?.methods?.[name] ?? t.unit);
        return message(int(1, this.interning.string(name)), part(2, this.code(code, absent)));
      });
      const view = isNames(given) ? undefined : given.view;
      const absent = missing(own?.view ?? t.unit);
      const body = message(parts(1, encoded), part(2, this.code(view, absent)));
      return message(part(1, this.interning.typeId(id)), part(2, body));
    });
    return message(
      int(1, this.interning.dottedName(entity)),
      int(2, this.interning.string('this')),
      spec.precondition && part(3, this.code(spec.precondition, e.true)),
      part(4, this.code(spec.signatories, NO_PARTIES)),
      this.choices(6, spec.choices),
      part(7, this.code(spec.observers, NO_PARTIES)),
      spec.line === undefined
        ? undefined
        : part(8, message(part(2, message(int(1, spec.line - 1), int(2, 0))))),
      spec.key && part(9, this.key(spec.key)),
      parts(10, implementations),
    );
  }

  private key(spec: LfTypeSpec | KeySpec): Uint8Array {
    const type = 'type' in spec ? spec.type : spec;
    const { body, maintainers }: Partial<KeySpec> = 'type' in spec ? spec : {};
    return message(
      this.type(1, type),
      part(3, this.code(maintainers, e.lambda({ key: type }, NO_PARTIES))),
      part(4, this.code(body, missing(type))),
    );
  }

  interface(entity: string, spec: InterfaceSpec): Uint8Array {
    const methods = Object.entries(spec.methods ?? {}).map(([name, type]) =>
      message(int(2, this.interning.string(name)), this.type(3, type)),
    );
    return message(
      int(2, this.interning.dottedName(entity)),
      parts(3, methods),
      int(4, this.interning.string('this')),
      this.choices(5, spec.choices),
      this.type(6, spec.view),
      parts(
        7,
        (spec.requires ?? []).map((id) => this.interning.typeId(id)),
      ),
    );
  }
}

function isNames(given: readonly string[] | ImplementationSpec): given is readonly string[] {
  return Array.isArray(given);
}

function exceptionsOf({ exceptions = [] }: ModuleSpec): readonly (readonly [string, Code?])[] {
  return Array.isArray(exceptions)
    ? (exceptions as readonly string[]).map((entity) => [entity] as const)
    : Object.entries(exceptions as Readonly<Record<string, Code>>);
}
