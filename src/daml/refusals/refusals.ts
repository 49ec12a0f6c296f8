/**
 * The interpreter's errors: Canton's code, resources and text for each. They are separate from the interpreter, to
 * keep its rules short.
 */
import { CATEGORIES } from '../errors/error-catalogue.js';
import { interpretation, ledgerError, type LedgerError } from '../errors/ledger-error.js';
import { LEDGER_TIME_TOLERANCE_TEXT } from '../errors/limits.js';
import { DamlFailure, type PackageLookup, type Template } from '../model/package.js';
import { prettyTypeId, prettyValue } from '../codec/pretty.js';
import { formatInstant } from '../model/time.js';
import type { CreateNode, ExerciseNode } from '../model/transaction.js';
import type { TypeId } from '../model/types.js';
import type { ContractId, DamlValue, Party, Timestamp } from '../model/values.js';
import { isError } from '../errors/realms.js';

export function contractNotFound(contractId: ContractId, explanation?: string): LedgerError {
  return ledgerError('CONTRACT_NOT_FOUND', {
    cause: `Contract could not be found with id ${contractId}`,
    resources: [['CONTRACT_ID', contractId]],
    explanation,
  });
}

export function contractNotActive(
  contractId: ContractId,
  templateId: TypeId,
  consumedBy: number,
): LedgerError {
  return ledgerError('CONTRACT_NOT_ACTIVE', {
    cause: interpretation(
      `Update failed due to fetch of an inactive contract ${contractId} (${prettyTypeId(templateId)}).\n` +
        `The contract had been consumed in sub-transaction #NodeId(${consumedBy}):`,
    ),
    resources: [
      ['TEMPLATE_ID', templateId],
      ['CONTRACT_ID', contractId],
    ],
  });
}

export function missingAuthorizers(
  nodeId: number,
  templateId: TypeId,
  required: readonly Party[],
  given: readonly Party[],
): LedgerError {
  const missing = required.filter((party) => !given.includes(party));
  return ledgerError('DAML_AUTHORIZATION_ERROR', {
    cause: interpretation(
      `node NodeId(${nodeId}) (${templateId}) requires authorizers ${required.join(',')}, ` +
        `but only ${given.join(',')} were given`,
    ),
    authorization: { required, given },
    explanation: `Missing: ${missing.join(', ')}. Add the party to actAs, or let it exercise a choice that gives its authority.`,
  });
}

export function missingFetchAuthorizer(
  nodeId: number,
  stakeholders: readonly Party[],
  given: readonly Party[],
): LedgerError {
  return ledgerError('DAML_AUTHORIZATION_ERROR', {
    cause: interpretation(
      `node NodeId(${nodeId}) requires one of the stakeholders TreeSet(${stakeholders.join(', ')}) of the fetched ` +
        `contract to be an authorizer, but authorizers were TreeSet(${given.join(', ')})`,
    ),
    authorization: { required: stakeholders, given },
  });
}

/**
 * Daml-LF refuses contracts without signatories, and exercises without controllers, or without authorizers if the
 * choice defines them.
 */
export function nobodyResponsible(
  nodeId: number,
  templateId: TypeId,
  lacks: 'signatories' | 'controllers' | 'authorizers',
): LedgerError {
  return ledgerError('DAML_AUTHORIZATION_ERROR', {
    cause: interpretation(`node NodeId(${nodeId}) (${templateId}) has no ${lacks}`),
  });
}

export function preconditionViolated(
  packages: PackageLookup,
  template: Template,
  payload: DamlValue,
): LedgerError {
  return ledgerError('TEMPLATE_PRECONDITION_VIOLATED', {
    cause: interpretation(
      `Update failed due to precondition violation when creating ${prettyTypeId(template.id)} ` +
        `with ${prettyValue(packages, template.payloadType, payload)}`,
    ),
  });
}

/** A handler caught an exception after a change of the ledger (protocol version 35). */
export function effectfulRollback(effects: readonly (CreateNode | ExerciseNode)[]): LedgerError {
  const texts = effects.map((node) => {
    const { templateId, contractId } = node.contract;
    const what =
      node.kind === 'create'
        ? 'Create of'
        : `Consuming exercise${node.byKey ? ' by key' : ''} of ${node.choice} on`;
    return `${what} ${prettyTypeId(templateId)} ( ${contractId} )`;
  });
  return ledgerError('DAML_EFFECTFUL_ROLLBACK_ERROR', {
    cause: interpretation(`Tried to rollback side-effectful node(s): ${texts.join(', \n')}`),
    explanation: 'Let the exception pass, or create and consume before the try block or after it.',
  });
}

