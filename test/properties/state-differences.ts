/**
 * The differences between the states of two Canticles. It compares every field of every object of the network and of Splice, and so finds
 * each field that a file omits. Only fields that are not part of the state are left out.
 */
import type { Canticle } from 'canticle';

/** Fields by their names, in any class. */
const NO_STATE = new Set([
  // Data for reverts, and listeners.
  'journal',
  'snapshots',
  'listeners',
  'commitListeners',
  'revertListeners',
  'dueTasks',
  'jumpListeners',
  'stops',
  'restartListeners',
  'trackings',
  // Caches.
  'partySets',
  'definitions',
  'origins',
  'byId',
  'names',
  'unmoved',
  'vettingKeys',
  'coverage',
  'known',
  'watchers',
  'curious',
  'isStale',
  'retries',
  'logs',
  'made',
  // Data about this process for operators.
  'recentCommands',
  // Options of the network.
  'options',
  'shared',
  'operations',
]);
/** Members behind private fields, by class. */
const OF_UPDATES = [
  ...['updateId', 'synchronizerId', 'migrationId', 'entries', 'kind', 'submission'],
  ...['workflowId', 'traceContext', 'externalTransactionHash'],
];
const BEHIND: Readonly<Record<string, readonly string[]>> = {
  SequencedCreate: [...OF_UPDATES, 'effectiveAt', 'nodes', 'roots'],
  SequencedTransaction: OF_UPDATES,
  ImportedTransaction: OF_UPDATES,
  SequencedReassignment: OF_UPDATES,
  ImportedReassignment: OF_UPDATES,
  SequencedTopology: OF_UPDATES,
  StoredSubmissionInfo: ['saved'],
};
interface UpdateEntry {
  readonly participant: { readonly log: { readonly forgottenUpTo: number } };
  readonly offset: number;
  readonly update: unknown;
  readonly deactivated: unknown;
  readonly next: unknown;
}
interface Sized {
  readonly size: number;
}
interface StaysOf extends Sized {
  readonly byTemplate: ReadonlyMap<string, Sized>;
}
/** Indexes that are built on use. */
interface ListsByParty {
  readonly get: (party: string) => unknown;
  readonly lists: ReadonlyMap<string, unknown>;
}
interface NetworkLog {
  readonly sequenced: number;
  readonly all: unknown;
  readonly ledger: unknown;
  readonly byExternalHash: unknown;
  readonly byParty: unknown;
}
interface Stays {
  readonly everybodys: StaysOf;
  readonly byParty: ReadonlyMap<string, StaysOf>;
  readonly next: number;
}

/** The ids of packages are sufficient; tasks are found by their names. */
const BY_NAME: Readonly<Record<string, (value: never) => unknown>> = {
  DarPackage: ({ id }: { id: string }) => id,
  OrderedIndex: (index: { after: (from: number) => Iterable<unknown> }) => [
    ...index.after(-Infinity),
  ],
  // An empty index equals a missing one.
  ActiveContracts: ({ everybodys, byParty, next }: Stays) => ({
    everybodys,
    byParty: new Map([...byParty].filter(([, { size }]) => size > 0)),
    next,
  }),
  StaysOf: ({ byTemplate }: StaysOf) => new Map([...byTemplate].filter(([, { size }]) => size > 0)),
  ListsByParty: (by: ListsByParty) => {
    by.get('');
    return by.lists;
  },
  NetworkLog: ({ sequenced, all, ledger, byExternalHash, byParty }: NetworkLog) => ({
    sequenced,
    all,
    ledger,
    byExternalHash,
    byParty,
  }),
  // An entry whose log was pruned has no owner.
  UpdateEntry: ({ participant, offset, update, deactivated, next }: UpdateEntry) => ({
    participant,
    offset,
    update,
    ended: offset > participant.log.forgottenUpTo && deactivated,
    next,
  }),
  JournaledIndex: (index: { saved: () => unknown }) => index.saved(),
  ContractTable: (table: Iterable<{ instance: { contractId: string } }>) =>
    new Map([...table].map((each) => [each.instance.contractId, each])),
  Automation: ({ states }: { states: unknown }) => states,
};

const MOST = 10;

/** @returns the paths of values that the first has and the second lacks */
export function differences(one: Canticle, other: Canticle): string[] {
  const found: string[] = [];
  const seen = new Map<object, object>();
  const shown = (value: unknown): string =>
    typeof value === 'object' && value !== null ? nameOf(value) : String(value);
  const compare = (a: unknown, b: unknown, path: string): void => {
    if (found.length >= MOST || Object.is(a, b) || typeof a === 'function') return;
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
      found.push(`${path}: ${shown(a)}, not ${shown(b)}`);
      return;
    }
    if (seen.get(a) === b) return;
    seen.set(a, b);
    if (nameOf(a) !== nameOf(b)) found.push(`${path}: ${nameOf(a)}, not ${nameOf(b)}`);
    const by = BY_NAME[nameOf(a)] as ((value: object) => unknown) | undefined;
    if (by !== undefined) compare(by(a), by(b), path);
    else members(a, b, path);
  };
  const members = (a: object, b: object, path: string): void => {
    if (a instanceof WeakMap || ('templates' in a && 'dataTypes' in a)) return;
    if (a instanceof Map && b instanceof Map) return maps(a, b, path);
    if (a instanceof Set && b instanceof Set) return compare([...a].sort(), [...b].sort(), path);
    const fields = new Set([...Object.keys(a), ...Object.keys(b), ...(BEHIND[nameOf(a)] ?? [])]);
    for (const field of fields)
      if (!NO_STATE.has(field))
        compare(Reflect.get(a, field), Reflect.get(b, field), `${path}.${field}`);
  };
  const maps = (a: Map<unknown, unknown>, b: Map<unknown, unknown>, path: string): void => {
    for (const key of new Set([...a.keys(), ...b.keys()]))
      compare(a.get(key), b.get(key), `${path}[${String(key)}]`);
  };
  compare(one.network, other.network, 'network');
  compare(one.splice, other.splice, 'splice');
  compare(one.scenario, other.scenario, 'scenario');
  return found;
}

const nameOf = (value: object): string => value.constructor?.name ?? 'object';
