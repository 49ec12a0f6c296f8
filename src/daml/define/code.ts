/**
 * Turns definitions written in TypeScript into the objects that the interpreter runs: Template, Interface and
 * Choice.
 */
import type { AnyChoices, ChoiceDefinition } from './choice.js';
import type { InterfaceDefinition } from './interface.js';
import type { ImplementationDefinition, Self, TemplateDefinition } from './template.js';
import { Update } from './update.js';
import type {
  Choice,
  ChoiceCode,
  ChoiceTarget,
  InterfaceImplementation,
  TemplateCode,
} from '../model/package.js';
import type { DamlType, TypeId } from '../model/types.js';
import { UNIT, type DamlRecord, type DamlValue, type Party } from '../model/values.js';

/** The argument record of every `Archive` choice: its type is in a stable package, as in real packages. */
const ARCHIVE_TYPE_ID: TypeId =
  '9e70a8b3510d617f8a136213f33d6a903a10ca0eeec76bb06ba55d1ed9680f69:DA.Internal.Template:Archive';

type AnyMethods = Readonly<Record<string, (...args: never[]) => unknown>>;
type TargetMethod = (target: ChoiceTarget, ...args: unknown[]) => unknown;
/** Definitions whose type parameters no longer matter: the compiler checked their bodies where they were written. */
export type AnyTemplate = TemplateDefinition<never, AnyChoices, unknown>;
export type AnyInterface = InterfaceDefinition<never, never, AnyChoices>;

/** The names of additional methods of each implementation. No Daml identifier starts with a colon. */
const VIEW = ':view';
const SIGNATORIES = ':signatories';

export function templateCode(definition: AnyTemplate): TemplateCode {
  const { spec } = definition;
  const { key } = spec;
  return {
    ...(key && {
      key: (payload: DamlRecord) => key.of(payload as never) as DamlValue,
      maintainers: (value: DamlValue) => key.maintainers(value),
    }),
    precondition: (payload) => spec.ensure?.(payload as never) ?? true,
    signatories: (payload) => spec.signatories(payload as never),
    observers: (payload) => spec.observers?.(payload as never) ?? [],
  };
}

export function archiveChoice(signatories: (target: ChoiceTarget) => readonly Party[]): Choice {
  return {
    name: 'Archive',
    consuming: true,
    argumentType: { kind: 'con', id: ARCHIVE_TYPE_ID, args: [] },
    returnType: { kind: 'unit' },
    code: { controllers: signatories, observers: () => [], run: () => UNIT },
  };
}

/** The implicit Archive of an interface: its controllers are the signatories of the template that implements it. */
export const interfaceArchive: Choice = archiveChoice(
  (target) => method(target, SIGNATORIES)(target) as readonly Party[],
);

export function templateChoiceCode(owner: AnyTemplate, choice: ChoiceDefinition): ChoiceCode {
  return choiceCode(
    choice,
    (target) => target.payload,
    (target) => selfOf(owner, target),
  );
}

export function interfaceChoiceCode(owner: AnyInterface, choice: ChoiceDefinition): ChoiceCode {
  const view = (target: ChoiceTarget): unknown => method(target, VIEW)(target);
  return choiceCode(choice, view, (target) => ({
    contractId: target.contractId,
    templateId: target.templateId,
    view: view(target),
    methods: Object.fromEntries(
      owner.methodNames.map((name) => [
        name,
        (...args: unknown[]) => method(target, name)(target, ...args),
      ]),
    ),
  }));
}

export function implementationOf(
  owner: AnyTemplate,
  definition: ImplementationDefinition,
  interfaceId: TypeId,
): InterfaceImplementation {
  const methods: Record<string, TargetMethod> = {
    [VIEW]: (target) => definition.view(target.payload as never),
    [SIGNATORIES]: (target) => owner.spec.signatories(target.payload as never),
  };
  for (const [name, body] of Object.entries(definition.methods))
    methods[name] = (target, ...args) => body(selfOf(owner, target) as never, ...(args as never[]));
  return {
    interfaceId,
    code: {
      view: (payload) => definition.view(payload as never) as DamlRecord,
      methods: methods as unknown as AnyMethods,
    },
  };
}

function choiceCode(
  { spec }: ChoiceDefinition,
  data: (target: ChoiceTarget) => unknown,
  self: (target: ChoiceTarget) => unknown,
): ChoiceCode {
  return {
    controllers: (target, argument) =>
      spec.controllers(data(target) as never, argument as never, self(target) as never),
    observers: (target, argument) =>
      spec.observers?.(data(target) as never, argument as never, self(target) as never) ?? [],
    run: (update, target, argument) =>
      spec.run(new Update(update), self(target) as never, argument as never) as DamlValue,
  };
}

function selfOf(owner: AnyTemplate, target: ChoiceTarget): Self<unknown> {
  return { contractId: target.contractId, payload: target.payload, template: owner };
}

function method(target: ChoiceTarget, name: string): TargetMethod {
  return target.methods[name] as unknown as TargetMethod;
}

/** A type's `con`, for a definition without parameters. */
export function conType(id: TypeId): DamlType {
  return { kind: 'con', id, args: [] };
}
