/**
 * Script libraries in the shape of `daml-script`, encoded for tests: a script is a free monad of questions. The records and
 * variants are those of SDK 3.5, or those of 3.6, most of which have separate packages. The parts of scripts, for tests
 * that write scripts: `script.ask`, `script.then`.
 */
import { e, p, type Code } from './lf-code.js';
import { encodePackage, type EncodedPackage, type Fields, type ModuleSpec } from './lf-encoder.js';
import { t, type LfTypeSpec } from './lf-types.js';

const LOW = 'Daml.Script.Internal.LowLevel';
const QUESTIONS = 'Daml.Script.Internal.Questions';
const [A, B] = [t.var('a'), t.var('b')];
const none = { serializable: false } as const;
const record = (fields: Fields) => ({ record: fields, ...none });
const generic = (fields: Fields) => ({ record: fields, params: ['a'], ...none });
type Types = NonNullable<ModuleSpec['types']>;

/** The name of a type of the library, as some package sees it. @param type `Module:Type` */
type NameOf = (type: string) => string;

/** Records with this number of fields, for the payloads of questions. */
const MOST_ARGUMENTS = 4;
const placesTo = (count: number) => Array.from({ length: count }, (_, place) => `a${place}`);
const ARGUMENTS = Object.fromEntries(
  placesTo(MOST_ARGUMENTS + 1).map((_, count) => {
    const params = placesTo(count);
    const fields = Object.fromEntries(params.map((name) => [name, t.var(name)]));
    return [`Arguments${count}`, { record: fields, params, ...none }] as const;
  }),
);

