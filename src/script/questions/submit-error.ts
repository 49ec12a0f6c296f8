/**
 * Converts the error of a submission to the script library's `SubmitError`. A row for each error code reads the
 * error's details. As in the real runner, a code that the library's release does not have becomes an unknown error.
 * An error with missing details becomes a truncated error.
 */
import type { ErrorCode } from '../../daml/errors/error-catalogue.js';
import type { LedgerError } from '../../daml/errors/ledger-error.js';
import { Any, TypeRep } from '../../daml/lf/runtime/runtime-values.js';
import { typeCon } from '../../daml/archive/lf-type.js';
import { toRuntime } from '../../daml/lf/runtime/convert.js';
import { decodeValueProto } from '../../daml/codec/protobuf/value.js';
import { MAX_NESTING } from '../../daml/errors/limits.js';
import { DamlFailure, template as templateOf } from '../../daml/model/package.js';
import { formatInstant } from '../../daml/model/time.js';
import type { DamlType, TypeId } from '../../daml/model/types.js';
import { Some, type DamlRecord, type Party } from '../../daml/model/values.js';
import type { NotFoundReason, RefusedSubmission } from '../ledger.js';
import { record } from '../library.js';
import type { RunningScript } from '../running-script.js';
import { anyContractId, anyKey, anyTemplate, fromInt, fromList, typeRepOf } from '../values.js';
import { failureStatus } from './exceptions.js';

const ERROR = 'Submit.Error:SubmitError';
const some = (value: unknown): unknown => new Some(value as never);
const none = null;
const texts = (list: readonly string[]): unknown => fromList(list, (each) => each);

/** The library's form of an error: its constructor, and the values in it. */
type ErrorValue = readonly [constructor: string, ...values: readonly unknown[]];

/** Reads an error's resources by type, one after the other. */
class Facts {
  /** The message without the prefix of Canticle's ledger. */
  readonly message: string;
  private readonly taken = new Map<string, number>();

  constructor(
    readonly run: RunningScript,
    readonly refused: RefusedSubmission,
    /** Whether keys are those of the standard library. */
    readonly isLegacy: boolean,
  ) {
    this.message = refused.error.details.cause.replace(/^Interpretation error: Error: /, '');
  }

  get error(): LedgerError {
    return this.refused.error;
  }

  /** The next resource of the type. */
  take(type: string): string {
    const found = this.takeOptional(type);
    if (found === undefined) throw new Missing();
    return found;
  }

  takeOptional(type: string): string | undefined {
    const place = this.taken.get(type) ?? 0;
    this.taken.set(type, place + 1);
    const all = (this.error.details.resources ?? []).filter(([kind]) => kind === type);
    return all[place]?.[1];
  }

  template(): TypeId {
    return this.take('TEMPLATE_ID');
  }

  parties(): unknown {
    const list = this.take('PARTIES');
    return texts(list === '' ? [] : list.split(','));
  }

  /** A key of the template, decoded from its bytes. */
  key(templateId: TypeId, base64 = this.take('CONTRACT_KEY')): unknown {
    const { packages } = this.run;
    const type = templateOf(packages, templateId)?.key?.type;
    if (type === undefined) throw new Missing();
    const value = decodeValueProto(packages, type, Buffer.from(base64, 'base64'));
    return anyKey(packages, { templateId, type, value }, this.isLegacy);
  }

  argument(templateId: TypeId): unknown {
    const { packages } = this.run;
    const type = templateOf(packages, templateId)?.payloadType;
    if (type === undefined) throw new Missing();
    const bytes = Buffer.from(this.take('CONTRACT_ARG'), 'base64');
    return anyTemplate(packages, templateId, decodeValueProto(packages, type, bytes) as DamlRecord);
  }

  /** The key and its maintainers, or None. */
  nullableKey(templateId: TypeId): unknown {
    const key = this.take('NULLABLE_CONTRACT_KEY');
    const maintainers = this.take('NULLABLE_PARTIES');
    if (key === 'NULL') return none;
    return some(record(this.key(templateId, key), texts(maintainers.split(','))));
  }

  contract(templateId: TypeId, id = this.take('CONTRACT_ID')): unknown {
    return anyContractId(templateId, id);
  }

