/** Converts the data of a live participant to a world, as if it came from a file. */
import { isLegacy, readPayload } from '../../daml/archive/lf-archive.js';
import { readPayloads } from '../../daml/dar/payloads.js';
import { runsHere, type DamlPackage } from '../../daml/model/package.js';
import { parseTimestamp } from '../../daml/model/time.js';
import { stakeholdersOf } from '../../daml/model/transaction.js';
import type { PackageId } from '../../daml/model/types.js';
import type { Timestamp } from '../../daml/model/values.js';
import type { SynchronizerId } from '../../network/model/ids.js';
import type { User } from '../../network/administration/users.js';
import type { UserRight } from '../../network/administration/user-rights.js';
import type { NetworkOptions } from '../../network/network.js';
import {
  plantWorld,
  type PlantedContract,
  type PlantedParty,
  type PlantedUser,
} from '../../network/worlds/plant.js';
import type { PlantedHalf } from '../../network/worlds/plant-halves.js';
import type { ProtocolVersion } from '../../network/model/protocol.js';
import type {
  JsGetActiveContractsResponse,
  PartyDetails,
  Right,
  User as UserMessage,
} from '../../spec/generated/ledger.js';
import { releaseOf } from '../../spec/versions.js';
import { checkedPackages } from '../cache/fact-files.js';
import type { BareWorld } from '../worlds/load-world.js';
import { assignedOf, contractOf, unassignedOf } from './live-contracts.js';
import {
  dsoIn,
  inOrder,
  latestOf,
  lookupOf,
  withStakeholders,
  type WithContract,
} from '../worlds/planted.js';
import type { ForkOptions } from './fork-options.js';
import { readJson, type ForkStore } from './fork-store.js';
import { ForkFailed } from './fork-failed.js';
import { withScanned, type Scanned } from './scanned.js';
import { headName, packageName, pageName, pagesIn, type LiveHead } from './read-live.js';

/** Further options of the new world. */
export interface Opening {
  readonly packages?: readonly DamlPackage[] | undefined;
  readonly dars?: readonly (Uint8Array | string)[] | undefined;
  readonly cache?: string | false | undefined;
  readonly protocolVersion?: ProtocolVersion | undefined;
  readonly seed?: number | undefined;
}

/** Name of the participant that hosts the parties that the live participant does not host. */
const ELSEWHERE = 'elsewhere';

/**
 * @param own packages that are already available
 * @throws ForkFailed for a truncated store, a contract with a wrong id, an unreadable package
 */
export function forkedWorld(
  store: ForkStore,
  { impersonate = true, onProgress }: Pick<ForkOptions, 'impersonate' | 'onProgress'>,
  own: readonly DamlPackage[],
  { dars, cache, protocolVersion, seed = 0 }: Opening,
  scanned?: Scanned,
): BareWorld {
  const head = required(readJson<LiveHead>(store, headName), headName);
  const report = onProgress ?? (() => undefined);
  const live = packagesOf(store, head, own, cache, report);
  const { contracts: seen, halves } = contractsOf(store, live);
  const { packages, contracts } =
    scanned === undefined
      ? { packages: live, contracts: seen }
      : withScanned({ head, packages: live, contracts: seen }, scanned, { dars, cache }, report);
  const all = [...contracts, ...halves];
  const time = timeOf(head, all);
  const name = nameOf(head.participantId);
  const release = releaseOf(head.apiVersion);
  const isAlone = impersonate || !needsOthers(head, all);
  const synchronizers = head.synchronizers.map(({ synchronizerAlias, synchronizerId }) => ({
    alias: synchronizerAlias,
    id: synchronizerId,
  }));
  const participants = [
    { name, id: head.participantId },
    ...(isAlone ? [] : [{ name: name === ELSEWHERE ? `${ELSEWHERE}-2` : ELSEWHERE }]),
  ];
  const network: NetworkOptions = {
    seed,
    start: all.reduce(
      (first, { contract }) => (contract.createdAt < first ? contract.createdAt : first),
      time,
    ),
    protocolVersion: protocolVersion ?? release.protocolVersion,
    languages: release.languages,
    synchronizers,
    participants,
  };
  const dsoParty = dsoOf(head, contracts);
  const others = participants.at(-1)!.name;
  return {
    network,
    releases: { canton: head.apiVersion },
    splice: {
      ...(scanned?.instanceNames && { instanceNames: scanned.instanceNames }),
      initialRound: scanned?.head.initialRound,
      saved: {
        dsoParty,
        registryAdmin: dsoParty,
        startedAt: time,
        validators: participants.map(({ id = '' }, place) => ({
          party: place === 0 ? id : dsoParty,
          user: 'participant_admin',
          walletUser: 'participant_admin',
        })),
      },
    },
    restore: () => (made) =>
      plantWorld(made, {
        offset: head.offset,
        migrationId: scanned?.head.migrationId,
        time,
        packages: [...packages.values()],
        vetted: vettedOf(
          head,
          [...packages.keys()].filter((id) => !live.has(id)),
        ),
        parties: partiesOf(head, all, { name, others }),
        users: head.users.map(userOf),
        identityProviders: head.identityProviders.map((each) => ({
          isDeactivated: false,
          audience: '',
          ...each,
        })),
        contracts,
        halves,
      }),
  };
}

