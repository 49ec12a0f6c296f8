/**
 * The package `daml-script` that a script was compiled with. Releases differ, so its records are read by field
 * names, and values for it are made with its own constructors.
 */
import type { DarPackage } from '../../daml/dar/dar-package.js';
import { invariant } from '../../daml/errors/ledger-error.js';
import { typeId, type DataType, type Field, type TypeId } from '../../daml/model/types.js';
import { UNIT } from '../../daml/model/values.js';
import { Variant, type RuntimeRecord } from '../../daml/lf/runtime/runtime-values.js';
import { ScriptError } from '../failures.js';

const QUESTIONS = 'Daml.Script.Internal.Questions';

/** A type of the library in a separate package. */
export interface StableType {
  readonly id: TypeId;
  readonly type: DataType;
}

export class ScriptLibrary {
  constructor(
    readonly of: DarPackage,
    /** From SDK 3.6 on: by `Module:Type`, the types that are the same for all SDKs. */
    private readonly stable?: ReadonlyMap<string, StableType>,
  ) {}

  /** Whether errors and other types of the library are the same for all SDKs (B-SCR-001). */
  get isStable(): boolean {
    return this.stable !== undefined;
  }

  /** @param type `Module:Type`, with the module relative to the module of the questions */
  private body(type: string) {
    const name = `${QUESTIONS}.${type}`;
    return (this.stable?.get(name)?.type ?? this.of.dataTypes.get(name))?.body;
  }

  /** The id of a type, with `Module:Type` as above. */
  idOf(type: string): TypeId {
    const name = `${QUESTIONS}.${type}`;
    return this.stable?.get(name)?.id ?? typeId(this.of.id, name);
  }

  /** A record's members by their names in this release. */
  members(type: string, record: unknown): Readonly<Record<string, unknown>> {
    const body = this.body(type);
    if (body?.kind !== 'record' || typeof record !== 'object' || record === null)
      throw new ScriptError(`Expected a ${type}, which ${this} does not have`);
    return Object.fromEntries(
      body.fields.map(({ name }, index) => [name, (record as RuntimeRecord)[`p${index}`]]),
    );
  }

  private constructors(type: string): readonly string[] {
    const body = this.body(type);
    if (body?.kind === 'enum') return body.constructors;
    if (body?.kind === 'variant') return body.constructors.map(({ name }) => name);
    throw new ScriptError(`Expected a variant ${type}, which ${this} does not have`);
  }

  /** The constructor of a variant or enum, and its content. */
  constructorOf(type: string, value: unknown): { readonly name: string; readonly value: unknown } {
    const rank = value instanceof Variant ? value.t : (value as number);
    const name = this.constructors(type)[rank];
    invariant(name !== undefined, 'a value has a constructor of its type');
    return { name, value: value instanceof Variant ? value.v : UNIT };
  }

  hasConstructor(type: string, name: string): boolean {
    return this.body(type) !== undefined && this.constructors(type).includes(name);
  }

  /** Makes a variant. If its content has named fields, pass the fields of this release in order. */
  variant(type: string, name: string, ...values: readonly unknown[]): Variant | number {
    const rank = this.constructors(type).indexOf(name);
    if (rank < 0) throw new ScriptError(`${this} has no ${name} of ${type}`);
    const body = this.body(type)!;
    if (body.kind !== 'variant') return rank;
    const held = body.constructors[rank] as Field;
    if (held.type.kind === 'unit') return new Variant(rank, UNIT);
    const inner = this.body(`${type}.${name}`);
    return new Variant(rank, inner?.kind === 'record' ? record(...values) : values[0]);
  }

  toString(): string {
    return `${this.of.name}-${this.of.version}`;
  }
}

export function record(...values: readonly unknown[]): RuntimeRecord {
  if (values.length === 0) return UNIT;
  const made: Record<string, unknown> = {};
  for (const [index, value] of values.entries()) made[`p${index}`] = value;
  return made;
}

/** `Left` of `DA.Types`; the numbers are the ranks of the constructors. */
export const left = (value: unknown): Variant => new Variant(0, value);
export const right = (value: unknown): Variant => new Variant(1, value);
