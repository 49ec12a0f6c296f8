/** The synchronizer that the disclosed contracts of a submission name. */
import { ledgerError } from '../../daml/errors/ledger-error.js';
import { scalaSet } from '../../daml/errors/scala-text.js';
import type { Interpretation } from '../../daml/model/transaction.js';
import { printedContractId, type SynchronizerId } from '../model/ids.js';
import type { Submission } from '../submission/submission.js';

/**
 * The synchronizers of all used disclosed contracts must be equal, and equal to that of the submission (B-DSC-011 to
 * B-DSC-013).
 */
export function disclosedSynchronizer(
  submission: Submission,
  transaction: Interpretation,
): SynchronizerId | undefined {
  return submission.disclosedContracts && synchronizerOf(submission, transaction);
}

function synchronizerOf(
  submission: Submission,
  transaction: Interpretation,
): SynchronizerId | undefined {
  const used = submission.disclosedContracts?.filter(
    ({ contract, synchronizerId }) =>
      synchronizerId && transaction.inputs.includes(contract.contractId),
  );
  if (used === undefined || used.length === 0) return undefined;
  const named = [...new Set(used.map(({ synchronizerId }) => synchronizerId!))];
  if (named.length > 1)
    throw ledgerError(
      'DISCLOSED_CONTRACTS_SYNCHRONIZER_ID_MISMATCH',
      'Some disclosed contracts that were used during command interpretation have mismatching synchronizer ids: ' +
        `Map(${used.map((each) => `${printedContractId(each.contract.contractId)} -> ${each.synchronizerId}`).join(', ')})`,
    );
  const [only] = named;
  const { synchronizerId } = submission;
  if (only !== undefined && synchronizerId !== undefined && only !== synchronizerId)
    throw ledgerError(
      'PRESCRIBED_SYNCHRONIZER_ID_MISMATCH',
      `The target synchronizer=${synchronizerId} specified in the command submission mismatches the synchronizer id=${only} of some attached disclosed contracts that have been used in the submission (used-disclosed-contract-ids=${scalaSet(used.map(({ contract }) => printedContractId(contract.contractId)))})`,
    );
  return only;
}
