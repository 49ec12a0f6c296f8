/**
 * Converts the error of a submission to the script library's `SubmitError`, or to the `AnySubmitError` of SDK 3.6
 * (B-SCR-002). A row for each error code reads the error's details. As in the real runner, a code that an older library
 * does not have becomes an unknown error. An error with missing details becomes a truncated error.
 */
import type { ErrorCode } from '../../daml/errors/error-catalogue.js';
import type { LedgerError } from '../../daml/errors/ledger-error.js';
import { Any, TypeRep } from '../../daml/lf/runtime/runtime-values.js';
import { typeCon } from '../../daml/archive/lf-type.js';
import { toRuntime } from '../../daml/lf/runtime/convert.js';
import { decodeValueProto } from '../../daml/codec/protobuf/value.js';
import { MAX_NESTING } from '../../daml/errors/limits.js';
import { DamlFailure } from '../../daml/model/package.js';
import { formatInstant } from '../../daml/model/time.js';
import type { DamlType } from '../../daml/model/types.js';
import type { Party } from '../../daml/model/values.js';
import type { NotFoundReason, RefusedSubmission } from '../ledger.js';
import { record } from '../library/library.js';
import type { RunningScript } from '../running-script.js';
import { anyContractId, fromInt, typeRepOf } from '../values.js';
import { Facts, Missing, none, some, texts } from './error-facts.js';
import { errorIn, errorValue, type ErrorValue } from './error-value.js';
import { failureStatus } from './exceptions.js';

function notFound(facts: Facts): ErrorValue {
  const { notFound: reason } = facts.refused;
  const [first, ...rest] = idsOf(facts);
  return errorValue('ContractNotFound', {
    unknownContractIds: record(first, texts(rest)),
    additionalDebuggingInfo: reason === undefined ? none : some(reasonOf(facts, reason)),
  });
}

function idsOf(facts: Facts): readonly string[] {
  const listed = facts.takeOptional('CONTRACT_IDS');
  return listed === undefined
    ? [facts.take('CONTRACT_ID')]
    : listed.replace(/^\[|\]$/g, '').split(/,\s*/);
}

/** Each SDK has its own type for it. */
function reasonOf({ run }: Facts, reason: NotFoundReason): unknown {
  const variant = (name: string, ...values: readonly unknown[]) =>
    run.library.variant('Submit.Error:ContractNotFoundAdditionalInfo', name, ...values);
  if (reason.kind === 'NotFound') return variant('NotFound');
  const id = anyContractId(reason.templateId, reason.contractId);
  if (reason.kind === 'NotActive') return variant('NotActive', id);
  if (reason.kind === 'NotEffective')
    return variant('NotEffective', id, formatInstant(reason.effectiveAt));
  const sorted = (list: readonly Party[]) => texts([...list].sort());
  const { actAs, readAs, observers } = reason;
  return variant('NotVisible', id, sorted(actAs), sorted(readAs), sorted(observers));
}

function upgradeError({ message }: Facts, errorType: unknown): ErrorValue {
  return errorValue('UpgradeError', { errorType, errorMessage: message });
}

function validationFailed(facts: Facts): ErrorValue {
  const [from, to] = [facts.template(), facts.template()];
  const part = facts.part('UpgradeErrorType', 'ValidationFailed', {
    coid: facts.contract(from),
    srcTemplateId: typeRepOf(from),
    dstTemplateId: typeRepOf(to),
    srcPackageName: facts.take('PACKAGE_NAME'),
    dstPackageName: facts.take('PACKAGE_NAME'),
    originalSignatories: facts.parties(),
    originalNonSignatoryStakeholders: facts.parties(),
    originalKeyOpt: facts.nullableKey(from),
    recomputedSignatories: facts.parties(),
    recomputedNonSignatoryStakeholders: facts.parties(),
    recomputedKeyOpt: facts.nullableKey(to),
  });
  return upgradeError(facts, part);
}

function translationFailed(facts: Facts): ErrorValue {
  const [from, to] = [facts.template(), facts.template()];
  const id = facts.take('NULLABLE_CONTRACT_ID');
  const part = facts.part('UpgradeErrorType', 'TranslationFailed', {
    mCoid: id === 'NULL' ? none : some(facts.contract(from, id)),
    srcTemplateId: typeRepOf(from),
    dstTemplateId: typeRepOf(to),
    createArg: facts.argument(from),
  });
  return upgradeError(facts, part);
}