/** The types and values of the library, with the names that one of its packages has for its types. */
function shapesWith(name: NameOf) {
  const low = (type: string, ...args: LfTypeSpec[]) => t.con(name(`${LOW}:${type}`), ...args);
  const q = (type: string) => t.con(name(`${QUESTIONS}.${type}`));
  const VALUE = low('LedgerValue');
  const REP = low('TemplateTypeRep');
  const free = (type: LfTypeSpec) => low('Free', type);
  const pairOf = (type: LfTypeSpec) => low('Pair', type);
  const scriptOf = (type: LfTypeSpec) => low('Script', type);
  const value = (id: string) => e.value(`${LOW}:${id}`);
  const cast = (from: LfTypeSpec, to: LfTypeSpec, code: Code) =>
    e.call(e.at(value('dangerousCast'), from, to), code);
  const param = { name: t.text, version: t.int64, payload: A };
  const QUESTION = low('Question', A);
  const freeOf = (of: LfTypeSpec, unpack: Code) =>
    e.variant(free(of), 'Free', e.record(low('ScriptF', of), { unpack }));
  const question = (fields: Readonly<Record<string, Code>>, of: LfTypeSpec) =>
    freeOf(of, e.record(low('Question', of), fields));

  function questionField(name: string): Code {
    return e.field(QUESTION, name, e.field(low('ScriptF', A), 'unpack', e.var('f')));
  }

  function started(type: LfTypeSpec, code: Code): Code {
    return e.call(e.field(scriptOf(type), 'runScript', code), e.unit);
  }

  /** A location in the form of `DA.Stack`, counted from 0. */
  function located(definition: string, line: number, column: number): Code {
    const numbers = ['StartLine', 'StartCol', 'EndLine', 'EndCol'].map(
      (name, index) => [`srcLoc${name}`, e.int(index % 2 === 0 ? line : column)] as const,
    );
    const texts = { srcLocPackage: e.text('main'), srcLocModule: e.text('Main') };
    return e.record(low('Located'), {
      _1: e.text(definition),
      _2: e.record(low('SrcLoc'), {
        ...texts,
        srcLocFile: e.text('Main.daml'),
        ...Object.fromEntries(numbers),
      }),
    });
  }

  /** A variant with record constructors, in the layout of the compiler. */
  function variant(
    typeName: string,
    module: string,
    constructors: Readonly<Record<string, Fields>>,
  ) {
    const held = Object.entries(constructors).map(
      ([constructor_, fields]) =>
        [
          constructor_,
          Object.keys(fields).length === 0 ? t.unit : q(`${module}:${typeName}.${constructor_}`),
        ] as const,
    );
    const records = Object.entries(constructors).flatMap(([constructor_, fields]) =>
      Object.keys(fields).length === 0
        ? []
        : [[`${typeName}.${constructor_}`, record(fields)] as const],
    );
    return {
      [typeName]: { variant: Object.fromEntries(held), ...none },
      ...Object.fromEntries(records),
    };
  }

  const ID = q('Util:AnyContractId');
  const ANY_KEY = q('Commands:AnyContractKey');
  const keyed = t.optional(q('Commands:Keyed'));

  const reps = { srcTemplateId: REP, dstTemplateId: REP };
  const parties = t.list(t.party);

  const errors: Readonly<Record<string, Fields>> = {
    ContractNotFound: {
      unknownContractIds: low('NonEmpty', t.text),
      additionalDebuggingInfo: t.optional(q('Submit.Error:ContractNotFoundAdditionalInfo')),
    },
    UnsupportedContractId: { unknownContractId: t.text },
    ContractKeyNotFound: { contractKey: ANY_KEY },
    UnresolvedPackageName: { packageName: t.text },
    AuthorizationError: { authorizationErrorMessage: t.text },
    ContractHashingError: {
      contractId: ID,
      dstTemplateId: REP,
      createArg: low('AnyTemplate'),
      errorMessage: t.text,
    },
    DisclosedContractKeyHashingError: {
      contractId: ID,
      expectedKey: ANY_KEY,
      givenKeyHash: t.text,
    },
    DuplicateContractKey: { duplicateContractKey: t.optional(ANY_KEY) },
    InconsistentContractKey: { contractKey: ANY_KEY },
    UnhandledException: { exc: t.optional(t.builtin(14)) },
    UserError: { userErrorMessage: t.text },
    TemplatePreconditionViolated: {},
    CreateEmptyContractKeyMaintainers: { invalidTemplate: low('AnyTemplate') },
    FetchEmptyContractKeyMaintainers: { failedTemplateKey: ANY_KEY },
    WronglyTypedContract: { contractId: ID, expectedTemplateId: REP, actualTemplateId: REP },
    ContractDoesNotImplementInterface: { contractId: ID, templateId: REP, interfaceId: REP },
    ContractDoesNotImplementRequiringInterface: {
      contractId: ID,
      templateId: REP,
      requiredInterfaceId: REP,
      requiringInterfaceId: REP,
    },
    NonComparableValues: {},
    ContractIdInContractKey: {},
    ContractIdComparability: { globalExistingContractId: t.text },
    ValueNesting: { limit: t.int64 },
    LocalVerdictLockedContracts: { localVerdictLockedContracts: t.list(ID) },
    LocalVerdictLockedKeys: { localVerdictLockedKeys: t.list(ANY_KEY) },
    UpgradeError: { errorType: q('Submit.Error:UpgradeErrorType'), errorMessage: t.text },
    FailureStatusError: { failureStatus: low('FailureStatus') },
    CryptoError: { cryptoErrorType: q('Submit.Error:CryptoErrorType'), cryptoErrorMessage: t.text },
    ExternalCallError: {
      externalCallErrorType: q('Submit.Error:ExternalCallErrorType'),
      extensionId: t.text,
      functionId: t.text,
      externalCallErrorMessage: t.text,
    },
    EffectfulRollbackError: { effectfulRollbackErrorMsg: t.text },
    DevError: { devErrorType: q('Submit.Error:DevErrorType'), devErrorMessage: t.text },
    UnknownError: { unknownErrorMessage: t.text },
    TruncatedError: { truncatedErrorType: t.text, truncatedErrorMessage: t.text },
  };

  const questions: Readonly<Record<string, Types>> = {
    Util: { AnyContractId: record({ templateId: REP, contractId: t.contractId(t.unit) }) },
    Commands: {
      AnyContractKey: record({ getAnyContractKey: VALUE, getAnyContractKeyTemplateTypeRep: REP }),
      Keyed: record({ _1: ANY_KEY, _2: parties }),
      ...variant('Command', 'Commands', {
        Create: { argC: low('AnyTemplate') },
        Exercise: { tplId: REP, cId: t.contractId(t.unit), argE: low('AnyChoice') },
        ExerciseByKey: { tplId: REP, keyE: ANY_KEY, argE: low('AnyChoice') },
        CreateAndExercise: { tplArgCE: low('AnyTemplate'), choiceArgCE: low('AnyChoice') },
      }),
      CommandWithMeta: record({ command: q('Commands:Command'), explicitPackageId: t.bool }),
      CommandResult: {
        variant: { CreateResult: t.contractId(t.unit), ExerciseResult: VALUE },
        ...none,
      },
      Disclosure: record({ templateId: REP, contractId: t.contractId(t.unit), blob: t.text }),
    },
    Submit: {
      PackageId: record({ unpack: t.text }),
      ErrorBehaviour: { enum: ['MustSucceed', 'MustFail', 'Try'] },
      Submission: record({
        sActAs: low('NonEmpty', t.party),
        sReadAs: parties,
        sDisclosures: t.list(q('Commands:Disclosure')),
        sPackagePreference: t.optional(t.list(q('Submit:PackageId'))),
        sPrefetchKeys: t.list(ANY_KEY),
        sErrorBehaviour: q('Submit:ErrorBehaviour'),
        sCommands: t.list(q('Commands:CommandWithMeta')),
        sLocation: t.optional(low('Located')),
      }),
    },
    'Submit.Error': {
      ...variant('UpgradeErrorType', 'Submit.Error', {
        ValidationFailed: {
          coid: ID,
          ...reps,
          srcPackageName: t.text,
          dstPackageName: t.text,
          originalSignatories: parties,
          originalNonSignatoryStakeholders: parties,
          originalKeyOpt: keyed,
          recomputedSignatories: parties,
          recomputedNonSignatoryStakeholders: parties,
          recomputedKeyOpt: keyed,
        },
        TranslationFailed: { mCoid: t.optional(ID), ...reps, createArg: low('AnyTemplate') },
        AuthenticationFailed: { coid: ID, ...reps, createArg: low('AnyTemplate') },
      }),
      ...variant('CryptoErrorType', 'Submit.Error', {
        MalformedByteEncoding: { value: t.text },
        MalformedKey: { keyValue: t.text },
        MalformedSignature: { signatureValue: t.text },
      }),
      ExternalCallErrorType: { enum: ['PreparationFailed', 'ExecutionFailed', 'InvalidOutput'] },
      DevErrorType: { enum: ['ChoiceGuardFailed', 'UnknownNewFeature'] },
      ...variant('ContractNotFoundAdditionalInfo', 'Submit.Error', {
        NotFound: {},
        NotActive: { additionalInfoCid: ID },
        NotEffective: { additionalInfoCid: ID, effectiveAt: t.text },
        NotVisible: { additionalInfoCid: ID, actAs: parties, readAs: parties, observers: parties },
      }),
      ...variant('SubmitError', 'Submit.Error', errors),
    },
    TransactionTree: {
      TreeEvent: {
        variant: {
          CreatedEvent: q('TransactionTree:Created'),
          ExercisedEvent: q('TransactionTree:Exercised'),
        },
        ...none,
      },
      Created: record({ contractId: ID, argument: low('AnyTemplate') }),
      Exercised: record({
        contractId: ID,
        choice: t.text,
        argument: low('AnyChoice'),
        childEvents: t.list(q('TransactionTree:TreeEvent')),
      }),
    },
    UserManagement: {
      UserId: record({ unpack: t.text }),
      User: record({ userId: q('UserManagement:UserId'), primaryParty: t.optional(t.party) }),
      UserRight: {
        variant: {
          ParticipantAdmin: t.unit,
          CanActAs: t.party,
          CanReadAs: t.party,
          CanReadAsAnyParty: t.unit,
          CanExecuteAs: t.party,
          CanExecuteAsAnyParty: t.unit,
          CanActAsAnyParty: t.unit,
        },
        ...none,
      },
      InvalidUserId: record({ m: t.text }),
      UserAlreadyExists: record({ userId: q('UserManagement:UserId') }),
      UserNotFound: record({ userId: q('UserManagement:UserId') }),
    },
    Packages: { PackageName: record({ name: t.text, version: t.text }) },
  };

  const lowTypes: Types = {
    LedgerValue: { record: {}, ...none },
    TemplateTypeRep: record({ getTemplateTypeRep: t.builtin(15) }),
    AnyTemplate: record({ getAnyTemplate: t.any }),
    AnyChoice: record({ getAnyChoice: t.any, getAnyChoiceTemplateTypeRep: REP }),
    NonEmpty: generic({ hd: A, tl: t.list(A) }),
    SrcLoc: record({
      srcLocPackage: t.text,
      srcLocModule: t.text,
      srcLocFile: t.text,
      srcLocStartLine: t.int64,
      srcLocStartCol: t.int64,
      srcLocEndLine: t.int64,
      srcLocEndCol: t.int64,
    }),
    Located: record({ _1: t.text, _2: low('SrcLoc') }),
    Pair: generic({ _1: A, _2: t.unit }),
    Free: { variant: { Pure: A, Free: low('ScriptF', A) }, params: ['a'], ...none },
    ScriptF: generic({ unpack: QUESTION }),
    Question: generic({
      commandName: t.text,
      commandVersion: t.int64,
      payload: VALUE,
      locations: t.list(low('Located')),
      continue: t.arrow(VALUE, free(A)),
    }),
    Script: generic({ runScript: t.arrow(t.unit, free(pairOf(A))), dummy: t.unit }),
  };

  const lowValues: NonNullable<ModuleSpec['values']> = {
    dangerousCast: {
      type: t.forall('a', t.forall('b', t.arrow(A, B))),
      expression: e.forType(
        'a',
        e.forType(
          'b',
          e.call(e.builtin('ERROR', t.arrow(A, B)), e.text('Non-replaced call to dangerousCast')),
        ),
      ),
    },
    finish: {
      type: t.forall('a', t.arrow(A, scriptOf(A))),
      expression: e.forType(
        'a',
        e.lambda(
          { result: A },
          e.record(scriptOf(A), {
            runScript: e.lambda(
              { _: t.unit },
              e.variant(
                free(pairOf(A)),
                'Pure',
                e.record(pairOf(A), { _1: e.var('result'), _2: e.unit }),
              ),
            ),
            dummy: e.unit,
          }),
        ),
      ),
    },
    bindFree: {
      type: t.forall('a', t.forall('b', t.arrow(free(A), t.arrow(t.arrow(A, free(B)), free(B))))),
      expression: e.forType(
        'a',
        e.forType(
          'b',
          e.lambda(
            { step: free(A), next: t.arrow(A, free(B)) },
            e.match(
              e.var('step'),
              [p.variant(name(`${LOW}:Free`), 'Pure', 'x'), e.call(e.var('next'), e.var('x'))],
              [
                p.variant(name(`${LOW}:Free`), 'Free', 'f'),
                question(
                  Object.fromEntries([
                    ...['commandName', 'commandVersion', 'payload', 'locations'].map(
                      (name) => [name, questionField(name)] as const,
                    ),
                    [
                      'continue',
                      e.lambda(
                        { answer: VALUE },
                        e.call(
                          e.at(value('bindFree'), A, B),
                          e.call(questionField('continue'), e.var('answer')),
                          e.var('next'),
                        ),
                      ),
                    ] as const,
                  ]),
                  B,
                ),
              ],
            ),
          ),
        ),
      ),
    },
    bind: {
      type: t.forall(
        'a',
        t.forall('b', t.arrow(scriptOf(A), t.arrow(t.arrow(A, scriptOf(B)), scriptOf(B)))),
      ),
      expression: e.forType(
        'a',
        e.forType(
          'b',
          e.lambda(
            { first: scriptOf(A), next: t.arrow(A, scriptOf(B)) },
            e.record(scriptOf(B), {
              runScript: e.lambda(
                { _: t.unit },
                e.call(
                  e.at(value('bindFree'), pairOf(A), pairOf(B)),
                  started(A, e.var('first')),
                  e.lambda(
                    { pair: pairOf(A) },
                    started(B, e.call(e.var('next'), e.field(pairOf(A), '_1', e.var('pair')))),
                  ),
                ),
              ),
              dummy: e.unit,
            }),
          ),
        ),
      ),
    },
    lift: {
      type: t.forall(
        'a',
        t.forall('b', t.arrow(t.text, t.arrow(t.int64, t.arrow(A, scriptOf(B))))),
      ),
      expression: e.forType(
        'a',
        e.forType(
          'b',
          e.lambda(
            param,
            e.record(scriptOf(B), {
              runScript: e.lambda(
                { _: t.unit },
                freeOf(
                  pairOf(B),
                  // As in the real library, a question is cast as a whole.
                  cast(
                    low('Question', pairOf(B)),
                    low('Question', pairOf(B)),
                    e.record(low('Question', pairOf(B)), {
                      commandName: e.var('name'),
                      commandVersion: e.var('version'),
                      payload: cast(A, VALUE, e.var('payload')),
                      locations: e.list(low('Located'), [located('main', 6, 2)]),
                      continue: e.lambda(
                        { answer: VALUE },
                        e.variant(
                          free(pairOf(B)),
                          'Pure',
                          e.record(pairOf(B), {
                            _1: cast(VALUE, B, e.var('answer')),
                            _2: e.unit,
                          }),
                        ),
                      ),
                    }),
                  ),
                ),
              ),
              dummy: e.unit,
            }),
          ),
        ),
      ),
    },
  };

  return { lowTypes, lowValues, questions, errors, low, q, VALUE };
}

