/**
 * The messages of a Daml-LF archive as tables: field name → [number, kind]. A kind is a scalar (`int32`, `bool`, `string`, `bytes`,
 * `sint64`) or a message's name. `*` means repeated; `?` distinguishes an absent scalar from zero (members of a oneof). The decoder and the
 * walker use these tables only. Those of expressions are in `lf-schema-code.ts`.
 */
import { CODE } from './lf-schema-code.js';

export type FieldSpec = readonly [number: number, kind: string];
export type MessageSpec = Readonly<Record<string, FieldSpec>>;
export type Schema = Readonly<Record<string, MessageSpec>>;

/** `daml_lf`: the envelope of all language versions. */
export const ENVELOPE = {
  Archive: {
    hashFunction: [1, 'int32'],
    payload: [3, 'bytes'],
    hash: [4, 'string'],
  },
  ArchivePayload: {
    minor: [3, 'string'],
    patch: [5, 'int32'],
    damlLf1: [2, 'bytes?'],
    damlLf2: [4, 'bytes?'],
  },
} as const satisfies Schema;

const REFERENCES = {
  Unit: {},
  SelfOrImportedPackageId: {
    self: [1, 'Unit'],
    importedPackageId: [3, 'int32?'],
    packageImport: [4, 'int32?'],
  },
  ModuleId: { packageId: [1, 'SelfOrImportedPackageId'], moduleName: [2, 'int32'] },
  TypeConId: { module: [1, 'ModuleId'], name: [2, 'int32'] },
  TypeSynId: { module: [1, 'ModuleId'], name: [2, 'int32'] },
  ValueId: { module: [1, 'ModuleId'], name: [2, 'int32'] },
} as const satisfies Schema;

const TYPES = {
  FieldWithType: { type: [2, 'Type'], field: [3, 'int32'] },
  VarWithType: { type: [2, 'Type'], variable: [3, 'int32'] },
  TypeVarWithKind: { kind: [2, 'Kind'], variable: [3, 'int32'] },
  Kind: {
    star: [1, 'Unit'],
    arrow: [2, 'Kind.Arrow'],
    nat: [3, 'Unit'],
    interned: [4, 'int32?'],
  },
  'Kind.Arrow': { params: [1, 'Kind*'], result: [2, 'Kind'] },
  Type: {
    variable: [1, 'Type.Var'],
    con: [2, 'Type.Con'],
    builtin: [3, 'Type.Builtin'],
    forall: [4, 'Type.Forall'],
    struct: [5, 'Type.Struct'],
    nat: [6, 'sint64?'],
    syn: [7, 'Type.Syn'],
    interned: [8, 'int32?'],
    app: [9, 'Type.TApp'],
  },
  'Type.Var': { args: [2, 'Type*'], variable: [3, 'int32'] },
  'Type.Con': { con: [1, 'TypeConId'], args: [2, 'Type*'] },
  'Type.Syn': { syn: [1, 'TypeSynId'], args: [2, 'Type*'] },
  'Type.Builtin': { builtin: [1, 'int32'], args: [2, 'Type*'] },
  'Type.Forall': { vars: [1, 'TypeVarWithKind*'], body: [2, 'Type'] },
  'Type.Struct': { fields: [1, 'FieldWithType*'] },
  'Type.TApp': { left: [1, 'Type'], right: [2, 'Type'] },
} as const satisfies Schema;