function authenticationFailed(facts: Facts): ErrorValue {
  const [from, to] = [facts.template(), facts.template()];
  const part = facts.part('UpgradeErrorType', 'AuthenticationFailed', {
    coid: facts.contract(from),
    srcTemplateId: typeRepOf(from),
    dstTemplateId: typeRepOf(to),
    createArg: facts.argument(from),
  });
  return upgradeError(facts, part);
}

function keyed(name: string, field = 'contractKey'): (facts: Facts) => ErrorValue {
  return (facts) => errorValue(name, { [field]: facts.key(facts.template()) });
}

function crypto(kind: string, field: string): (facts: Facts) => ErrorValue {
  return (facts) =>
    errorValue('CryptoError', {
      cryptoErrorType: facts.part('CryptoErrorType', kind, { [field]: facts.take('CRYPTO_VALUE') }),
      cryptoErrorMessage: facts.message,
    });
}

/** Scripts receive the reason, not the text of the error (B-SCR-004). */
function externalCall(stage: string): (facts: Facts) => ErrorValue {
  return (facts) =>
    errorValue('ExternalCallError', {
      externalCallErrorType: facts.part('ExternalCallErrorType', stage),
      extensionId: facts.take('EXTERNAL_CALL_EXTENSION_ID'),
      functionId: facts.take('EXTERNAL_CALL_FUNCTION_ID'),
      externalCallErrorMessage: facts.take('EXCEPTION_TEXT'),
    });
}

const OF_CANTON: ReadonlySet<string> = new Set([
  'commands',
  'definite_answer',
  'tid',
  'category',
  'participant',
  'error_id',
  'exercise_trace',
]);

/** The failure that Daml code has thrown. */
function failureIn({ details, category }: LedgerError): DamlFailure | undefined {
  const { cause, context = {} } = details;
  const { error_id: errorId } = context;
  const message = /^[^]+?error category \d+\): ([^]*)$/.exec(cause)?.[1];
  if (errorId === undefined || message === undefined) return undefined;
  const meta = Object.entries(context).filter(([key]) => !OF_CANTON.has(key));
  return new DamlFailure(message, errorId, category, Object.fromEntries(meta));
}

function failure(facts: Facts): ErrorValue {
  const found = failureIn(facts.error);
  if (found === undefined) throw new Missing();
  return errorValue('FailureStatusError', { failureStatus: failureStatus(found) });
}

function unhandled(facts: Facts): ErrorValue {
  const id = facts.takeOptional('EXCEPTION_TYPE');
  const bytes = facts.takeOptional('EXCEPTION_VALUE');
  if (id === undefined || bytes === undefined)
    return errorValue('UnhandledException', { exc: none });
  const { packages } = facts.run;
  const type: DamlType = { kind: 'con', id, args: [] };
  const value = decodeValueProto(packages, type, Buffer.from(bytes, 'base64'));
  const any = new Any(TypeRep.of(typeCon(id)), toRuntime(packages, type, value));
  return errorValue('UnhandledException', { exc: some(any) });
}

/** The real runner names no other feature. */
function devError(facts: Facts): ErrorValue {
  const kind = facts.take('DEV_ERROR_TYPE');
  const name = kind === 'ChoiceGuardFailed' ? kind : 'UnknownNewFeature';
  const type = facts.part('DevErrorType', name);
  return errorValue('DevError', { devErrorType: type, devErrorMessage: facts.message });
}

interface Row {
  /** The class name of the engine's error. */
  readonly name: string;
  readonly toValue: (facts: Facts) => ErrorValue;
  /** The class name of the real runner's error, which a truncated error has. */
  readonly truncated: string;
}

const row = (
  name: string,
  toValue: (facts: Facts) => ErrorValue = () => errorValue(name),
  truncated = name,
): Row => ({ name, toValue, truncated });

const cryptoRow = (kind: string, field: string): Row => row('Crypto', crypto(kind, field), kind);
const externalCallRow = (stage: string): Row =>
  row('ExternalCall', externalCall(stage), 'ExternalCallError');