const FAILURE_STATUS = {
  FailureStatus: record({
    errorId: t.text,
    category: t.int64,
    message: t.text,
    meta: t.textMap(t.text),
  }),
};

const asModules = (types: Readonly<Record<string, Types>>) =>
  Object.fromEntries(
    Object.entries(types).map(([module, each]) => [`${QUESTIONS}.${module}`, { types: each }]),
  );

const standard = shapesWith((type) => type);

/** The errors of a rejected submission for a script, in the library's order. */
export const SUBMIT_ERRORS = standard.errors;

/** @param version the name of the package, and @param name the version, if not the default */
function encodeScriptLibrary(name = 'daml-script', version = '3.5.0'): EncodedPackage {
  const { lowTypes, lowValues, questions } = standard;
  return encodePackage({
    name,
    version,
    modules: {
      [LOW]: { types: { ...lowTypes, ...ARGUMENTS, ...FAILURE_STATUS }, values: lowValues },
      ...asModules(questions),
    },
  });
}

/** A library, the packages of its other types, and the names of all types. */
export interface ScriptLibrary {
  readonly main: EncodedPackage;
  readonly parts: readonly EncodedPackage[];
  readonly nameOf: NameOf;
}

export function standardLibrary(main = encodeScriptLibrary()): ScriptLibrary {
  return { main, parts: [], nameOf: (type) => `${main.id}:${type}` };
}