/** @param brought packages that the live participant does not have: they are vetted on each synchronizer with known vettings */
function vettedOf(
  { vetted, participantId: own }: LiveHead,
  brought: readonly PackageId[],
): ReadonlyMap<SynchronizerId, readonly PackageId[]> {
  const ownVetted = vetted.filter(({ participantId }) => participantId.endsWith(own));
  return new Map(
    ownVetted.map(({ synchronizerId, packages }) => [
      synchronizerId,
      [...(packages ?? []).map(({ packageId }) => packageId), ...brought],
    ]),
  );
}

function required<T>(found: T | undefined, what: string): T {
  if (found === undefined)
    throw new ForkFailed(
      `the stored data '${what}' is truncated or missing. Read it again (refresh, --refresh).`,
    );
  return found;
}

/** The first part of the id, with only the characters that names may have here. */
const nameOf = (participantId: string): string =>
  participantId.slice(0, participantId.lastIndexOf('::')).replace(/[^A-Za-z0-9_-]/g, '-');

function packagesOf(
  store: ForkStore,
  head: LiveHead,
  own: readonly DamlPackage[],
  cache: string | false | undefined,
  report: (line: string) => void,
): ReadonlyMap<PackageId, DamlPackage> {
  const known = new Map(own.map((each) => [each.id, each]));
  const payloads: Buffer[] = [];
  for (const id of head.packages) {
    const read = store.read(packageName(id));
    if (read === undefined && known.has(id)) continue;
    const bytes = required(read, packageName(id));
    if (runsHere(known.get(id))) continue;
    if (isLegacy(readPayload(id, bytes))) report(`package ${id} uses Daml-LF 1, and is left out`);
    else payloads.push(bytes);
  }
  const named = new Set([...head.packages, ...(head.declared ?? [])]);
  const found = new Map(own.filter(({ id }) => named.has(id)).map((each) => [each.id, each]));
  for (const each of readPayloads(payloads, checkedPackages(cache), known))
    found.set(each.id, each);
  return found;
}

/** Contracts in the order of their activation, and contracts in flight. */
function contractsOf(
  store: ForkStore,
  packages: ReadonlyMap<PackageId, DamlPackage>,
): { readonly contracts: readonly PlantedContract[]; readonly halves: readonly PlantedHalf[] } {
  const lookup = lookupOf(packages);
  const contracts: PlantedContract[] = [];
  const halves: PlantedHalf[] = [];
  for (let place = 0; place < pagesIn(store); place += 1) {
    const page = readJson<JsGetActiveContractsResponse[]>(store, pageName(place));
    for (const { contractEntry: entry } of required(page, pageName(place))) {
      if (entry === undefined) continue;
      if ('JsActiveContract' in entry) contracts.push(contractOf(lookup, entry.JsActiveContract));
      else if ('JsIncompleteUnassigned' in entry)
        halves.push(unassignedOf(lookup, entry.JsIncompleteUnassigned));
      else if ('JsIncompleteAssigned' in entry)
        halves.push(assignedOf(lookup, entry.JsIncompleteAssigned.assignedEvent));
    }
  }
  return { contracts: inOrder(contracts), halves };
}