const ROWS: Partial<Record<ErrorCode, Row>> = {
  CONTRACT_NOT_FOUND: row('ContractNotFound', notFound),
  CONTRACT_NOT_ACTIVE: row('ContractNotFound', notFound),
  UNSUPPORTED_CONTRACT_ID: row('UnsupportedContractId', (facts) =>
    errorValue('UnsupportedContractId', { unknownContractId: facts.take('CONTRACT_ID') }),
  ),
  CONTRACT_KEY_NOT_FOUND: row('ContractKeyNotFound', keyed('ContractKeyNotFound')),
  UNRESOLVED_PACKAGE_NAME: row('UnresolvedPackageName', (facts) =>
    errorValue('UnresolvedPackageName', { packageName: facts.take('PACKAGE_NAME') }),
  ),
  DAML_AUTHORIZATION_ERROR: row('AuthorizationError', ({ message }) =>
    errorValue('AuthorizationError', { authorizationErrorMessage: message }),
  ),
  DAML_EFFECTFUL_ROLLBACK_ERROR: row('EffectfulRollback', ({ message }) =>
    errorValue('EffectfulRollbackError', { effectfulRollbackErrorMsg: message }),
  ),
  // NOTE: these names are the real runner's. The library of SDK 3.6 reads others, so that no script can match the error.
  CONTRACT_HASHING_ERROR: row('ContractHashingError', (facts) => {
    const to = facts.template();
    return errorValue('ContractHashingError', {
      coid: facts.contract(to),
      dstTemplateId: typeRepOf(to),
      createArg: facts.argument(to),
      contractHashingErrorMessage: facts.message,
    });
  }),
  DISCLOSED_CONTRACT_KEY_HASHING_ERROR: row('DisclosedContractKeyHashingError', (facts) => {
    const of = facts.template();
    return errorValue('DisclosedContractKeyHashingError', {
      contractId: facts.contract(of),
      expectedKey: facts.key(of),
      givenKeyHash: facts.take('CONTRACT_KEY_HASH'),
    });
  }),
  DUPLICATE_CONTRACT_KEY: row('DuplicateContractKey', (facts) => {
    const of = facts.takeOptional('TEMPLATE_ID');
    const duplicateContractKey = of === undefined ? none : some(facts.key(of));
    return errorValue('DuplicateContractKey', { duplicateContractKey });
  }),
  INCONSISTENT_CONTRACT_KEY: row('InconsistentContractKey', keyed('InconsistentContractKey')),
  LOCAL_VERDICT_LOCKED_CONTRACTS: row('LocalVerdictLockedContracts', () =>
    errorValue('LocalVerdictLockedContracts', { localVerdictLockedContracts: texts([]) }),
  ),
  UNHANDLED_EXCEPTION: row('UnhandledException', unhandled),
  INTERPRETATION_USER_ERROR: row('UserError', (facts) =>
    errorValue('UserError', { userErrorMessage: facts.take('EXCEPTION_TEXT') }),
  ),
  TEMPLATE_PRECONDITION_VIOLATED: row('TemplatePreconditionViolated'),
  CREATE_EMPTY_CONTRACT_KEY_MAINTAINERS: row('CreateEmptyContractKeyMaintainers', (facts) =>
    errorValue('CreateEmptyContractKeyMaintainers', {
      invalidTemplate: facts.argument(facts.template()),
    }),
  ),
  FETCH_EMPTY_CONTRACT_KEY_MAINTAINERS: row(
    'FetchEmptyContractKeyMaintainers',
    keyed('FetchEmptyContractKeyMaintainers', 'failedTemplateKey'),
  ),
  WRONGLY_TYPED_CONTRACT: row('WronglyTypedContract', (facts) => {
    const [expected, actual] = [facts.template(), facts.template()];
    return errorValue('WronglyTypedContract', {
      contractId: facts.contract(actual),
      expectedTemplateId: typeRepOf(expected),
      actualTemplateId: typeRepOf(actual),
    });
  }),
  CONTRACT_DOES_NOT_IMPLEMENT_INTERFACE: row('ContractDoesNotImplementInterface', (facts) => {
    const of = facts.template();
    return errorValue('ContractDoesNotImplementInterface', {
      contractId: facts.contract(of),
      templateId: typeRepOf(of),
      interfaceId: typeRepOf(facts.take('INTERFACE_ID')),
    });
  }),
  // NOTE: the real runner uses the name above with an extra field, which its own library cannot read.
  CONTRACT_DOES_NOT_IMPLEMENT_REQUIRING_INTERFACE: row(
    'ContractDoesNotImplementRequiringInterface',
    (facts) => {
      const of = facts.template();
      return errorValue('ContractDoesNotImplementRequiringInterface', {
        contractId: facts.contract(of),
        templateId: typeRepOf(of),
        requiredInterfaceId: typeRepOf(facts.take('INTERFACE_ID')),
        requiringInterfaceId: typeRepOf(facts.take('INTERFACE_ID')),
      });
    },
  ),
  NON_COMPARABLE_VALUES: row('NonComparableValues'),
  CONTRACT_ID_IN_CONTRACT_KEY: row('ContractIdInContractKey'),
  CONTRACT_ID_COMPARABILITY: row('ContractIdComparability', (facts) =>
    errorValue('ContractIdComparability', { globalExistingContractId: facts.take('CONTRACT_ID') }),
  ),
  VALUE_NESTING: row('ValueNesting', () =>
    errorValue('ValueNesting', { limit: fromInt(BigInt(MAX_NESTING)) }),
  ),
  MALFORMED_TEXT: row('MalformedText', ({ message }) =>
    errorValue('MalformedText', { malformedTextMessage: message }),
  ),
  INTERPRETATION_UPGRADE_ERROR_VALIDATION_FAILED: row(
    'Upgrade',
    validationFailed,
    'ValidationFailed',
  ),
  INTERPRETATION_UPGRADE_ERROR_TRANSLATION_FAILED: row(
    'Upgrade',
    translationFailed,
    'TranslationFailed',
  ),
  INTERPRETATION_UPGRADE_ERROR_AUTHENTICATION_FAILED: row(
    'Upgrade',
    authenticationFailed,
    'AuthenticationFailed',
  ),
  DAML_FAILURE: row('FailureStatus', failure, 'FailureStatusError'),
  INTERPRETATION_CRYPTO_ERROR_MALFORMED_BYTE_ENCODING: cryptoRow('MalformedByteEncoding', 'value'),
  INTERPRETATION_CRYPTO_ERROR_MALFORMED_KEY: cryptoRow('MalformedKey', 'keyValue'),
  INTERPRETATION_CRYPTO_ERROR_MALFORMED_SIGNATURE: cryptoRow(
    'MalformedSignature',
    'signatureValue',
  ),
  INTERPRETATION_EXTERNAL_CALL_ERROR_PREPARATION_FAILED: externalCallRow('PreparationFailed'),
  INTERPRETATION_EXTERNAL_CALL_ERROR_EXECUTION_FAILED: externalCallRow('ExecutionFailed'),
  INTERPRETATION_EXTERNAL_CALL_ERROR_INVALID_OUTPUT: externalCallRow('InvalidOutput'),
  INTERPRETATION_DEV_ERROR: row('Dev', devError, 'DevError'),
};