  variant(type: string, name: string, ...values: readonly unknown[]): unknown {
    const { library } = this.run;
    const isKnown = library.hasConstructor(`Submit.Error:${type}`, name);
    return isKnown ? library.variant(`Submit.Error:${type}`, name, ...values) : undefined;
  }
}

/** The error lacks a value that the constructor needs. */
class Missing extends Error {}

function notFound(facts: Facts): ErrorValue {
  const { notFound: reason } = facts.refused;
  const [first, ...rest] = idsOf(facts);
  const info = reason === undefined ? none : some(reasonOf(facts, reason));
  return ['ContractNotFound', record(first, texts(rest)), info];
}

function idsOf(facts: Facts): readonly string[] {
  const listed = facts.takeOptional('CONTRACT_IDS');
  return listed === undefined
    ? [facts.take('CONTRACT_ID')]
    : listed.replace(/^\[|\]$/g, '').split(/,\s*/);
}

function reasonOf(facts: Facts, reason: NotFoundReason): unknown {
  const type = 'ContractNotFoundAdditionalInfo';
  if (reason.kind === 'NotFound') return facts.variant(type, 'NotFound');
  const id = anyContractId(reason.templateId, reason.contractId);
  if (reason.kind === 'NotActive') return facts.variant(type, 'NotActive', id);
  if (reason.kind === 'NotEffective')
    return facts.variant(type, 'NotEffective', id, formatInstant(reason.effectiveAt));
  const sorted = (list: readonly Party[]) => texts([...list].sort());
  const { actAs, readAs, observers } = reason;
  return facts.variant(type, 'NotVisible', id, sorted(actAs), sorted(readAs), sorted(observers));
}

function validationFailed(facts: Facts): ErrorValue {
  const [from, to] = [facts.template(), facts.template()];
  const type = facts.variant(
    'UpgradeErrorType',
    'ValidationFailed',
    facts.contract(from),
    typeRepOf(from),
    typeRepOf(to),
    facts.take('PACKAGE_NAME'),
    facts.take('PACKAGE_NAME'),
    facts.parties(),
    facts.parties(),
    facts.nullableKey(from),
    facts.parties(),
    facts.parties(),
    facts.nullableKey(to),
  );
  return ['UpgradeError', type, facts.message];
}

function translationFailed(facts: Facts): ErrorValue {
  const [from, to] = [facts.template(), facts.template()];
  const id = facts.take('NULLABLE_CONTRACT_ID');
  const contract = id === 'NULL' ? none : some(facts.contract(from, id));
  const parts = [contract, typeRepOf(from), typeRepOf(to), facts.argument(from)];
  const type = facts.variant('UpgradeErrorType', 'TranslationFailed', ...parts);
  return ['UpgradeError', type, facts.message];
}

function authenticationFailed(facts: Facts): ErrorValue {
  const [from, to] = [facts.template(), facts.template()];
  const parts = [facts.contract(from), typeRepOf(from), typeRepOf(to), facts.argument(from)];
  const type = facts.variant('UpgradeErrorType', 'AuthenticationFailed', ...parts);
  return ['UpgradeError', type, facts.message];
}

function keyed(constructor: string): (facts: Facts) => ErrorValue {
  return (facts) => [constructor, facts.key(facts.template())];
}

function crypto(kind: string): (facts: Facts) => ErrorValue {
  return (facts) => {
    const type = facts.variant('CryptoErrorType', kind, facts.take('CRYPTO_VALUE'));
    return ['CryptoError', type, facts.message];
  };
}

function externalCall(stage: string): (facts: Facts) => ErrorValue {
  return (facts) => [
    'ExternalCallError',
    facts.variant('ExternalCallErrorType', stage),
    facts.take('EXTERNAL_CALL_EXTENSION_ID'),
    facts.take('EXTERNAL_CALL_FUNCTION_ID'),
    facts.message,
  ];
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
  return ['FailureStatusError', failureStatus(found)];
}

