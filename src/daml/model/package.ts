/**
 * The interface of packages: types, templates, interfaces and choices. Choice bodies are from TypeScript or from a DAR. Code outside of
 * `daml/` does not distinguish them, except when a DAR's package replaces a declared one.
 */
import type { SourceLocation } from '../errors/source-location.js';
import { remembered } from './remembered.js';
import type { Definitions } from './definitions.js';
import {
  packageIdOf,
  qualifiedNameOf,
  substitute,
  type DataBody,
  type DataType,
  type DamlType,
  type Field,
  type PackageId,
  type QualifiedName,
  type TypeId,
} from './types.js';
import type { ContractId, DamlRecord, DamlValue, Party, Timestamp } from './values.js';

export interface DamlPackage {
  readonly id: PackageId;
  readonly name: string;
  readonly version: string;
  /** Daml-LF version of the archive, or `typescript`. */
  readonly languageVersion: string;
  /** Ids of the direct dependencies. */
  readonly dependencies: readonly PackageId[];
  readonly dataTypes: ReadonlyMap<QualifiedName, DataType>;
  readonly templates: ReadonlyMap<QualifiedName, Template>;
  readonly interfaces: ReadonlyMap<QualifiedName, Interface>;
  /** The archive's payload, whose SHA-256 is the id; undefined for a foreign package that is only declared in TypeScript. */
  readonly archive: Uint8Array | undefined;
  /** Names of the modules of an archive, in its order, including empty ones. */
  readonly modules?: readonly string[];
  /** Names of a module's synonyms, data types and values, in the archive's order. */
  definitions?(module: string): readonly QualifiedName[];
  /** Whether the type is an exception. */
  isException?(name: QualifiedName): boolean;
}

export interface Template {
  readonly id: TypeId;
  readonly packageName: string;
  /** The record type of the contract's payload. */
  readonly payloadType: DamlType;
  /** The template's own choices by name, including `Archive`. */
  readonly choices: ReadonlyMap<string, Choice>;
  /** By interface id. */
  readonly implementations: ReadonlyMap<TypeId, InterfaceImplementation>;
  readonly key?: { readonly type: DamlType };
  readonly code: TemplateCode;
}

/** Shared state of an interpretation that all its code gets: compiled code counts its steps there. Code in TypeScript does not use it. */
export interface CodeContext {
  readonly packages: PackageLookup;
}

export interface TemplateCode {
  /** The `ensure` clause. */
  precondition(payload: DamlRecord, context: CodeContext): boolean;
  /** The position of the clause, or that of the template. */
  readonly preconditionAt?: SourceLocation;
  signatories(payload: DamlRecord, context: CodeContext): readonly Party[];
  observers(payload: DamlRecord, context: CodeContext): readonly Party[];
  /** The contract's key, if the template has one. */
  key?(payload: DamlRecord, keyType: DamlType, context: CodeContext): DamlValue;
  /** Whether its results are canonical and need no normalization. */
  readonly canonical?: boolean;
  /** The maintainers of a key. */
  maintainers?(key: DamlValue, keyType: DamlType, context: CodeContext): readonly Party[];
}

export interface MethodSignature {
  readonly args: readonly DamlType[];
  /** The result of the update, if it is one. */
  readonly result: DamlType;
  readonly isUpdate: boolean;
}

export interface Interface {
  readonly id: TypeId;
  readonly packageName: string;
  readonly viewType: DamlType;
  /** Interface choices by name, including `Archive`. */
  readonly choices: ReadonlyMap<string, Choice>;
  /** Interfaces that an implementing template must also implement. */
  readonly requires: readonly TypeId[];
  /** For an interface of a DAR: the types of its methods. */
  readonly methods?: ReadonlyMap<string, MethodSignature>;
}

export interface InterfaceImplementation {
  readonly interfaceId: TypeId;
  readonly code: {
    view(payload: DamlRecord, context: CodeContext): DamlRecord;
    /** Method implementations, whose types only the interface and its templates know. */
    readonly methods: Readonly<Record<string, (...args: never[]) => unknown>>;
  };
}

export interface Choice {
  readonly name: string;
  readonly consuming: boolean;
  readonly argumentType: DamlType;
  readonly returnType: DamlType;
  readonly code: ChoiceCode;
}

/** The contract on which a choice is exercised. For an interface choice, `methods` are those of the template. */
export interface ChoiceTarget {
  readonly contractId: ContractId;
  readonly templateId: TypeId;
  readonly payload: DamlRecord;
  readonly methods: Readonly<Record<string, (...args: never[]) => unknown>>;
  readonly context: CodeContext;
}

export interface ChoiceCode {
  controllers(target: ChoiceTarget, argument: DamlValue): readonly Party[];
  observers(target: ChoiceTarget, argument: DamlValue): readonly Party[];
  run(update: UpdateContext, target: ChoiceTarget, argument: DamlValue): DamlValue;
  /** The authorizers of the body, in place of signatories and controllers; Daml-LF 2.dev. */
  authorizers?(target: ChoiceTarget, argument: DamlValue): readonly Party[] | undefined;
  /** Whether its results are canonical values that need no normalization. */
  readonly canonical?: boolean;
}

export interface FetchedContract {
  readonly contractId: ContractId;
  readonly templateId: TypeId;
  readonly payload: DamlRecord;
}

/**
 * The actions of a choice body: Daml's Update. An id is that of a template or an interface, package-id qualified or
 * `#package-name:Module:Entity`. Each action throws a LedgerError if the ledger refuses it.
 */
