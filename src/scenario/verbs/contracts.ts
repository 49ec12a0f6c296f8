/** Verbs on contracts: create, exercise, archive, unassign and assign. */
import type { ContractId } from '../../daml/model/values.js';
import { contractNotFound } from '../../daml/refusals/refusals.js';
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { DisclosedContract } from '../../network/submission/submission.js';
import {
  contract,
  described,
  integer,
  list,
  optional,
  participant,
  party,
  payload,
  synchronizer,
  template,
  text,
  value,
} from '../fields.js';
import { verb, type Field } from '../row.js';
import type { World } from '../world.js';

const by = described(list(party), 'Parties that act.');
const on = optional(participant);

/** Fields of every submission. */
const submission = {
  readAs: optional(described(list(party), 'Parties that only read.')),
  synchronizer: optional(synchronizer),
  disclosed: optional(described(list(contract), 'Contracts to disclose to the submitter.')),
  commandId: optional(text),
  on,
};

export const create = verb({
  summary: 'Creates a contract.',
  // The builder has separate methods with types.
  subject: template as Field<string, string>,
  fields: { with: described(payload, 'The create arguments.'), by, ...submission },
  result: 'the contract',
  run: (world, templateId, { with: argument, by: actAs, disclosed, on: where, ...rest }) =>
    world.hostOf(actAs[0], where).create(templateId, argument, {
      ...rest,
      actAs,
      disclosedContracts: disclosures(world, disclosed),
    }),
});

export const exercise = verb({
  summary: 'Exercises a choice on a contract.',
  subject: contract,
  fields: {
    choice: text,
    with: optional(described(value, 'The argument of the choice.')),
    by,
    through: optional(described(template, 'The interface of the choice.')),
    ...submission,
  },
  result: 'the result of the choice',
  run: (
    world,
    contractId,
    { choice, with: argument = {}, by: actAs, through, disclosed, on: where, ...rest },
  ) =>
    world
      .hostOf(actAs[0], where)
      .exercise(through ?? instanceOf(world, contractId).templateId, contractId, choice, argument, {
        ...rest,
        actAs,
        disclosedContracts: disclosures(world, disclosed),
      }),
  named: ({ result }) => result,
});

export const archive = verb({
  summary: 'Archives a contract.',
  subject: contract,
  fields: {
    by: optional(described(by, 'Parties that act. Default: all signatories.')),
    ...submission,
  },
  run: (world, contractId, { by: actAs, disclosed, on: where, ...rest }) => {
    const { templateId, signatories } = instanceOf(world, contractId);
    const acting = actAs ?? signatories;
    world.hostOf(acting[0], where).archive(templateId, contractId, {
      ...rest,
      actAs: acting,
      disclosedContracts: disclosures(world, disclosed),
    });
  },
});

const move = {
  by: optional(described(party, 'The submitting stakeholder. Default: any hosted stakeholder.')),
  counter: optional(described(integer, 'Reject a reassignment with another counter.')),
  commandId: optional(text),
  on,
};

export const unassign = verb({
  summary: 'Unassigns a contract from its synchronizer. It is in flight until you assign it.',
  subject: contract,
  fields: { to: described(synchronizer, 'The target.'), ...move },
  result: 'the reassignment id',
  run: (world, contractId, { to, by: submitter, counter, commandId, on: where }) =>
    world
      .hostOf(submitter ?? instanceOf(world, contractId).signatories[0], where)
      .unassign(contractId, { to, submitter, expectedCounter: counter, commandId }),
});

export const assign = verb({
  summary:
    'Assigns a contract to the target synchronizer. For one minute, or the time that the target sets, only the submitter of the unassignment may do this.',
  subject: described(contract, 'The contract in flight, or the reassignment id.'),
  fields: move,
  run: (world, id, { by: submitter, counter, commandId, on: where }) => {
    const reassignmentId = reassignmentOf(world, id);
    const moved =
      world.network.contracts.reassignment(reassignmentId)?.unassigned.events[0]!.contract;
    world
      .hostOf(submitter ?? moved?.signatories[0], where)
      .assign(reassignmentId, { submitter, expectedCounter: counter, commandId });
  },
});

/** A contract that is not in flight is not a reassignment. The ledger rejects it. */
function reassignmentOf({ network }: World, id: string): string {
  const state = network.contracts.state(id);
  return state?.kind === 'inFlight' ? state.reassignmentId : id;
}

function instanceOf({ network }: World, contractId: ContractId): ContractInstance {
  const stored = network.contracts.get(contractId);
  if (stored !== undefined) return stored.instance;
  throw contractNotFound(contractId);
}

function disclosures(
  world: World,
  contractIds: readonly ContractId[] | undefined,
): readonly DisclosedContract[] | undefined {
  return contractIds?.map((id) => {
    const state = world.network.contracts.state(id);
    const synchronizerId = state?.kind === 'active' ? state.synchronizerId : undefined;
    return { contract: instanceOf(world, id), synchronizerId };
  });
}
