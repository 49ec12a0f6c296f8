/**
 * Interfaces written in TypeScript: a view, choices, and methods that each implementing template provides.
 *
 *     export const Holding = defineInterface({ name: 'My.Holding:Holding', view: HoldingView });
 */
import {
  makeChoice,
  nameChoices,
  type AnyChoices,
  type ChoiceMaker,
  type NamedChoices,
} from './choice.js';
import { DefinitionError, checkQualifiedName } from './names.js';
import { NamedType, Type } from './types.js';
import type { Interface } from '../model/typed-template.js';
import type { QualifiedName, TypeId } from '../model/types.js';
import type { ContractId } from '../model/values.js';

/** The contract that an interface's choice is exercised on. */
export interface InterfaceSelf<V, M> {
  readonly contractId: ContractId;
  readonly templateId: TypeId;
  readonly view: V;
  /** The template's methods, bound to this contract. */
  readonly methods: M;
}

/** Names of the methods with their types: `methods<{ accept(update: Update): Result }>()('accept')`. */
export interface MethodNames<M> {
  readonly names: readonly (keyof M & string)[];
  readonly phantom?: M;
}

export function methods<M>(): (...names: readonly (keyof M & string)[]) => MethodNames<M> {
  return (...names) => ({ names });
}

/** Enough to fetch through an interface. */
export interface InterfaceReference<V> {
  readonly id: TypeId;
  readonly viewValue?: V;
}

/** Any interface, whatever its view and methods. */
export interface NamedInterface {
  readonly kind: 'interface';
  readonly named: NamedType;
}

export interface InterfaceSpec<V, M, C extends AnyChoices, VJ = unknown> {
  /** `Module.Path:Entity`. */
  readonly name: QualifiedName;
  /** The view's record type. */
  readonly view: Type<V, VJ>;
  readonly methods?: MethodNames<M>;
  readonly choices?: (choice: ChoiceMaker<V, InterfaceSelf<V, M>>) => C;
  /** Interfaces that each implementing template must implement too. */
  readonly requires?: readonly NamedInterface[];
}

export class InterfaceDefinition<V, M, C extends AnyChoices> implements InterfaceReference<V> {
  readonly kind = 'interface';
  declare readonly viewValue?: V;
  declare readonly methodsValue?: (methods: M) => M;
  readonly named: NamedType;
  /** The interface as a type, for `d.contractId`. */
  readonly type: Type<unknown>;
  readonly viewType: Type<V>;
  readonly choices: C;
  readonly methodNames: readonly string[];
  readonly requires: readonly NamedInterface[];

  constructor(spec: InterfaceSpec<V, M, C>) {
    checkQualifiedName('Interface', spec.name);
    this.named = new NamedType(spec.name, [], { kind: 'interface' });
    this.type = new Type({ kind: 'named', named: this.named, args: [] });
    this.viewType = spec.view;
    this.choices =
      spec.choices?.(makeChoice as unknown as ChoiceMaker<V, InterfaceSelf<V, M>>) ?? ({} as C);
    this.methodNames = spec.methods?.names ?? [];
    this.requires = spec.requires ?? [];
    nameChoices(this);
  }

  get name(): QualifiedName {
    return this.named.name;
  }

  /** Known from the moment that {@link definePackage} has taken the interface in. */
  get id(): TypeId {
    if (this.named.packageId === undefined)
      throw new DefinitionError(
        `Interface ${this.name} is in no package yet. List it in definePackage({ interfaces }).`,
      );
    return `${this.named.packageId}:${this.name}`;
  }

  /** `#package-name:Module:Entity`, known from the same moment. */
  get templateId(): string {
    return this.id.replace(this.named.packageId!, `#${this.named.packageName}`);
  }
}

/** An interface as `participant.exercise` and the others take it: with its choices as members. */
export type DefinedInterface<V, M, C extends AnyChoices, VJ> = InterfaceDefinition<V, M, C> &
  Interface<
    unknown,
    VJ,
    Omit<NamedChoices<unknown, C, never>, keyof InterfaceDefinition<unknown, unknown, AnyChoices>>
  >;

export function defineInterface<
  V,
  M = Readonly<Record<never, never>>,
  C extends AnyChoices = Readonly<Record<never, never>>,
  VJ = unknown,
>(spec: InterfaceSpec<V, M, C, VJ>): DefinedInterface<V, M, C, VJ> {
  return new InterfaceDefinition(spec) as DefinedInterface<V, M, C, VJ>;
}
