/**
 * What a package is to the rest of Canticle: types, templates, interfaces and choices. Choice bodies come from
 * TypeScript or from a DAR; nothing above `daml/` minds which, but where a DAR's package takes a declared one's place.
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
  /** Ids of the packages that this one refers to directly. */
  readonly dependencies: readonly PackageId[];
  readonly dataTypes: ReadonlyMap<QualifiedName, DataType>;
  readonly templates: ReadonlyMap<QualifiedName, Template>;
  readonly interfaces: ReadonlyMap<QualifiedName, Interface>;
  /** The archive's payload, whose SHA-256 is the id; undefined of a package of others that is only declared here, in TypeScript. */
  readonly archive: Uint8Array | undefined;
  /** Names of the modules in the archive's order, also of those that hold nothing; of a package that came in one. */
  readonly modules?: readonly string[];
  /** Names of a module's synonyms, data types and values in that order, as the archive has them. */
  definitions?(module: string): readonly QualifiedName[];
  /** Whether the type is an exception. */
  isException?(name: QualifiedName): boolean;
}

export interface Template {
  readonly id: TypeId;
  readonly packageName: string;
  /** The record type of the contract's payload. */
  readonly payloadType: DamlType;
  /** Own choices by name, `Archive` among them. */
  readonly choices: ReadonlyMap<string, Choice>;
  /** By interface id. */
  readonly implementations: ReadonlyMap<TypeId, InterfaceImplementation>;
  readonly key?: { readonly type: DamlType };
  readonly code: TemplateCode;
}

/**
 * What an interpretation hands to all code that it runs, from one piece to the next: compiled code keeps its count of steps there.
 * Code in TypeScript needs nothing of it.
 */
export interface CodeContext {
  readonly packages: PackageLookup;
}

export interface TemplateCode {
  /** The `ensure` clause. */
  precondition(payload: DamlRecord, context: CodeContext): boolean;
  /** Where that stands in the source, or else the template. */
  readonly preconditionAt?: SourceLocation;
  signatories(payload: DamlRecord, context: CodeContext): readonly Party[];
  observers(payload: DamlRecord, context: CodeContext): readonly Party[];
  /** The contract's key; of a template with one. */
  key?(payload: DamlRecord, keyType: DamlType, context: CodeContext): DamlValue;
  /** What it answers is canonical: nobody needs to normalise it. */
  readonly canonical?: boolean;
  /** Who maintains a key that a contract has or may have. */
  maintainers?(key: DamlValue, keyType: DamlType, context: CodeContext): readonly Party[];
}

export interface MethodSignature {
  readonly args: readonly DamlType[];
  /** Of the update, where it is one. */
  readonly result: DamlType;
  readonly isUpdate: boolean;
}

export interface Interface {
  readonly id: TypeId;
  readonly packageName: string;
  readonly viewType: DamlType;
  /** Interface choices by name; `Archive` among them. */
  readonly choices: ReadonlyMap<string, Choice>;
  /** Interfaces that an implementer must implement as well. */
  readonly requires: readonly TypeId[];
  /** Of a DAR: what its methods take and give. */
  readonly methods?: ReadonlyMap<string, MethodSignature>;
}

export interface InterfaceImplementation {
  readonly interfaceId: TypeId;
  readonly code: {
    view(payload: DamlRecord, context: CodeContext): DamlRecord;
    /** Method implementations; what they are is between the interface's choices and its implementers. */
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

/** The contract that a choice is exercised on. `methods` are its template's for the interface of an interface choice. */
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
  /** Whose authority the body has instead of the signatories' and controllers'; Daml-LF 2.dev. */
  authorizers?(target: ChoiceTarget, argument: DamlValue): readonly Party[] | undefined;
  /** Its results are canonical values of their type: nobody needs to normalise them. */
  readonly canonical?: boolean;
}

export interface FetchedContract {
  readonly contractId: ContractId;
  readonly templateId: TypeId;
  readonly payload: DamlRecord;
}

/**
 * What a choice body may do: Daml's Update actions. Ids may be a template's or an interface's, package-id qualified or
 * `#package-name:Module:Entity`. Every action throws a LedgerError where the ledger refuses it.
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
  /** Up to `count` contracts with the key, newest first; needs the authority of the key's maintainers. */
  queryByKey(templateId: TypeId, key: DamlValue, count: number): readonly FetchedContract[];
  /** Exercises on the newest contract with the key. */
  exerciseByKey(templateId: TypeId, key: DamlValue, choice: string, argument: DamlValue): DamlValue;
}

/** A failure that Daml code chose (`failWithStatus`, `abort`, a failed assertion): becomes DAML_FAILURE. */
export class DamlFailure extends Error {
  override readonly name = 'DamlFailure';
  constructor(
    message: string,
    readonly errorId: string = 'UNHANDLED_EXCEPTION/DA.Exception.GeneralError:GeneralError',
    /** Canton error category; Daml's default is 9, invalid given current system state. */
    readonly category: number = 9,
    readonly meta: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** Read access to the packages that a piece of code can see. */
export interface PackageLookup {
  package(id: PackageId): DamlPackage | undefined;
  /** The package that a `#name` stands for here: the preferred, else the highest usable version. */
  packageIdForName(name: string): PackageId | undefined;
  /** Of everything that is known, for suggestions. */
  packageNames?(): readonly string[];
  /** For a view that differs from another lookup only in what names stand for: that lookup. Compiled types are kept there. */
  readonly root?: PackageLookup;
  /** A memory of what was found by id. */
  readonly definitions?: Definitions;
  /** What others know besides: contracts of theirs may be used in a version that is known here. */
  readonly everywhere?: PackageLookup;
}

export function isFromTypeScript({ languageVersion }: DamlPackage): boolean {
  return languageVersion === 'typescript';
}

/** Whether its code is here, in TypeScript, and not in its archive. */
export function runsHere(one: DamlPackage | undefined): boolean {
  if (one === undefined || !isFromTypeScript(one)) return false;
  return (one.templates.size > 0 || one.interfaces.size > 0) && one.archive !== undefined;
}

export function dataType(packages: PackageLookup, id: TypeId): DataType | undefined {
  return packages.package(packageIdOf(id))?.dataTypes.get(qualifiedNameOf(id));
}

/** What a type that is a name and arguments stands for. */
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

/** What contracts of a template are read with: these packages, or what others know where the template is not known here. */
export function packagesFor(packages: PackageLookup, templateId: TypeId): PackageLookup {
  const { everywhere } = packages;
  return everywhere === undefined || template(packages, templateId) ? packages : everywhere;
}

/** `#name` and what follows it, and the id with the package that the name stood for last. */
interface NamedReference {
  readonly name: string;
  packageId: PackageId;
  id: TypeId;
}

const namedReference = remembered((reference): NamedReference => {
  const colon = reference.indexOf(':');
  return { name: reference.slice(1, colon), packageId: '', id: '' };
});

/** Turns `#name:Module:Entity` into a package-id qualified id; leaves others alone. Undefined where the name is unknown. */
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
