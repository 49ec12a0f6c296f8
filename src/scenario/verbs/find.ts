/** The verb that names a contract which another step created. */
import { ledgerError } from '../../daml/errors/ledger-error.js';
import { subsetErrors } from '../expectations/contract.js';
import { described, integer, optional, participant, party, payload, template } from '../fields.js';
import { verb, type Field } from '../row.js';

export const find = verb({
  summary: 'Finds an active contract, for example one that a choice created.',
  subject: template as Field<string, string>,
  fields: {
    with: optional(described(payload, 'Values of fields. Other fields may have any value.')),
    of: optional(described(party, 'Only contracts with this stakeholder.')),
    nth: optional(described(integer, 'Which of several, in the order of creation. Default: 1.')),
    on: optional(participant),
  },
  result: 'the contract',
  run: (world, templateId, { with: values = {}, of, nth = 1, on }) => {
    const found = world
      .hostOf(of, on)
      .activeContracts({ party: of, template: templateId })
      .filter((each) => subsetErrors(world, '', values, each.payload).length === 0);
    const contract = found[nth - 1];
    if (contract !== undefined) return contract.contractId;
    const count = `${found.length} ${found.length === 1 ? 'contract matches' : 'contracts match'}`;
    throw ledgerError('CONTRACT_NOT_FOUND', `There is no such contract: ${count}.`);
  },
});
