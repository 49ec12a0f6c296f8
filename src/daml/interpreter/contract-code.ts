/**
 * Runs the code of templates and choices for a contract: its signatories, observers and key, and the controllers
 * and observers of choices.
 */
import { keyOfPayload } from '../contract/contract-key.js';
import type { ChoiceCode, ChoiceTarget, CodeContext, Template } from '../model/package.js';
import type { PartySets } from '../model/parties.js';
import type { ContractInstance } from '../model/transaction.js';
import type { ContractId, DamlRecord, DamlValue, Party, Timestamp } from '../model/values.js';
import * as refuse from '../refusals/refusals.js';

/** A contract being built: its id depends on all other members. */
export type NewContract = Omit<ContractInstance, 'contractId'> & { contractId: ContractId };

export interface ConcernedParties {
  readonly actingParties: readonly Party[];
  readonly choiceObservers: readonly Party[];
  /** The authorizers of the body, if the choice defines them. */
  readonly authorizers: readonly Party[] | undefined;
}

/** Builds a contract from a payload with the template's code. The caller adds the id. Runs package code. */
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
  // Each contract is one literal: objects that are built in steps keep spare memory.
  return key === undefined
    ? { contractId, templateId, packageName, payload, signatories, observers, createdAt }
    : { contractId, templateId, packageName, payload, signatories, observers, createdAt, key };
}

/** The controllers, observers and authorizers of a choice. Runs package code. */
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
