/** Submission of commands by tests, and the errors that JavaScript tests get for invalid values. */
import { withCallerStack } from '../daml/errors/own-frames.js';
import type { ContractId, Party } from '../daml/model/values.js';
import type { DisclosedContract } from '../network/submission/submission.js';

/** The default user of tests. */
export const USER = 'participant_admin';

/** Options of a submission. */
export interface SubmitOptions {
  /** The acting party, or several parties that act together. */
  readonly actAs: Party | readonly Party[];
  /** Further parties whose contracts it may use. */
  readonly readAs?: Party | readonly Party[];
  /** Alias or id. By default, the one that needs the fewest reassignments; among equals, the first by id. */
  readonly synchronizer?: string;
  /** Disclosed contracts that the parties cannot see. */
  readonly disclosedContracts?: readonly DisclosedContract[];
  /** By default, a new one. */
  readonly commandId?: string;
  /** `participant_admin` by default. */
  readonly userId?: string;
  /** None by default. */
  readonly workflowId?: string;
}

const NOBODY: readonly Party[] = [];

/** @throws TypeError for values that only a JavaScript test can pass; its message shows the expected form */
export function partiesOf(given: Party | readonly Party[] = NOBODY): readonly Party[] {
  const parties = typeof given === 'string' ? [given] : given;
  for (const party of parties)
    if (typeof party !== 'string')
      throw withCallerStack(
        new TypeError(`Failed to submit: ${JSON.stringify(party)} is not a party id.`),
      );
  return parties;
}

/** @throws TypeError for values that only a JavaScript test can pass, such as the id that a step did not return */
export function requireContractId(given: ContractId): void {
  if (typeof given !== 'string')
    throw withCallerStack(
      new TypeError(`Failed to submit: ${JSON.stringify(given)} is not a contract id.`),
    );
}

export function actorsOf(options: SubmitOptions | undefined): readonly Party[] {
  if (options?.actAs === undefined)
    throw withCallerStack(
      new TypeError(
        'Failed to submit: it is not said who acts. The last argument does: { actAs: alice }.',
      ),
    );
  return partiesOf(options.actAs);
}