/** The class name of the engine's error for the code. */
export const classNameOf = (code: ErrorCode): string => ROWS[code]?.name ?? 'RuntimeException';

/** A value of the library's `SubmitError`. */
export function submitError(
  run: RunningScript,
  refused: RefusedSubmission,
  isLegacy: boolean,
): unknown {
  const { library } = run;
  const facts = new Facts(run, refused, isLegacy);
  const { name, fields } = valueOf(facts);
  const more = library.isStable ? { originalMessage: facts.message } : {};
  const found = errorIn(library, 'SubmitError', errorValue(name, { ...fields, ...more }));
  if (found !== undefined) return found;
  const reason = `Outdated daml-script library failed to represent ${name} error as SubmitError`;
  return errorIn(library, 'SubmitError', unknown(reason));
}

const unknown = (message: string) => errorValue('UnknownError', { unknownErrorMessage: message });

function valueOf(facts: Facts): ErrorValue {
  const { error, message } = facts;
  const known = ROWS[error.code];
  if (known === undefined) return unknown(message);
  try {
    return known.toValue(facts);
  } catch (problem) {
    if (!(problem instanceof Missing)) throw problem;
    return errorValue('TruncatedError', {
      truncatedErrorType: known.truncated,
      truncatedErrorMessage: message,
    });
  }
}
