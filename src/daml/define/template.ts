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
  /** For the compiler only. */
  readonly payloadValue?: P;
}

/** Enough to find contracts by their keys as well. */
export interface KeyedReference<P, K> extends TemplateReference<P> {
  /** For the compiler only. */
  readonly keyValue?: K;
}

/** A contract key. Keys are not unique: several active contracts may have the same one. */
export interface KeySpec<P, K, KJ = unknown> {
  /** Any type without contract ids. */
  readonly type: Type<K, KJ>;
  /** The key of a contract. */
  of(payload: P): K;
  /** The maintainers of contracts with this key: at least one, and signatories of each contract. */
  maintainers(key: K): readonly Party[];
}

/** The contract that a choice is exercised on. `template` avoids naming a template inside its own definition. */
export interface Self<P> {
  /** The contract's id. */
  readonly contractId: ContractId;
  /** The contract's payload. */
  readonly payload: P;
  /** The template, to create another contract. */
  readonly template: TemplateReference<P>;
}

type Bound<M, P> = {
  readonly [K in keyof M]: M[K] extends (...args: infer A) => infer R
    ? (self: Self<P>, ...args: A) => R
    : never;
};

/** A template's implementation of an interface. */
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

/** The specification of a template. */
export interface TemplateSpec<F extends Fields, C extends AnyChoices, K = never, KJ = unknown> {
  /** `Module.Path:Entity`. */
  readonly name: QualifiedName;
  /** The fields of the payload, by name and in order. */
  readonly fields: F;
  /** The signatories, at least one. */
  signatories(payload: RecordOf<F>): readonly Party[];
  /** The observers; none by default. */
  observers?(payload: RecordOf<F>): readonly Party[];
  /** A condition that each new contract must meet. */
  ensure?(payload: RecordOf<F>): boolean;
  /** Its contract key; none by default. */
  readonly key?: KeySpec<RecordOf<F>, K, KJ>;
  /** By name. Make each with the function that is passed in. `Archive` is added automatically. */
  readonly choices?: (choice: ChoiceMaker<RecordOf<F>, Self<RecordOf<F>>>) => C;
  /** The interfaces that it implements. Add each with a call of the function that is passed in. */
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
  /** For the compiler only. */
  declare readonly payloadValue?: P;
  /** For the compiler only. */
  declare readonly keyValue?: K;
  /** Its name, and its package as soon as it is in one. */
  readonly named: NamedType;
  /** The payload's record type. */
  readonly type: Type<P>;
  /** By name. */
  readonly choices: C;
  /** The interfaces that it implements. */
  readonly implementations: readonly ImplementationDefinition[];

  constructor(
    /** The specification that it was made from. */
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

  /** Available after {@link definePackage} has added the template to a package. */
  get id(): TypeId {
    if (this.named.packageId === undefined)
      throw new DefinitionError(
        `Template ${this.name} is in no package yet. List it in definePackage({ templates }).`,
      );
    return `${this.named.packageId}:${this.name}`;
  }

  /** `#package-name:Module:Entity`, available at the same time. */
  get templateId(): string {
    return this.id.replace(this.named.packageId!, `#${this.named.packageName}`);
  }
}

/**
 * A template in the form that `participant.create` and other methods take: with its choices as members, and its
 * types as Ledger API JSON.
 */
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

/** Defines a template, for `definePackage`. @throws DefinitionError that names the error */
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