export interface UpdateContext {
  /** Ledger effective time of the transaction. */
  getTime(): Timestamp;
  create(templateId: TypeId, payload: DamlRecord): ContractId;
  exercise(id: TypeId, contractId: ContractId, choice: string, argument: DamlValue): DamlValue;
  fetch(id: TypeId, contractId: ContractId): FetchedContract;
  /** Fetches through an interface and computes its view. */
  fetchView(
    interfaceId: TypeId,
    contractId: ContractId,
  ): FetchedContract & { readonly view: DamlRecord };
  archive(id: TypeId, contractId: ContractId): void;
  /** The newest contract with the key that the submitters see. */
  fetchByKey(templateId: TypeId, key: DamlValue): FetchedContract;
  /** Up to `count` contracts with the key, newest first. It needs the authority of the key's maintainers. */
  queryByKey(templateId: TypeId, key: DamlValue, count: number): readonly FetchedContract[];
  /** Exercises on the newest contract with the key. */
  exerciseByKey(templateId: TypeId, key: DamlValue, choice: string, argument: DamlValue): DamlValue;
}

/** A failure that Daml code causes (`failWithStatus`, `abort`, a failed assertion): it becomes DAML_FAILURE. */
export class DamlFailure extends Error {
  override readonly name = 'DamlFailure';
  constructor(
    message: string,
    readonly errorId: string = 'UNHANDLED_EXCEPTION/DA.Exception.GeneralError:GeneralError',
    /** Canton error category; Daml's default is 9, InvalidGivenCurrentSystemStateOther. */
    readonly category: number = 9,
    readonly meta: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** Read access to the packages that a piece of code can see. */
export interface PackageLookup {
  package(id: PackageId): DamlPackage | undefined;
  /** The package for a `#name`: the preferred version, otherwise the highest usable one. */
  packageIdForName(name: string): PackageId | undefined;
  /** Names of all packages, for suggestions. */
  packageNames?(): readonly string[];
  /** For a view that differs only in the resolution of names: the original lookup, which caches compiled types. */
  readonly root?: PackageLookup;
  /** A cache of definitions by id. */
  readonly definitions?: Definitions;
  /** Packages of other participants, whose contracts may be used in a version of this participant. */
  readonly everywhere?: PackageLookup;
}

export function isFromTypeScript({ languageVersion }: DamlPackage): boolean {
  return languageVersion === 'typescript';
}

/** Whether its code is in TypeScript, rather than in its archive. */
export function runsHere(one: DamlPackage | undefined): boolean {
  if (one === undefined || !isFromTypeScript(one)) return false;
  return (one.templates.size > 0 || one.interfaces.size > 0) && one.archive !== undefined;
}

export function dataType(packages: PackageLookup, id: TypeId): DataType | undefined {
  return packages.package(packageIdOf(id))?.dataTypes.get(qualifiedNameOf(id));
}

/** The body of a type that is a name with arguments. */
export function boundBody(
  packages: PackageLookup,
  { id, args }: { readonly id: TypeId; readonly args: readonly DamlType[] },
): DataBody | undefined {
  const definition = dataType(packages, id);
  if (definition === undefined || args.length === 0) return definition?.body;
  const { params, body } = definition;
  const bindings = new Map(params.map((name, index) => [name, args[index]!]));
  const bound = ({ name, type }: Field): Field => ({ name, type: substitute(type, bindings) });
  if (body.kind === 'record') return { kind: 'record', fields: body.fields.map(bound) };
  if (body.kind === 'variant')
    return { kind: 'variant', constructors: body.constructors.map(bound) };
  return body;
}

export function template(packages: PackageLookup, id: TypeId): Template | undefined {
  const { definitions } = packages;
  return definitions === undefined
    ? packages.package(packageIdOf(id))?.templates.get(qualifiedNameOf(id))
    : definitions.templates.find(packages, id);
}

export function interfaceDefinition(packages: PackageLookup, id: TypeId): Interface | undefined {
  const { definitions } = packages;
  return definitions === undefined
    ? packages.package(packageIdOf(id))?.interfaces.get(qualifiedNameOf(id))
    : definitions.interfaces.find(packages, id);
}

/** The choice of a template or an interface. */
export const choiceOf = (packages: PackageLookup, id: TypeId, name: string): Choice | undefined =>
  (template(packages, id) ?? interfaceDefinition(packages, id))?.choices.get(name);

/** The packages for reading a template's contracts: these packages, or those of other participants if the template is unknown. */
export function packagesFor(packages: PackageLookup, templateId: TypeId): PackageLookup {
  const { everywhere } = packages;
  return everywhere === undefined || template(packages, templateId) ? packages : everywhere;
}

/** A `#name` reference and its suffix, with the id for the package of the last resolution. */
interface NamedReference {
  readonly name: string;
  packageId: PackageId;
  id: TypeId;
}

const namedReference = remembered((reference): NamedReference => {
  const colon = reference.indexOf(':');
  return { name: reference.slice(1, colon), packageId: '', id: '' };
});

/**
 * Resolves `#name:Module:Entity` to a package-id qualified id. Other references are returned unchanged. Undefined if the name is unknown.
 */
export function resolveTypeId(packages: PackageLookup, reference: string): TypeId | undefined {
  if (!reference.startsWith('#')) return reference;
  const named = namedReference(reference);
  const packageId = packages.packageIdForName(named.name);
  if (packageId === undefined) return undefined;
  if (named.packageId !== packageId) {
    named.packageId = packageId;
    named.id = packageId + reference.slice(1 + named.name.length);
  }
  return named.id;
}
