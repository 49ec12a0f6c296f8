/** Converts the data of a Scan to contracts and packages. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { blobHead } from '../../daml/contract/fat-contract.js';
import { readBlob } from '../../daml/contract/created-event-blob.js';
import { ProtobufError } from '../../daml/codec/protobuf/reading.js';
import type { DamlPackage } from '../../daml/model/package.js';
import { packageIdOf, type PackageId } from '../../daml/model/types.js';
import { EXPORT_VERSION } from '../../network/reading/acs-export.js';
import type { ExportedActiveContract } from '../../network/reading/acs-import.js';
import type { PlantedContract } from '../../network/worlds/plant.js';
import type { Contract } from '../../spec/generated/scan.js';
import type { InstanceNames } from '../../splice/instance-names.js';
import { AMULET_MODEL } from '../../splice/model/packages.js';
import { darFolder } from '../dar-files.js';
import { exportedFrom } from '../worlds/acs-file.js';
import { contractOf, wantedIn } from '../worlds/contracts-world.js';
import { packagesById, type PackageSources } from '../worlds/packages-by-id.js';
import { inOrder, lookupOf } from '../worlds/planted.js';
import { readJson, type ForkStore } from './fork-store.js';
import { ForkFailed } from './fork-failed.js';
import type { LiveHead } from './read-live.js';
import { scanFileName, scanName, type ScanHead } from './read-scan.js';

/** The data of a Scan, with each contract once. */
export interface Scanned {
  readonly head: ScanHead;
  /** In the order of their creation, from offset 1 on. Contracts of the same time have the same offset. */
  readonly contracts: readonly ExportedActiveContract[];
  readonly instanceNames: Partial<InstanceNames> | undefined;
}

/** @throws ForkFailed for a truncated store or an invalid contract */
export function scannedIn(store: ForkStore): Scanned {
  const head = readJson<ScanHead>(store, scanName);
  if (head === undefined)
    throw new ForkFailed(
      `the stored data '${scanName}' is truncated or missing. Read it again (refresh, --refresh).`,
    );
  const all = new Map<string, ExportedActiveContract>();
  for (const each of head.contracts) all.set(each.contract_id, exportedContract(each, head));
  for (let place = 0; place < head.files; place += 1)
    for (const each of fileOf(store, place))
      if (!all.has(each.contractId)) all.set(each.contractId, each);
  const { names } = head;
  return {
    head,
    contracts: numbered([...all.values()]),
    instanceNames: names && {
      networkName: names.network_name,
      networkFaviconUrl: names.network_favicon_url,
      amuletName: names.amulet_name,
      amuletNameAcronym: names.amulet_name_acronym,
      nameServiceName: names.name_service_name,
      nameServiceNameAcronym: names.name_service_name_acronym,
    },
  };
}

function fileOf(store: ForkStore, place: number): readonly ExportedActiveContract[] {
  const bytes = store.read(scanFileName(place));
  try {
    if (bytes !== undefined) return exportedFrom(bytes);
  } catch (error) {
    throw new ForkFailed(`the contracts of its Scan are invalid: ${(error as Error).message}.`);
  }
  throw new ForkFailed(
    `the stored data '${scanFileName(place)}' is truncated or missing. Read it again (refresh, --refresh).`,
  );
}

function exportedContract(
  { contract_id: contractId, created_event_blob: blob, template_id: templateId }: Contract,
  { synchronizerId }: ScanHead,
): ExportedActiveContract {
  let head: ReturnType<typeof blobHead>;
  try {
    head = blobHead(Buffer.from(blob, 'base64'));
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error;
    throw new ForkFailed(
      `the blob of contract ${contractId} (${templateId}) cannot be read: ${error.message}.`,
    );
  }
  const packageId = packageIdOf(head.templateId);
  return {
    version: EXPORT_VERSION,
    contractId,
    synchronizerId,
    reassignmentCounter: 0,
    offset: 0,
    nodeId: 0,
    createdAt: head.createdAt,
    creationPackage: { id: packageId, name: head.packageName },
    packageId,
    read: (packages) => readBlob(packages, blob),
  };
}

/** The used data of a participant. */
interface Seen {
  readonly head: LiveHead;
  readonly packages: ReadonlyMap<PackageId, DamlPackage>;
  readonly contracts: readonly PlantedContract[];
}

/**
 * The contracts of a participant together with those of its Scan, at the ledger end, although the participant never received the latter.
 * @throws ForkFailed for contracts on a synchronizer to which it is not connected, or for missing packages
 */
