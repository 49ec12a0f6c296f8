/** The values inside the contracts of the state, by their kind: new values are often equal or close to them. */
import { boundBody, template as templateOf, type PackageLookup } from '../../daml/model/package.js';
import type { DamlType, TypeId } from '../../daml/model/types.js';
import {
  Some,
  type DamlRecord,
  type DamlValue,
  type DamlVariant,
} from '../../daml/model/values.js';
import type { FuzzLedger } from '../ledger/fuzz-ledger.js';
import type { Random } from './random.js';

export type LeafKind = 'int64' | 'numeric' | 'text' | 'timestamp' | 'date' | 'party';

/** Reads a value of a payload; undefined if this payload does not have it. */
type Read = (payload: DamlValue) => DamlValue | undefined;

/** The most leaves of a template for each kind, and their depth. */
const MAX_LEAVES = 64;
const MAX_DEPTH = 6;
/** How many contracts to look at for a leaf. */
const TRIES = 3;

type Leaves = Readonly<Record<LeafKind, Read[]>>;

export class StateLeaves {
  private static readonly known = new WeakMap<PackageLookup, StateLeaves>();
  private readonly byTemplate = new Map<TypeId, Leaves>();

  private constructor(private readonly packages: PackageLookup) {}

  /** Those of all sequences over the same packages. */
  static of(packages: PackageLookup): StateLeaves {
    const known = StateLeaves.known.get(packages) ?? new StateLeaves(packages);
    StateLeaves.known.set(packages, known);
    return known;
  }

  /** A value of this kind in an active contract; undefined if a few random contracts have none. */
  pick(random: Random, ledger: FuzzLedger, kind: LeafKind): DamlValue | undefined {
    const { created } = ledger;
    if (created.length === 0) return undefined;
    for (let tries = 0; tries < TRIES; tries++) {
      const { instance, archivedIn } = random.pick(created);
      if (archivedIn !== undefined) continue;
      const reads = this.leavesOf(instance.templateId)[kind];
      if (reads.length === 0) continue;
      const value = random.pick(reads)(instance.payload);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  private leavesOf(id: TypeId): Leaves {
    let leaves = this.byTemplate.get(id);
    if (leaves === undefined) {
      leaves = { int64: [], numeric: [], text: [], timestamp: [], date: [], party: [] };
      const template = templateOf(this.packages, id);
      if (template !== undefined) this.collect(leaves, template.payloadType, (value) => value, 0);
      this.byTemplate.set(id, leaves);
    }
    return leaves;
  }

  private collect(leaves: Leaves, type: DamlType, read: Read, depth: number): void {
    if (depth > MAX_DEPTH) return;
    const into = (inner: DamlType, step: (value: DamlValue) => DamlValue | undefined) =>
      this.collect(
        leaves,
        inner,
        (payload) => {
          const value = read(payload);
          return value === undefined ? undefined : step(value);
        },
        depth + 1,
      );
    switch (type.kind) {
      case 'int64':
      case 'numeric':
      case 'text':
      case 'timestamp':
      case 'date':
      case 'party':
        if (leaves[type.kind].length < MAX_LEAVES) leaves[type.kind].push(read);
        return;
      case 'optional':
        return into(type.of, (value) => (value instanceof Some ? value.value : undefined));
      case 'list':
        return into(type.of, (value) => (value as readonly DamlValue[])[0]);
      case 'textMap':
        into({ kind: 'text' }, (value) => [...(value as ReadonlyMap<string, DamlValue>).keys()][0]);
        return into(type.of, (value) => [...(value as ReadonlyMap<string, DamlValue>).values()][0]);
      case 'genMap': {
        type Entries = readonly (readonly DamlValue[])[];
        into(type.key, (value) => (value as Entries)[0]?.[0]);
        return into(type.value, (value) => (value as Entries)[0]?.[1]);
      }
      case 'con':
        return this.collectIn(type, into);
      default:
    }
  }

  private collectIn(
    type: Extract<DamlType, { kind: 'con' }>,
    into: (inner: DamlType, step: (value: DamlValue) => DamlValue | undefined) => void,
  ): void {
    const body = boundBody(this.packages, type);
    if (body?.kind === 'record')
      for (const { name, type: of } of body.fields)
        into(of, (value) => (value as DamlRecord)[name]);
    else if (body?.kind === 'variant')
      for (const { name, type: of } of body.constructors)
        into(of, (value) =>
          (value as DamlVariant).tag === name ? (value as DamlVariant).value : undefined,
        );
  }
}
