/** The active contracts of a participant as a file, before it is compressed: those of the parties that it hosts, at its ledger end. */
import type { Party } from '../ids.js';
import type { Participant } from '../participant.js';
import { exportedContracts } from './acs-export.js';

/** Sorted. */
export const hostedBy = ({ ledger, id }: Participant): readonly Party[] =>
  ledger.topology.parties().filter((party) => ledger.topology.isHosted(party, id));

/** @param parties whose contracts they are; those of all that it hosts by default */
export function exportedAtEnd(
  participant: Participant,
  parties: readonly Party[] = hostedBy(participant),
): Uint8Array {
  const { log, activeContracts, packages } = participant;
  const keys = parties.map((party) => ({ party, templates: undefined }));
  return exportedContracts(packages, activeContracts.at(log.end, [], keys), parties);
}
