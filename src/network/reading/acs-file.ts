/** The active contracts of a participant as an uncompressed file: those of its hosted parties, at its ledger end. */
import type { Party } from '../model/ids.js';
import type { Participant } from '../participant.js';
import { exportedContracts } from './acs-export.js';

/** Sorted. */
export const hostedBy = ({ ledger, id }: Participant): readonly Party[] =>
  ledger.topology.parties().filter((party) => ledger.topology.isHosted(party, id));

/** @param parties stakeholders of the contracts; by default, all hosted parties */
export function exportedAtEnd(
  participant: Participant,
  parties: readonly Party[] = hostedBy(participant),
): Uint8Array {
  const { log, activeContracts, packages } = participant;
  const keys = parties.map((party) => ({ party, templates: undefined }));
  return exportedContracts(packages, activeContracts.at(log.end, [], keys), parties);
}
