/** A submission of a script to a participant. */
import { readBlobBytes } from '../../daml/contract/created-event-blob.js';
import { ProtobufError } from '../../daml/codec/protobuf/reading.js';
import { LedgerError, ledgerError } from '../../daml/errors/ledger-error.js';
import type { PackageLookup } from '../../daml/model/package.js';
import { fromHex } from '../../daml/model/hash.js';
import { submit } from '../../network/commands/submit.js';
import { acceptedNow } from '../../network/ledger/in-flight.js';
import type { Participant } from '../../network/participant.js';
import type { DisclosedContract } from '../../network/submission/submission.js';
import { resolved } from '../commands.js';
import { eventsOf } from '../events.js';
import type { Outcome, ScriptDisclosure, ScriptSubmission } from '../ledger.js';
import type { ScriptPackages } from '../packages.js';

/** The user id of the real runner. */
const USER = 'daml-script';

export function submitTo(
  participant: Participant,
  known: ScriptPackages,
  submission: ScriptSubmission,
): Outcome {
  const { actAs, readAs, commands, packagePreference } = submission;
  const { ledger } = participant;
  try {
    const packages = participant.packagesFor(packagePreference);
    // The participant may have packages that the script does not know.
    const types = either(known, packages);
    const { update } = acceptedNow(ledger, () =>
      submit(participant, {
        actAs,
        readAs,
        commands: commands.map((each) => resolved(types, packages, each)),
        namedCommands: commands.map(({ isExact }) => !isExact),
        packageIdSelectionPreference: packagePreference,
        disclosedContracts: submission.disclosures.map((each) => disclosed(participant, each)),
        commandId: ledger.nextNumber,
        userId: USER,
        externallySigned: includesExternal(participant, actAs),
      }),
    );
    return { events: eventsOf(known, types, update.transaction, commands) };
  } catch (error) {
    if (error instanceof LedgerError) return { refused: { error } };
    throw error;
  }
}

const either = (one: PackageLookup, other: PackageLookup): PackageLookup => ({
  package: (id) => one.package(id) ?? other.package(id),
  packageIdForName: (name) => one.packageIdForName(name) ?? other.packageIdForName(name),
});

function disclosed({ packages }: Participant, { blob }: ScriptDisclosure): DisclosedContract {
  try {
    const { contract, error } = readBlobBytes(packages, fromHex(blob));
    return { contract, synchronizerId: undefined, ...(error && { error }) };
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error;
    const cause = `Unable to decode disclosed contract event payload: DecodeError(${error.message})`;
    throw ledgerError('INVALID_ARGUMENT', cause);
  }
}

/** Whether an external party acts. In-process submissions do not need its signature. */
function includesExternal(participant: Participant, parties: readonly string[]): boolean {
  const { externalParties } = participant.ledger;
  return parties.some((party) =>
    participant.connected.some((id) => externalParties.get(party, id) !== undefined),
  );
}
