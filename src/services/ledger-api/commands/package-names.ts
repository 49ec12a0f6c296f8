/**
 * Resolves the package of a command's `#name` when its JSON is read. The JSON layer does this before the ledger
 * sees the command, from the first submitter, the prescribed synchronizer and the preferences (B-PSL-003 to
 * B-PSL-005).
 */
import {
  invalidField,
  packageIdError,
  packageReferenceError,
  partyError,
  uniqueIdentifierError,
} from '../../../daml/model/identifiers.js';
import { ledgerError, type LedgerError } from '../../../daml/errors/ledger-error.js';
import { packageHint } from '../../../daml/codec/name-hints.js';
import type { PackageLookup } from '../../../daml/model/package.js';
import type { Party } from '../../../daml/model/values.js';
import { abbreviatedHash, type SynchronizerId } from '../../../network/model/ids.js';
import type { Participant } from '../../../network/participant.js';
import { invalidArgument, missingField } from '../../../network/model/request-errors.js';
import { preferredPackages, unsatisfiedText } from '../../../network/routing/package-preference.js';
import {
  commonSynchronizers,
  prescribedSynchronizer,
  requireCommon,
} from '../../../network/routing/common-synchronizers.js';
import type { Command, JsCommands } from '../../../spec/generated/ledger.js';

export function templateReferenceOf(command: Command): string {
  return (Object.values(command) as { templateId: string }[])[0]!.templateId;
}

/** @throws LedgerError in the order of the JSON layer */
export function packagesForDecoding(participant: Participant, request: JsCommands): PackageLookup {
  const { packages } = participant;
  const { actAs, commands, packageIdSelectionPreference: preference = [] } = request;
  const [party] = actAs;
  if (party === undefined) throw missingField('act_as/actAs');
  const error = partyError(party);
  if (error !== undefined) throw invalidArgument(`Invalid party in actAs/act_as: ${error}`);
  for (const id of preference) {
    const idError = packageIdError(id);
    if (idError !== undefined) throw invalidArgument(`packageIdSelectionPreferences: ${idError}`);
  }
  const names = new Set<string>();
  for (const command of commands) {
    const templateId = templateReferenceOf(command);
    const end = templateId.indexOf(':');
    const reference = end < 0 ? templateId : templateId.slice(0, end);
    const referenceError = packageReferenceError(reference);
    if (referenceError !== undefined)
      throw invalidArgument(
        `Value does not match the package-id or package-name formats: ${referenceError}`,
      );
    if (reference.startsWith('#')) names.add(reference.slice(1));
  }
  const chosen = names.size === 0 ? new Map() : choose(participant, request, party, names);
  return {
    root: packages,
    package: (id) => packages.package(id),
    packageIdForName: (name) => chosen.get(name),
  };
}

function choose(
  participant: Participant,
  { packageIdSelectionPreference = [], synchronizerId }: JsCommands,
  party: Party,
  names: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const { packages } = participant;
  const preferred = new Map<string, string>();
  for (const id of packageIdSelectionPreference) {
    const found = packages.package(id);
    if (found === undefined) throw notSelected(`Package-id ${abbreviatedHash(id)} not known`);
    preferred.set(found.name, id);
  }
  if (synchronizerId) {
    const error = uniqueIdentifierError(synchronizerId);
    if (error !== undefined) throw invalidField('synchronizer_id', error);
  }
  const isUnknown = (name: string) => packages.versionsOf(name).length === 0;
  for (const name of names)
    if (isUnknown(name))
      throw ledgerError('PACKAGE_NAMES_NOT_FOUND', {
        cause: `The following package names do not match upgradable packages uploaded on this participant: [${[...names].filter(isUnknown).join(', ')}].`,
        explanation: packageHint(packages, name),
      });
  const prescribed = prescribedSynchronizer(participant, synchronizerId || undefined);
  const common = commonSynchronizers(participant, [], [party]);
  if (prescribed !== undefined) requireCommon(participant.ledger, prescribed, common);
  const candidates = prescribed === undefined ? common : [prescribed];
  for (const candidate of candidates) {
    const found = selectOn(participant, candidate, party, names, preferred);
    if (found !== undefined) return found;
  }
  throw notSelected(
    whyNone(participant, party, names, {
      synchronizerId: prescribed,
      pinned: { by: 'Commands.packageIdSelectionPreferences', ids: preferred },
    }),
  );
}

/** Read only if no package is found. */
function whyNone(
  participant: Participant,
  party: Party,
  names: ReadonlySet<string>,
  options: Parameters<typeof preferredPackages>[2],
): string {
  const requirements = new Map([...names].map((name) => [name, [party]]));
  const preference = preferredPackages(participant, requirements, options);
  const unsatisfied = 'unsatisfied' in preference ? preference.unsatisfied : [];
  return unsatisfiedText(participant.ledger, unsatisfied);
}

/** The highest version of each name that every host of the party has vetted there; undefined if one name has none. */
function selectOn(
  { packages, ledger }: Participant,
  synchronizerId: SynchronizerId,
  party: Party,
  names: ReadonlySet<string>,
  preferred: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> | undefined {
  const { clock, topology } = ledger;
  const hosts = [...topology.hosts(party, synchronizerId).keys()];
  const isVetted = (id: string): boolean =>
    hosts.every((host) => topology.isVetted(host, synchronizerId, id, clock.now()));
  const selected = new Map<string, string>();
  for (const name of names) {
    const wanted = preferred.get(name);
    const versions = wanted === undefined ? packages.versionsOf(name) : [wanted];
    const id = versions.find(isVetted);
    if (id === undefined) return undefined;
    selected.set(name, id);
  }
  return selected;
}

function notSelected(reason: string): LedgerError {
  return ledgerError('JSON_API_PACKAGE_SELECTION_FAILED', reason);
}
