/** The addresses of the SVs' Scans and sequencers, from the states of their nodes on the ledger (S-DSO-005, S-DSO-006). */
import { formatTimestamp } from '../../daml/model/time.js';
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { DamlRecord, DamlValue, Party, Some, Timestamp } from '../../daml/model/values.js';
import { contractsOf } from './amulet-contracts.js';
import type { Dso } from './dso.js';

export interface SvScan {
  readonly svName: string;
  readonly publicUrl: string;
}

export interface SvSequencer {
  readonly svName: string;
  /** -1 if `serial` is present. */
  readonly migrationId: number;
  readonly serial?: number;
  readonly id: string;
  readonly url: string;
  /** As a `date-time`. */
  readonly availableAfter: string;
}

export type BySynchronizer<Item> = readonly (readonly [string, readonly Item[]])[];

/** `java.time.OffsetDateTime.MIN`: a sequencer of an earlier migration has always been available. */
const ALWAYS = '-999999999-01-01T00:00:00+18:00';

/** The node states of the current SVs. */
export function svNodeStates(dso: Dso, dsoRules: ContractInstance): readonly ContractInstance[] {
  const svs = (dsoRules.payload.svs as readonly (readonly [Party, unknown])[]).map(([sv]) => sv);
  return [...contractsOf(dso, 'svNodeState')].filter(({ payload }) =>
    svs.includes(payload.sv as Party),
  );
}

export function svScans(states: readonly ContractInstance[]): BySynchronizer<SvScan> {
  return bySynchronizer(states, (svName, node) => {
    const scan = optional(node.scan);
    return scan === undefined ? [] : [{ svName, publicUrl: scan.publicUrl as string }];
  });
}

/** The sequencers with a valid URL. */
export function svSequencers(states: readonly ContractInstance[]): BySynchronizer<SvSequencer> {
  const all = bySynchronizer(states, (svName, node) => [
    ...ofMigrations(svName, node),
    ...ofSerials(svName, node),
  ]);
  return all.map(([synchronizerId, nodes]) => [
    synchronizerId,
    nodes.filter(({ url }) => isUrl(url)),
  ]);
}

function ofMigrations(svName: string, node: DamlRecord): SvSequencer[] {
  const legacy = optional(node.legacySequencerConfig);
  const own = optional(node.sequencer);
  const availableAfter = own && (own.availableAfter as Some<Timestamp> | null)?.value;
  return [
    ...(legacy === undefined ? [] : [{ ...sequencerOf(svName, legacy), availableAfter: ALWAYS }]),
    ...(own === undefined || availableAfter === undefined
      ? []
      : [{ ...sequencerOf(svName, own), availableAfter: formatTimestamp(availableAfter) }]),
  ];
}

function sequencerOf(svName: string, config: DamlRecord) {
  return {
    svName,
    migrationId: Number(config.migrationId as bigint),
    id: config.sequencerId as string,
    url: config.url as string,
  };
}

function ofSerials(svName: string, node: DamlRecord): SvSequencer[] {
  const identity = optional(node.sequencerIdentity);
  const availableAfter = identity && (identity.availableAfter as Some<Timestamp> | null)?.value;
  const physical = (node.physicalSynchronizers as Some | null | undefined)?.value;
  if (availableAfter === undefined || physical === undefined) return [];
  return (physical as readonly (readonly [bigint, DamlRecord])[]).flatMap(([serial, config]) => {
    const sequencer = optional(config.sequencer);
    if (sequencer === undefined) return [];
    return [
      {
        svName,
        migrationId: -1,
        serial: Number(serial),
        id: identity!.sequencerId as string,
        url: sequencer.url as string,
        availableAfter: formatTimestamp(availableAfter),
      },
    ];
  });
}

/** Sorted by synchronizer id. */
function bySynchronizer<Item>(
  states: readonly ContractInstance[],
  itemsOf: (svName: string, node: DamlRecord) => readonly Item[],
): BySynchronizer<Item> {
  const items = new Map<string, Item[]>();
  for (const { payload } of states) {
    const { synchronizerNodes } = payload.state as {
      readonly synchronizerNodes: readonly (readonly [string, DamlRecord])[];
    };
    for (const [synchronizerId, node] of synchronizerNodes)
      for (const item of itemsOf(payload.svName as string, node)) {
        const known = items.get(synchronizerId);
        if (known === undefined) items.set(synchronizerId, [item]);
        else known.push(item);
      }
  }
  return [...items].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Reads an optional field. Package versions without the field give undefined as well. */
function optional(value: DamlValue | undefined): DamlRecord | undefined {
  return (value as Some<DamlRecord> | null | undefined)?.value;
}

function isUrl(text: string): boolean {
  return /^https?:\/\/[^/\s]+/.test(text);
}
