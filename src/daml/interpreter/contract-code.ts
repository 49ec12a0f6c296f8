/** What the code of templates and choices says of a contract: who is on it, its key, who may exercise what and who sees it. */
import { keyOfPayload } from '../contract/contract-key.js';
import type { ChoiceCode, ChoiceTarget, CodeContext, Template } from '../model/package.js';
import type { PartySets } from '../model/parties.js';
import type { ContractInstance } from '../model/transaction.js';
import type { ContractId, DamlRecord, DamlValue, Party, Timestamp } from '../model/values.js';
import * as refuse from '../refusals/refusals.js';

/** A contract being built: its id follows from all else. */
export type NewContract = Omit<ContractInstance, 'contractId'> & { contractId: ContractId };

export interface ConcernedParties {
  readonly actingParties: readonly Party[];
  readonly choiceObservers: readonly Party[];
  /** Where the choice itself says who authorizes what it does. */
  readonly authorizers: readonly Party[] | undefined;
}

/** What a template's code makes of a payload; its id is still to come. Runs package code. */
export function newContract(
  context: CodeContext,
  partySets: PartySets,
  template: Template,
  payload: DamlRecord,
  createdAt: Timestamp,
): NewContract {
  const { id: templateId, packageName, code } = template;
  if (!code.precondition(payload, context))
    throw refuse.preconditionViolated(context.packages, template, payload);
  const signatories = partySets.of(code.signatories(payload, context));
  const observers = partySets.difference(
    partySets.of(code.observers(payload, context)),
    signatories,
  );
  const key = keyOfPayload(context, template, payload);
  const contractId = '';
  // Each contract as one literal: objects that are made in pieces take more room, for ever.
  return key === undefined
    ? { contractId, templateId, packageName, payload, signatories, observers, createdAt }
    : { contractId, templateId, packageName, payload, signatories, observers, createdAt, key };
}

/** Who exercises a choice, who sees it, and who authorizes what it does. Runs package code. */
export function concernedParties(
  partySets: PartySets,
  code: ChoiceCode,
  target: ChoiceTarget,
  argument: DamlValue,
): ConcernedParties {
  const actingParties = partySets.of(code.controllers(target, argument));
  const choiceObservers = partySets.of(code.observers(target, argument));
  const chosen = code.authorizers?.(target, argument);
  return { actingParties, choiceObservers, authorizers: chosen && partySets.of(chosen) };
}
