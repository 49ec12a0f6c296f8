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

/** The contract that a choice of an interface is exercised on. */
export interface InterfaceSelf<V, M> {
  /** Of the contract. */
  readonly contractId: ContractId;
  /** `package-id:Module:Entity` of its template. */
  readonly templateId: TypeId;
  /** Of this interface. */
  readonly view: V;
  /** The template's methods, bound to this contract. */
  readonly methods: M;
}

/** Names of the methods with their types: `methods<{ accept(update: Update): Result }>()('accept')`. */
export interface MethodNames<M> {
  readonly names: readonly (keyof M & string)[];
  readonly phantom?: M;
}

/** Names the methods of an interface, with their types: `methods<{ accept(update: Update): Result }>()('accept')`. */
export function methods<M>(): (...names: readonly (keyof M & string)[]) => MethodNames<M> {
  return (...names) => ({ names });
}

/** Enough to fetch through an interface. */
export interface InterfaceReference<V> {
  /** `package-id:Module:Entity`. */
  readonly id: TypeId;
  /** For the compiler alone. */
  readonly viewValue?: V;
}

/** Any interface, whatever its view and methods. */
export interface NamedInterface {
  readonly kind: 'interface';
  readonly named: NamedType;
}

/** What an interface is made of. */
export interface InterfaceSpec<V, M, C extends AnyChoices, VJ = unknown> {
  /** `Module.Path:Entity`. */
  readonly name: QualifiedName;
  /** The view's record type. */
  readonly view: Type<V, VJ>;
  /** What its choices may call of a template. */
  readonly methods?: MethodNames<M>;
  /** By name, each made by the function that is handed in. */
  readonly choices?: (choice: ChoiceMaker<V, InterfaceSelf<V, M>>) => C;
  /** Interfaces that each implementing template must implement too. */
  readonly requires?: readonly NamedInterface[];
}

/** An interface written in TypeScript: see `defineInterface`. */
export class InterfaceDefinition<V, M, C extends AnyChoices> implements InterfaceReference<V> {
  /** `interface`. */
  readonly kind = 'interface';
  /** For the compiler alone. */
  declare readonly viewValue?: V;
  /** For the compiler alone. */
  declare readonly methodsValue?: (methods: M) => M;
  /** Its name, and its package once it is in one. */
  readonly named: NamedType;
  /** The interface as a type, for `d.contractId`. */
  readonly type: Type<unknown>;
  /** The view's record type. */
  readonly viewType: Type<V>;
  /** By name. */
  readonly choices: C;
  /** As `methods` named them. */
  readonly methodNames: readonly string[];
  /** Interfaces that each implementing template must implement too. */
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

  /** `Module:Entity`. */
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

/** Defines an interface. @throws DefinitionError naming what is wrong */
export function defineInterface<
  V,
  M = Readonly<Record<never, never>>,
  C extends AnyChoices = Readonly<Record<never, never>>,
  VJ = unknown,
>(spec: InterfaceSpec<V, M, C, VJ>): DefinedInterface<V, M, C, VJ> {
  return new InterfaceDefinition(spec) as DefinedInterface<V, M, C, VJ>;
}
