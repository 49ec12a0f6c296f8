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
  /** The contract's id. */
  readonly contractId: ContractId;
  /** The id of its template: `package-id:Module:Entity`. */
  readonly templateId: TypeId;
  /** The contract's view of this interface. */
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
  /** For the compiler only. */
  readonly viewValue?: V;
}

/** Any interface, with any view and methods. */
export interface NamedInterface {
  readonly kind: 'interface';
  readonly named: NamedType;
}

/** The specification of an interface. */
export interface InterfaceSpec<V, M, C extends AnyChoices, VJ = unknown> {
  /** `Module.Path:Entity`. */
  readonly name: QualifiedName;
  /** The view's record type. */
  readonly view: Type<V, VJ>;
  /** The template's methods that the interface's choices may call. */
  readonly methods?: MethodNames<M>;
  /** By name. Make each with the function that is passed in. */
  readonly choices?: (choice: ChoiceMaker<V, InterfaceSelf<V, M>>) => C;
  /** Interfaces that each implementing template must implement too. */
  readonly requires?: readonly NamedInterface[];
}

/** An interface written in TypeScript: see `defineInterface`. */
export class InterfaceDefinition<V, M, C extends AnyChoices> implements InterfaceReference<V> {
  /** `interface`. */
  readonly kind = 'interface';
  /** For the compiler only. */
  declare readonly viewValue?: V;
  /** For the compiler only. */
  declare readonly methodsValue?: (methods: M) => M;
  /** Its name, and its package as soon as it is in one. */
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

  /** Available after {@link definePackage} has added the interface to a package. */
  get id(): TypeId {
    if (this.named.packageId === undefined)
      throw new DefinitionError(
        `Interface ${this.name} is in no package yet. List it in definePackage({ interfaces }).`,
      );
    return `${this.named.packageId}:${this.name}`;
  }

  /** `#package-name:Module:Entity`, available at the same time. */
  get templateId(): string {
    return this.id.replace(this.named.packageId!, `#${this.named.packageName}`);
  }
}

/** An interface in the form that `participant.exercise` and other methods take: with its choices as members. */
export type DefinedInterface<V, M, C extends AnyChoices, VJ> = InterfaceDefinition<V, M, C> &
  Interface<
    unknown,
    VJ,
    Omit<NamedChoices<unknown, C, never>, keyof InterfaceDefinition<unknown, unknown, AnyChoices>>
  >;

/** Defines an interface. @throws DefinitionError that names the error */
export function defineInterface<
  V,
  M = Readonly<Record<never, never>>,
  C extends AnyChoices = Readonly<Record<never, never>>,
  VJ = unknown,
>(spec: InterfaceSpec<V, M, C, VJ>): DefinedInterface<V, M, C, VJ> {
  return new InterfaceDefinition(spec) as DefinedInterface<V, M, C, VJ>;
}