/** The modules of the questions that have types in separate packages, and the types of each such package. */
const STABLE: Readonly<Record<string, readonly (readonly string[])[]>> = {
  Util: [['AnyContractId']],
  Commands: [
    ['AnyContractKey'],
    ['Command'],
    ['CommandWithMeta'],
    ['CommandResult'],
    ['Disclosure'],
  ],
  Submit: [['PackageId']],
  'Submit.Error': [
    ['TaggedRecord'],
    ['AnyUpgradeErrorType'],
    ['AnyCryptoErrorType'],
    ['AnyExternalCallErrorType'],
    ['AnyDevErrorType'],
    ['AnySubmitError'],
  ],
  TransactionTree: [['Created'], ['TreeEvent', 'Exercised']],
  UserManagement: [
    ['UserId'],
    ['User'],
    ['UserRight'],
    ['InvalidUserId'],
    ['UserAlreadyExists'],
    ['UserNotFound'],
  ],
};

/** The types that SDK 3.6 changed or added. */
function laterTypes({ q, VALUE }: ReturnType<typeof shapesWith>): Readonly<Record<string, Types>> {
  const tagged = record({ unpack: q('Submit.Error:TaggedRecord') });
  return {
    Commands: {
      CommandWithMeta: record({
        command: q('Commands:Command'),
        additionalData: t.genMap(t.text, VALUE),
      }),
    },
    'Submit.Error': {
      TaggedRecord: record({ tgTag: t.text, tgData: t.genMap(t.text, VALUE) }),
      ...Object.fromEntries(
        STABLE['Submit.Error']!.flat()
          .slice(1)
          .map((name) => [name, tagged] as const),
      ),
    },
  };
}