const DEFINITIONS = {
  TemplateChoice: {
    location: [1, 'Location'],
    name: [2, 'int32'],
    consuming: [3, 'bool'],
    controllers: [4, 'Expr'],
    observers: [5, 'Expr'],
    argument: [6, 'VarWithType'],
    returnType: [8, 'Type'],
    update: [9, 'Expr'],
    selfBinder: [10, 'int32'],
    authorizers: [1001, 'Expr'],
  },
  InterfaceInstanceBody: {
    methods: [1, 'InterfaceInstanceBody.InterfaceInstanceMethod*'],
    view: [2, 'Expr'],
  },
  'InterfaceInstanceBody.InterfaceInstanceMethod': { name: [1, 'int32'], value: [2, 'Expr'] },
  DefTemplate: {
    name: [1, 'int32'],
    param: [2, 'int32'],
    precondition: [3, 'Expr'],
    signatories: [4, 'Expr'],
    choices: [6, 'TemplateChoice*'],
    observers: [7, 'Expr'],
    location: [8, 'Location'],
    key: [9, 'DefTemplate.DefKey'],
    implements: [10, 'DefTemplate.Implements*'],
  },
  'DefTemplate.DefKey': { type: [1, 'Type'], maintainers: [3, 'Expr'], key: [4, 'Expr'] },
  'DefTemplate.Implements': {
    interface: [1, 'TypeConId'],
    body: [2, 'InterfaceInstanceBody'],
    location: [3, 'Location'],
  },
  InterfaceMethod: { location: [1, 'Location'], name: [2, 'int32'], type: [3, 'Type'] },
  DefInterface: {
    location: [1, 'Location'],
    name: [2, 'int32'],
    methods: [3, 'InterfaceMethod*'],
    param: [4, 'int32'],
    choices: [5, 'TemplateChoice*'],
    view: [6, 'Type'],
    requires: [7, 'TypeConId*'],
  },
  DefException: { name: [1, 'int32'], location: [2, 'Location'], message: [3, 'Expr'] },
  DefDataType: {
    location: [1, 'Location'],
    name: [2, 'int32'],
    params: [3, 'TypeVarWithKind*'],
    serializable: [4, 'bool'],
    record: [5, 'DefDataType.Fields'],
    variant: [6, 'DefDataType.Fields'],
    enum: [7, 'DefDataType.EnumConstructors'],
    interface: [8, 'Unit'],
  },
  'DefDataType.Fields': { fields: [1, 'FieldWithType*'] },
  'DefDataType.EnumConstructors': { constructors: [2, 'int32*'] },
  DefTypeSyn: {
    location: [1, 'Location'],
    name: [2, 'int32'],
    params: [3, 'TypeVarWithKind*'],
    type: [4, 'Type'],
  },
  DefValue: {
    location: [1, 'Location'],
    nameWithType: [2, 'DefValue.NameWithType'],
    expr: [3, 'Expr'],
  },
  'DefValue.NameWithType': { name: [1, 'int32'], type: [2, 'Type'] },
} as const satisfies Schema;

/** `daml_lf_2`: packages of language version 2. */
export const LF2 = {
  Package: {
    modules: [1, 'Module*'],
    strings: [2, 'bytes*'],
    dottedNames: [3, 'InternedDottedName*'],
    metadata: [4, 'PackageMetadata'],
    types: [5, 'Type*'],
    kinds: [6, 'Kind*'],
    expressions: [7, 'Expr*'],
    noImportsReason: [8, 'string?'],
    imports: [9, 'PackageImports'],
  },
  PackageImports: { packages: [1, 'string*'] },
  PackageMetadata: {
    name: [1, 'int32'],
    version: [2, 'int32'],
    upgradedPackageId: [3, 'UpgradedPackageId'],
  },
  UpgradedPackageId: { packageId: [1, 'int32'] },
  InternedDottedName: { segments: [1, 'int32*'] },
  Module: {
    name: [1, 'int32'],
    flags: [2, 'FeatureFlags'],
    synonyms: [3, 'DefTypeSyn*'],
    dataTypes: [4, 'DefDataType*'],
    values: [5, 'DefValue*'],
    templates: [6, 'DefTemplate*'],
    exceptions: [7, 'DefException*'],
    interfaces: [8, 'DefInterface*'],
  },
  FeatureFlags: {
    forbidPartyLiterals: [1, 'bool'],
    dontDivulgeContractIds: [2, 'bool'],
    dontDiscloseNonConsuming: [3, 'bool'],
  },
  ...REFERENCES,
  ...TYPES,
  ...DEFINITIONS,
  ...CODE,
} as const satisfies Schema;