function timeOf(head: LiveHead, contracts: readonly WithContract[]): Timestamp {
  const recordTime = head.recordTime === undefined ? undefined : parseTimestamp(head.recordTime);
  return latestOf(contracts, recordTime) ?? BigInt(Date.now()) * 1000n;
}

const isLocal = ({ isLocal: isHere = false }: PartyDetails): boolean => isHere;

function needsOthers(head: LiveHead, contracts: readonly WithContract[]): boolean {
  const local = new Set(head.parties.filter(isLocal).map(({ party }) => party));
  local.add(head.participantId);
  return (
    head.parties.some((each) => !isLocal(each)) ||
    contracts.some(({ contract }) => stakeholdersOf(contract).some((party) => !local.has(party)))
  );
}

/** The listed parties, and all stakeholders of contracts. @param hosts of local parties, and of the others */
function partiesOf(
  head: LiveHead,
  contracts: readonly WithContract[],
  { name, others }: { readonly name: string; readonly others: string },
): readonly PlantedParty[] {
  const all = new Map<string, PlantedParty>();
  for (const each of head.parties) {
    const { party, localMetadata, identityProviderId = '' } = each;
    all.set(party, {
      party,
      host: isLocal(each) ? name : others,
      annotations: localMetadata?.annotations ?? {},
      resourceVersion: localMetadata?.resourceVersion ?? '',
      identityProviderId,
    });
  }
  // If parties cannot be listed, all count as local.
  return withStakeholders([...all.values()], contracts, head.parties.length === 0 ? name : others);
}

function userOf({
  user,
  rights,
}: {
  readonly user: UserMessage;
  readonly rights: readonly Right[];
}): PlantedUser {
  const { id, primaryParty = '', isDeactivated = false, metadata, identityProviderId = '' } = user;
  return {
    user: {
      id,
      primaryParty,
      isDeactivated,
      identityProviderId,
      primaryPartyAuthentication: false,
      metadata: {
        resourceVersion: metadata?.resourceVersion ?? '0',
        annotations: metadata?.annotations ?? {},
      },
    } as User,
    rights: rights.flatMap(rightOf),
  };
}

const RIGHTS: ReadonlySet<string> = new Set<UserRight['kind']>([
  'ParticipantAdmin',
  'IdentityProviderAdmin',
  'CanActAs',
  'CanActAsAnyParty',
  'CanReadAs',
  'CanReadAsAnyParty',
  'CanExecuteAs',
  'CanExecuteAsAnyParty',
]);

/** Ignores rights of unknown kinds. */
function rightOf({ kind }: Right): UserRight[] {
  return Object.entries(kind ?? {}).flatMap(([name, content]) => {
    if (!RIGHTS.has(name)) return [];
    const { party } = (content as { value?: { party?: string } }).value ?? {};
    return [{ kind: name, ...(party !== undefined && { party }) } as UserRight];
  });
}

/** The DSO of the contracts; without such contracts, a party with that name. */
function dsoOf(head: LiveHead, contracts: readonly PlantedContract[]): string {
  const known = dsoIn(contracts);
  if (known !== undefined) return known;
  const { synchronizerId } = head.synchronizers[0]!;
  const listed = head.parties.find(({ party }) => party.startsWith('DSO::'));
  return listed?.party ?? `DSO::${synchronizerId.slice(synchronizerId.lastIndexOf('::') + 2)}`;
}