export function withScanned(
  { head, packages: live, contracts: seen }: Seen,
  { head: scan, contracts }: Scanned,
  sources: PackageSources,
  report: (line: string) => void,
): Omit<Seen, 'head'> {
  const known = new Set(seen.map(({ contract }) => contract.contractId));
  const added = contracts.filter(({ contractId }) => !known.has(contractId));
  const connected = head.synchronizers.map(({ synchronizerId }) => synchronizerId);
  const elsewhere = added.find(({ synchronizerId }) => !connected.includes(synchronizerId));
  if (elsewhere !== undefined)
    throw new ForkFailed(
      `its Scan belongs to synchronizer ${elsewhere.synchronizerId}, but the participant is connected only to ${connected.join(', ')}.`,
    );
  const { dars = [] } = sources;
  const all = { ...sources, dars: [...dars, ...configuredDars(scan, report)] };
  const packages = found(() => packagesById(wantedIn(added), [...live.values()], all));
  const lookup = lookupOf(packages);
  const planted = added.map((each) => contractOf(each, lookup, (why) => new ForkFailed(`${why}.`)));
  return { packages, contracts: merged(seen, planted, Math.min(1, head.offset)) };
}

/**
 * Places each added contract at the participant's offset at the time of its creation, after the participant's contracts of that offset.
 * @param seen in the order of offsets
 * @param added in the order of time
 */
function merged(
  seen: readonly PlantedContract[],
  added: readonly PlantedContract[],
  first: number,
): readonly PlantedContract[] {
  const next = new Map<number, number>();
  for (const { offset, nodeId } of seen)
    next.set(offset, Math.max(next.get(offset) ?? 0, nodeId + 1));
  let [place, offset] = [0, first];
  const placed = added.map((each) => {
    for (; place < seen.length; place += 1) {
      if (seen[place]!.contract.createdAt > each.contract.createdAt) break;
      ({ offset } = seen[place]!);
    }
    const nodeId = next.get(offset) ?? 0;
    next.set(offset, nodeId + 1);
    return { ...each, offset, nodeId };
  });
  return inOrder([...seen, ...placed]);
}

/** Reports an error about the contracts of a Scan as an error of the fork. */
export function found<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ForkFailed) throw error;
    throw new ForkFailed(`the contracts of its Scan are invalid: ${(error as Error).message}.`);
  }
}

function numbered(contracts: ExportedActiveContract[]): readonly ExportedActiveContract[] {
  const inOrder = contracts.sort((one, other) => {
    if (one.createdAt !== other.createdAt) return one.createdAt < other.createdAt ? -1 : 1;
    return one.contractId < other.contractId ? -1 : 1;
  });
  let [offset, nodeId] = [0, 0];
  return inOrder.map((each, place) => {
    const isNext = place === 0 || inOrder[place - 1]!.createdAt !== each.createdAt;
    [offset, nodeId] = isNext ? [offset + 1, 0] : [offset, nodeId + 1];
    return { ...each, offset, nodeId };
  });
}

/** Members of AmuletRules' `packageConfig`, with the names of their packages. */
const CONFIGURED: Readonly<Record<string, string>> = {
  amulet: 'splice-amulet',
  amuletNameService: 'splice-amulet-name-service',
  dsoGovernance: 'splice-dso-governance',
  validatorLifecycle: 'splice-validator-lifecycle',
  wallet: 'splice-wallet',
  walletPayments: 'splice-wallet-payments',
};

/**
 * DARs of the packages that the DSO requires, from the folder. The user gets a line about each missing one. Empty if the DSO is that of a
 * simplified model, which also names some.
 */
export function configuredDars(
  { contracts }: ScanHead,
  report: (line: string) => void,
): readonly string[] {
  const rules = contracts.find(({ template_id: id }) =>
    id.endsWith(':Splice.AmuletRules:AmuletRules'),
  );
  const isModel = AMULET_MODEL.some(({ id }) => rules?.template_id.startsWith(`${id}:`));
  if (isModel) return [];
  const { configSchedule } = (rules?.payload ?? {}) as {
    configSchedule?: { initialValue?: { packageConfig?: Readonly<Record<string, string>> } };
  };
  return Object.entries(configSchedule?.initialValue?.packageConfig ?? {}).flatMap(
    ([member, version]) => {
      const name = CONFIGURED[member];
      if (name === undefined) return [];
      const path = join(darFolder(), `${name}-${version}.dar`);
      if (existsSync(path)) return [path];
      report(`the DSO requires ${name} ${version}, but ${darFolder()} has no DAR of it`);
      return [];
    },
  );
}