function unhandled(facts: Facts): ErrorValue {
  const id = facts.takeOptional('EXCEPTION_TYPE');
  const bytes = facts.takeOptional('EXCEPTION_VALUE');
  if (id === undefined || bytes === undefined) return ['UnhandledException', none];
  const { packages } = facts.run;
  const type: DamlType = { kind: 'con', id, args: [] };
  const value = decodeValueProto(packages, type, Buffer.from(bytes, 'base64'));
  const any = new Any(TypeRep.of(typeCon(id)), toRuntime(packages, type, value));
  return ['UnhandledException', some(any)];
}

function devError(facts: Facts): ErrorValue {
  const kind = facts.take('DEV_ERROR_TYPE');
  const type =
    facts.variant('DevErrorType', kind) ?? facts.variant('DevErrorType', 'UnknownNewFeature');
  return ['DevError', type, facts.message];
}

interface Row {
  /** The real runner's class name, which is also the name in a truncated error. */
  readonly name: string;
  readonly toValue: (facts: Facts) => ErrorValue;
}

const row = (name: string, toValue: (facts: Facts) => ErrorValue = () => [name]): Row => ({
  name,
  toValue,
});

const ROWS: Partial<Record<ErrorCode, Row>> = {
  CONTRACT_NOT_FOUND: row('ContractNotFound', notFound),
  CONTRACT_NOT_ACTIVE: row('ContractNotFound', notFound),
  UNSUPPORTED_CONTRACT_ID: row('UnsupportedContractId', (facts) => [
    'UnsupportedContractId',
    facts.take('CONTRACT_ID'),
  ]),
  CONTRACT_KEY_NOT_FOUND: row('ContractKeyNotFound', keyed('ContractKeyNotFound')),
  UNRESOLVED_PACKAGE_NAME: row('UnresolvedPackageName', (facts) => [
    'UnresolvedPackageName',
    facts.take('PACKAGE_NAME'),
  ]),
  DAML_AUTHORIZATION_ERROR: row('AuthorizationError', ({ message }) => [
    'AuthorizationError',
    message,
  ]),
  DAML_EFFECTFUL_ROLLBACK_ERROR: row('EffectfulRollback', ({ message }) => [
    'EffectfulRollbackError',
    message,
  ]),
  CONTRACT_HASHING_ERROR: row('ContractHashingError', (facts) => {
    const to = facts.template();
    const parts = [facts.contract(to), typeRepOf(to), facts.argument(to), facts.message];
    return ['ContractHashingError', ...parts];
  }),
  DISCLOSED_CONTRACT_KEY_HASHING_ERROR: row('DisclosedContractKeyHashingError', (facts) => {
    const of = facts.template();
    const parts = [facts.contract(of), facts.key(of), facts.take('CONTRACT_KEY_HASH')];
    return ['DisclosedContractKeyHashingError', ...parts];
  }),
  DUPLICATE_CONTRACT_KEY: row('DuplicateContractKey', (facts) => {
    const of = facts.takeOptional('TEMPLATE_ID');
    return ['DuplicateContractKey', of === undefined ? none : some(facts.key(of))];
  }),
  INCONSISTENT_CONTRACT_KEY: row('InconsistentContractKey', keyed('InconsistentContractKey')),
  LOCAL_VERDICT_LOCKED_CONTRACTS: row('LocalVerdictLockedContracts', () => [
    'LocalVerdictLockedContracts',
    texts([]),
  ]),
  UNHANDLED_EXCEPTION: row('UnhandledException', unhandled),
  INTERPRETATION_USER_ERROR: row('UserError', (facts) => [
    'UserError',
    facts.take('EXCEPTION_TEXT'),
  ]),
  TEMPLATE_PRECONDITION_VIOLATED: row('TemplatePreconditionViolated'),
  CREATE_EMPTY_CONTRACT_KEY_MAINTAINERS: row('CreateEmptyContractKeyMaintainers', (facts) => [
    'CreateEmptyContractKeyMaintainers',
    facts.argument(facts.template()),
  ]),
  FETCH_EMPTY_CONTRACT_KEY_MAINTAINERS: row(
    'FetchEmptyContractKeyMaintainers',
    keyed('FetchEmptyContractKeyMaintainers'),
  ),
  WRONGLY_TYPED_CONTRACT: row('WronglyTypedContract', (facts) => {
    const [expected, actual] = [facts.template(), facts.template()];
    const parts = [facts.contract(actual), typeRepOf(expected), typeRepOf(actual)];
    return ['WronglyTypedContract', ...parts];
  }),
  CONTRACT_DOES_NOT_IMPLEMENT_INTERFACE: row('ContractDoesNotImplementInterface', (facts) => {
    const of = facts.template();
    const parts = [facts.contract(of), typeRepOf(of), typeRepOf(facts.take('INTERFACE_ID'))];
    return ['ContractDoesNotImplementInterface', ...parts];
  }),
  // NOTE: the real runner uses the name above with an extra field, which its own library cannot read.
  CONTRACT_DOES_NOT_IMPLEMENT_REQUIRING_INTERFACE: row(
    'ContractDoesNotImplementRequiringInterface',
    (facts) => {
      const of = facts.template();
      const [required, requiring] = [facts.take('INTERFACE_ID'), facts.take('INTERFACE_ID')];
      const parts = [facts.contract(of), typeRepOf(of), typeRepOf(required), typeRepOf(requiring)];
      return ['ContractDoesNotImplementRequiringInterface', ...parts];
    },
  ),
  NON_COMPARABLE_VALUES: row('NonComparableValues'),
  CONTRACT_ID_IN_CONTRACT_KEY: row('ContractIdInContractKey'),
  CONTRACT_ID_COMPARABILITY: row('ContractIdComparability', (facts) => [
    'ContractIdComparability',
    facts.take('CONTRACT_ID'),
  ]),
  VALUE_NESTING: row('ValueNesting', () => ['ValueNesting', fromInt(BigInt(MAX_NESTING))]),
  MALFORMED_TEXT: row('MalformedText', ({ message }) => ['MalformedText', message]),
  INTERPRETATION_UPGRADE_ERROR_VALIDATION_FAILED: row('Upgrade', validationFailed),
  INTERPRETATION_UPGRADE_ERROR_TRANSLATION_FAILED: row('Upgrade', translationFailed),
  INTERPRETATION_UPGRADE_ERROR_AUTHENTICATION_FAILED: row('Upgrade', authenticationFailed),
  DAML_FAILURE: row('FailureStatus', failure),
  INTERPRETATION_CRYPTO_ERROR_MALFORMED_BYTE_ENCODING: row(
    'Crypto',
    crypto('MalformedByteEncoding'),
  ),
  INTERPRETATION_CRYPTO_ERROR_MALFORMED_KEY: row('Crypto', crypto('MalformedKey')),
  INTERPRETATION_CRYPTO_ERROR_MALFORMED_SIGNATURE: row('Crypto', crypto('MalformedSignature')),
  INTERPRETATION_EXTERNAL_CALL_ERROR_PREPARATION_FAILED: row(
    'ExternalCall',
    externalCall('PreparationFailed'),
  ),
  INTERPRETATION_EXTERNAL_CALL_ERROR_EXECUTION_FAILED: row(
    'ExternalCall',
    externalCall('ExecutionFailed'),
  ),
  INTERPRETATION_DEV_ERROR: row('Dev', devError),
};

/** The class name of the real runner's error for the code. */
export const classNameOf = (code: ErrorCode): string => ROWS[code]?.name ?? 'RuntimeException';

/** A value of the library's `SubmitError`. */
export function submitError(
  run: RunningScript,
  refused: RefusedSubmission,
  isLegacy: boolean,
): unknown {
  const { library } = run;
  const facts = new Facts(run, refused, isLegacy);
  const [name, ...values] = errorValue(facts);
  if (library.hasConstructor(ERROR, name) && values.every((value) => value !== undefined))
    return library.variant(ERROR, name, ...values);
  const reason = `Outdated daml-script library failed to represent ${name} error as SubmitError`;
  return library.variant(ERROR, 'UnknownError', reason);
}

function errorValue(facts: Facts): ErrorValue {
  const { error, message } = facts;
  const known = ROWS[error.code];
  if (known === undefined) return ['UnknownError', message];
  try {
    return known.toValue(facts);
  } catch (problem) {
    if (problem instanceof Missing) return ['TruncatedError', known.name, message];
    throw problem;
  }
}