/**
 * The library of SDK 3.6: each type of {@link STABLE} is in a package whose module has the name of the type.
 * @param reordered the library of another SDK: the types that are not stable have their constructors in another order
 */
export function stableLibrary(version = '3.6.1', reordered = false): ScriptLibrary {
  const names = new Map<string, string>();
  const nameOf = (type: string): string => names.get(type) ?? type;
  const parts: EncodedPackage[] = [];
  const add = (module: string, types: (shapes: ReturnType<typeof shapesWith>) => Types) => {
    const base = module.replace(/\.Stable\.\w+$/, '');
    const own = new Set(Object.keys(types(shapesWith(nameOf))).map((name) => `${base}:${name}`));
    // The types of the package name each other by its own module.
    const inside = (type: string): string =>
      own.has(type) ? type.replace(base, module) : nameOf(type);
    const made = encodePackage({
      name: `daml-script-stable-${module.replaceAll('.', '-')}`,
      version: '1.0.0',
      modules: { [module]: { types: types(shapesWith(inside)) } },
    });
    parts.push(made);
    for (const type of own) names.set(type, `${made.id}:${type.replace(base, module)}`);
  };
  add(`${LOW}.Stable.Script`, ({ lowTypes }) => ({ ...lowTypes, ...FAILURE_STATUS }));
  for (const [module, groups] of Object.entries(STABLE))
    for (const group of groups)
      add(`${QUESTIONS}.${module}.Stable.${group[0]!}`, (shapes) => {
        const all = { ...shapes.questions[module], ...laterTypes(shapes)[module] };
        const isWanted = (name: string) => group.includes(name.split('.')[0]!);
        return Object.fromEntries(Object.entries(all).filter(([name]) => isWanted(name)));
      });
  const { lowValues, questions, q } = shapesWith(nameOf);
  const unstable = ([module, types]: readonly [string, Types]) => {
    const rest = Object.entries(types).filter(([name]) => {
      const [type] = name.split('.') as [string];
      const isReplaced = module === 'Submit.Error' && type !== 'ContractNotFoundAdditionalInfo';
      return !isReplaced && !names.has(`${QUESTIONS}.${module}:${type}`);
    });
    return [module, Object.fromEntries(rest.map(([name, type]) => [name, reorder(type)]))] as const;
  };
  const reorder = (type: Types[string]): Types[string] => {
    if (!reordered) return type;
    if ('enum' in type) return { ...type, enum: [...type.enum].reverse() };
    if (!('variant' in type)) return type;
    return { ...type, variant: Object.fromEntries(Object.entries(type.variant).reverse()) };
  };
  const modules = asModules(Object.fromEntries(Object.entries(questions).map(unstable)));
  // A library depends on all stable packages.
  const everything = Object.entries(STABLE).flatMap(([module, groups]) =>
    groups.flat().map((name, index) => [`${module}${index}`, q(`${module}:${name}`)] as const),
  );
  const Uses = record(
    Object.fromEntries(everything.map(([name, type]) => [name.replace('.', ''), type])),
  );
  const main = encodePackage({
    name: 'daml-script',
    version,
    modules: { [LOW]: { types: { ...ARGUMENTS, Uses }, values: lowValues }, ...modules },
  });
  return { main, parts, nameOf: (type) => names.get(type) ?? `${main.id}:${type}` };
}

