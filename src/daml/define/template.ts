/**
 * Templates written in TypeScript. The payload's type follows from the fields:
 *
 *     export const Iou = defineTemplate({
 *       name: 'Main.Iou:Iou',
 *       fields: { issuer: d.party, owner: d.party, amount: d.numeric(10) },
 *       signatories: (iou) => [iou.issuer],
 *       observers: (iou) => [iou.owner],
 *       choices: (choice) => ({
 *         Transfer: choice({
 *           argument: { newOwner: d.party },
 *           result: d.contractId('Main.Iou:Iou'),
 *           controllers: (iou) => [iou.owner],
 *           run: (update, self, { newOwner }) => update.create(self.template, { ...self.payload, owner: newOwner }),
 *         }),
 *       }),
 *     });
 */
import {
  makeChoice,
  nameChoices,
  type AnyChoices,
  type ChoiceMaker,
  type NamedChoices,
} from './choice.js';
import type { InterfaceDefinition } from './interface.js';
import { DefinitionError, checkQualifiedName } from './names.js';
import { NamedType, Type, type Fields, type JsonRecordOf, type RecordOf } from './types.js';
import type { Template } from '../model/typed-template.js';
import type { QualifiedName, TypeId } from '../model/types.js';
import type { ContractId, Party } from '../model/values.js';

/** Enough to create and fetch. */
export interface TemplateReference<P> {
  /** `package-id:Module:Entity`. */
  readonly id: TypeId;
  /** For the compiler alone. */
  readonly payloadValue?: P;
}

/** Enough to find contracts by their keys as well. */
export interface KeyedReference<P, K> extends TemplateReference<P> {
  /** For the compiler alone. */
  readonly keyValue?: K;
}

/** A contract key. Keys are not unique: several active contracts may have the same one. */
export interface KeySpec<P, K, KJ = unknown> {
  /** Any type without contract ids. */
  readonly type: Type<K, KJ>;
  /** The key of a contract. */
  of(payload: P): K;
  /** Who answers for contracts with this key: signatories of each, and at least one. */
  maintainers(key: K): readonly Party[];
}

/** The contract that a choice is exercised on. `template` avoids naming a template inside its own definition. */
export interface Self<P> {
  /** Of the contract. */
  readonly contractId: ContractId;
  /** Of the contract. */
  readonly payload: P;
  /** To create another one like it. */
  readonly template: TemplateReference<P>;
}

type Bound<M, P> = {
  readonly [K in keyof M]: M[K] extends (...args: infer A) => infer R
    ? (self: Self<P>, ...args: A) => R
    : never;
};

/** How a template implements an interface. */
export interface ImplementationSpec<P, V, M> {
  /** The view of a contract. */
  view(payload: P): V;
  /** The interface's methods; each gets the contract first. */
  readonly methods?: Bound<M, P>;
}

export interface ImplementationDefinition {
  readonly of: InterfaceDefinition<never, never, AnyChoices>;
  readonly view: (payload: never) => unknown;
  readonly methods: Readonly<Record<string, (self: never, ...args: never[]) => unknown>>;
}

export type ImplementationMaker<P> = <V, M, C extends AnyChoices>(
  of: InterfaceDefinition<V, M, C>,
  spec: ImplementationSpec<P, V, M>,
) => ImplementationDefinition;

/** What a template is made of. */
export interface TemplateSpec<F extends Fields, C extends AnyChoices, K = never, KJ = unknown> {
  /** `Module.Path:Entity`. */
  readonly name: QualifiedName;
  /** Of the payload, by name and in order. */
  readonly fields: F;
  /** Who has to sign, at least one. */
  signatories(payload: RecordOf<F>): readonly Party[];
  /** Who else sees it; nobody by default. */
  observers?(payload: RecordOf<F>): readonly Party[];
  /** Must hold for each contract that is created. */
  ensure?(payload: RecordOf<F>): boolean;
  /** Its contract key; none by default. */
  readonly key?: KeySpec<RecordOf<F>, K, KJ>;
  /** By name, each made by the function that is handed in. `Archive` is there by itself. */
  readonly choices?: (choice: ChoiceMaker<RecordOf<F>, Self<RecordOf<F>>>) => C;
  /** Interfaces, each by a call of the function that is handed in. */
  readonly implements?: (
    implement: ImplementationMaker<RecordOf<F>>,
  ) => readonly ImplementationDefinition[];
}