export function wronglyTyped(
  contractId: ContractId,
  expected: TypeId,
  actual: TypeId,
): LedgerError {
  return ledgerError('WRONGLY_TYPED_CONTRACT', {
    cause: interpretation(
      `Update failed due to wrongly typed contract id ${contractId}\n` +
        `Expected contract of type ${prettyTypeId(expected)} but got ${prettyTypeId(actual)}`,
    ),
    resources: [
      ['CONTRACT_ID', contractId],
      ['TEMPLATE_ID', expected],
      ['TEMPLATE_ID', actual],
    ],
  });
}

export function interfaceNotImplemented(
  contractId: ContractId,
  templateId: TypeId,
  interfaceId: TypeId,
  implemented: Iterable<TypeId> = [],
): LedgerError {
  const others = Array.from(implemented, prettyTypeId).join(', ') || 'no interface';
  return ledgerError('CONTRACT_DOES_NOT_IMPLEMENT_INTERFACE', {
    cause: interpretation(
      `Update failed due to contract ${contractId} not implementing an interface\n` +
        `Expected contract to implement interface ${prettyTypeId(interfaceId)} ` +
        `but contract has type ${prettyTypeId(templateId)}`,
    ),
    resources: [
      ['CONTRACT_ID', contractId],
      ['TEMPLATE_ID', templateId],
      ['INTERFACE_ID', interfaceId],
    ],
    explanation: `${prettyTypeId(templateId)} implements ${others}.`,
  });
}

export function unresolvedPackageName(name: string): LedgerError {
  return ledgerError('UNRESOLVED_PACKAGE_NAME', {
    cause: interpretation(`Update failed due to a failed package name resolution: ${name}`),
    resources: [['PACKAGE_NAME', name]],
  });
}

export function unknownDefinition(reference: string): LedgerError {
  return ledgerError('COMMAND_PREPROCESSING_FAILED', `unknown template or interface ${reference}`);
}

export function unknownChoice(
  kind: 'template' | 'interface',
  id: TypeId,
  choice: string,
): LedgerError {
  return ledgerError('COMMAND_PREPROCESSING_FAILED', `unknown choice ${choice} in ${kind} ${id}`);
}

export function noKey(id: TypeId): LedgerError {
  return ledgerError(
    'COMMAND_PREPROCESSING_FAILED',
    `unknown template without contract key ${id}.`,
  );
}

export function tooDeep(limit: number): LedgerError {
  return ledgerError(
    'DAML_INTERPRETATION_ERROR',
    interpretation(`Exercises nest deeper than ${limit}.`),
  );
}

/** Code was stopped because it ran too long; `limit` names Canticle's limit. */
export function timeExceeded(
  ledgerTime: Timestamp,
  exerciseTrace: string,
  limit: string | undefined,
): LedgerError {
  return ledgerError('INTERPRETATION_TIME_EXCEEDED', {
    cause:
      `Time exceeds limit of Ledger Effective Time (${formatInstant(ledgerTime)}) + tolerance ` +
      `(${LEDGER_TIME_TOLERANCE_TEXT}). Interpretation aborted\n${exerciseTrace}.`,
    explanation: limit,
  });
}

export function choiceGuardFailed(
  contractId: ContractId,
  templateId: TypeId,
  choice: string,
  interfaceId: TypeId,
): LedgerError {
  return ledgerError('INTERPRETATION_DEV_ERROR', {
    cause: interpretation(
      `Choice guard failed for ${prettyTypeId(templateId)} contract ${contractId} when exercising choice ${choice} ` +
        `by interface ${prettyTypeId(interfaceId)}`,
    ),
    resources: [['DEV_ERROR_TYPE', 'ChoiceGuardFailed']],
  });
}

/** The error for a failure in Daml code, or for an uncaught exception in TypeScript code. */
export function damlFailure(error: unknown, exerciseTrace: string): LedgerError {
  const failure =
    error instanceof DamlFailure
      ? error
      : new DamlFailure(isError(error) ? error.message : String(error));
  const { category } = failure;
  const cause = interpretation(
    `User failure: ${failure.errorId} (error category ${category}): ${failure.message}`,
  );
  if (CATEGORIES[category] === undefined) return noSuchCategory(category, cause);
  return ledgerError('DAML_FAILURE', {
    cause,
    category,
    context: {
      ...failure.meta,
      error_id: failure.errorId,
      ...(exerciseTrace && { exercise_trace: exerciseTrace }),
    },
  });
}

function noSuchCategory(category: number, cause: string): LedgerError {
  return ledgerError(
    'LEDGER_API_INTERNAL_ERROR',
    `Error category ordinal ${category} is not a valid error category. This is likely a programming bug. ` +
      `Please report this error. Original raised error cause: ${cause}`,
  );
}

/**
 * A failure without an engine error, mostly in code that a participant's type check would have refused. A
 * participant hides the reason from its clients. NOTE: the texts of most reasons are from Canticle.
 */
export function crash(reason: string): LedgerError {
  return ledgerError('LEDGER_API_INTERNAL_ERROR', {
    cause: `Daml-Engine interpretation failed with internal error: ${reason}`,
    explanation: reason,
  });
}