/** The functions for scripts of a package that depends on the library. */
export function scriptsWith({ main, nameOf: name }: ScriptLibrary) {
  const lowType = (id: string, ...args: LfTypeSpec[]) => t.con(name(`${LOW}:${id}`), ...args);
  const questionType = (id: string) => t.con(name(`${QUESTIONS}.${id}`));
  const code = (id: string) => e.value(`${main.id}:${LOW}:${id}`);
  return {
    low: lowType,
    question: questionType,
    /** `Script a` */
    of: (type: LfTypeSpec) => lowType('Script', type),
    finish: (type: LfTypeSpec, result: Code) => e.call(e.at(code('finish'), type), result),
    /** A question with these fields in its payload, answered with a value of the type. */
    ask: (
      command: string,
      version: number,
      fields: readonly (readonly [LfTypeSpec, Code])[],
      answer: LfTypeSpec,
    ) => {
      const types = fields.map(([type]) => type);
      const payloadType = lowType(`Arguments${fields.length}`, ...types);
      const members = fields.map(([, given], place) => [`a${place}`, given] as const);
      const payload = e.record(payloadType, Object.fromEntries(members));
      const lift = e.at(code('lift'), payloadType, answer);
      return e.call(lift, e.text(command), e.int(version), payload);
    },
    /** Two scripts in sequence; the second has the first's result under the name. */
    then: (
      first: Code,
      [binder, type]: readonly [string, LfTypeSpec],
      second: Code,
      result: LfTypeSpec,
    ) => e.call(e.at(code('bind'), type, result), first, e.lambda({ [binder]: type }, second)),
    cast: (from: LfTypeSpec, to: LfTypeSpec, value_: Code) =>
      e.call(e.at(code('dangerousCast'), from, to), value_),
    rep: (type: LfTypeSpec) =>
      e.record(lowType('TemplateTypeRep'), { getTemplateTypeRep: e.typeRep(type) }),
    anyTemplate: (type: LfTypeSpec, payload: Code) =>
      e.record(lowType('AnyTemplate'), { getAnyTemplate: e.toAny(type, payload) }),
    anyChoice: (template: LfTypeSpec, type: LfTypeSpec, argument: Code) =>
      e.record(lowType('AnyChoice'), {
        getAnyChoice: e.toAny(type, argument),
        getAnyChoiceTemplateTypeRep: e.record(lowType('TemplateTypeRep'), {
          getTemplateTypeRep: e.typeRep(template),
        }),
      }),
  };
}
