/** How commands are submitted by a test, and what a test in JavaScript is told of what cannot be submitted. */
import { toldToCaller } from '../daml/errors/own-frames.js';
import type { ContractId, Party } from '../daml/model/values.js';
import type { DisclosedContract } from '../network/submission/submission.js';

/** The user that tests submit as where they name none. */
export const USER = 'participant_admin';

/** How a command is submitted. */
export interface SubmitOptions {
  /** Who acts: a party, or several that act together. */
  readonly actAs: Party | readonly Party[];
  /** Further parties whose contracts it may use. */
  readonly readAs?: Party | readonly Party[];
  /** Alias or id; where absent, the one that needs the fewest reassignments, and among equals the first by id. */
  readonly synchronizer?: string;
  /** Contracts that the parties cannot see, handed in. */
  readonly disclosedContracts?: readonly DisclosedContract[];
  /** Any new one by default. */
  readonly commandId?: string;
  /** `participant_admin` by default. */
  readonly userId?: string;
  /** None by default. */
  readonly workflowId?: string;
}

const NOBODY: readonly Party[] = [];

/** @throws TypeError for what only a test in JavaScript can hand in: its message shows the form */
export function partiesOf(given: Party | readonly Party[] = NOBODY): readonly Party[] {
  const parties = typeof given === 'string' ? [given] : given;
  for (const party of parties)
    if (typeof party !== 'string')
      throw toldToCaller(
        new TypeError(`Failed to submit: ${JSON.stringify(party)} is no party id.`),
      );
  return parties;
}

/** @throws TypeError for what only a test in JavaScript can hand in, such as the id that a step did not return */
export function requireContractId(given: ContractId): void {
  if (typeof given !== 'string')
    throw toldToCaller(
      new TypeError(`Failed to submit: ${JSON.stringify(given)} is no contract id.`),
    );
}

export function actorsOf(options: SubmitOptions | undefined): readonly Party[] {
  if (options?.actAs === undefined)
    throw toldToCaller(
      new TypeError(
        'Failed to submit: it is not said who acts. The last argument does: { actAs: alice }.',
      ),
    );
  return partiesOf(options.actAs);
}