/** A template written in TypeScript: see `defineTemplate`. */
export class TemplateDefinition<P, C extends AnyChoices, K = never> implements KeyedReference<
  P,
  K
> {
  /** `template`. */
  readonly kind = 'template';
  /** For the compiler alone. */
  declare readonly payloadValue?: P;
  /** For the compiler alone. */
  declare readonly keyValue?: K;
  /** Its name, and its package once it is in one. */
  readonly named: NamedType;
  /** The payload's record type. */
  readonly type: Type<P>;
  /** By name. */
  readonly choices: C;
  /** Of interfaces. */
  readonly implementations: readonly ImplementationDefinition[];

  constructor(
    /** What it was made of. */
    readonly spec: Pick<TemplateSpec<Fields, AnyChoices>, 'name' | 'fields'> &
      TemplateBodies<P, C, K>,
  ) {
    checkQualifiedName('Template', spec.name);
    this.named = new NamedType(spec.name, [], { kind: 'record', fields: spec.fields });
    this.type = new Type<P>({ kind: 'named', named: this.named, args: [] });
    this.choices = spec.choices?.(makeChoice as unknown as ChoiceMaker<P, Self<P>>) ?? ({} as C);
    this.implementations = spec.implements?.(implement as unknown as ImplementationMaker<P>) ?? [];
    nameChoices(this);
  }

  /** `Module:Entity`. */
  get name(): QualifiedName {
    return this.named.name;
  }

  /** Known from the moment that {@link definePackage} has taken the template in. */
  get id(): TypeId {
    if (this.named.packageId === undefined)
      throw new DefinitionError(
        `Template ${this.name} is in no package yet. List it in definePackage({ templates }).`,
      );
    return `${this.named.packageId}:${this.name}`;
  }

  /** `#package-name:Module:Entity`, known from the same moment. */
  get templateId(): string {
    return this.id.replace(this.named.packageId!, `#${this.named.packageName}`);
  }
}

/** A template as `participant.create` and the others take it: with its choices as members, and its types as Ledger API JSON. */
export type DefinedTemplate<F extends Fields, C extends AnyChoices, K, KJ> = TemplateDefinition<
  RecordOf<F>,
  C,
  K
> &
  Template<
    JsonRecordOf<F>,
    Omit<NamedChoices<JsonRecordOf<F>, C, KJ>, keyof TemplateDefinition<unknown, AnyChoices>>,
    KJ
  >;

interface TemplateBodies<P, C, K> {
  signatories(payload: P): readonly Party[];
  observers?(payload: P): readonly Party[];
  ensure?(payload: P): boolean;
  readonly key?: KeySpec<P, K>;
  readonly choices?: (choice: ChoiceMaker<P, Self<P>>) => C;
  readonly implements?: (implement: ImplementationMaker<P>) => readonly ImplementationDefinition[];
}

/** Defines a template, for `definePackage`. @throws DefinitionError naming what is wrong */
export function defineTemplate<
  const F extends Fields,
  C extends AnyChoices = Readonly<Record<never, never>>,
  K = never,
  KJ = never,
>(spec: TemplateSpec<F, C, K, KJ>): DefinedTemplate<F, C, K, KJ> {
  return new TemplateDefinition<RecordOf<F>, C, K>(spec) as DefinedTemplate<F, C, K, KJ>;
}

function implement(
  of: ImplementationDefinition['of'],
  spec: { view: ImplementationDefinition['view']; methods?: ImplementationDefinition['methods'] },
): ImplementationDefinition {
  const methods = spec.methods ?? {};
  const missing = of.methodNames.filter((name) => typeof methods[name] !== 'function');
  if (missing.length > 0)
    throw new DefinitionError(
      `The implementation of ${of.name} lacks the methods ${missing.join(', ')}.`,
    );
  return { of, view: spec.view, methods };
}
