/** The contracts of the token standard, by their interfaces of version 1 or 2. */
import { viewOf } from '../../script/in-version.js';
import { template as templateOf, type PackageLookup } from '../../daml/model/package.js';
import type { ContractInstance, ExerciseNode } from '../../daml/model/transaction.js';
import { packageIdOf, qualifiedNameOf } from '../../daml/model/types.js';
import {
  Some,
  type ContractId,
  type DamlRecord,
  type DamlValue,
  type Party,
  type Timestamp,
} from '../../daml/model/values.js';
import { leavesOf } from '../model/scalars.js';
import { fieldOf, fieldText } from './fields.js';
import { Total } from './totals.js';

/** A contract can be of both versions; then version 2 counts. */
const HOLDING = ['Splice.Api.Token.HoldingV2:Holding', 'Splice.Api.Token.HoldingV1:Holding'];
const INSTRUCTION = [
  'Splice.Api.Token.TransferInstructionV2:TransferInstruction',
  'Splice.Api.Token.TransferInstructionV1:TransferInstruction',
];
const ALLOCATION = [
  'Splice.Api.Token.AllocationV2:Allocation',
  'Splice.Api.Token.AllocationV1:Allocation',
];
/** The choices of the standard that move holdings. */
const MOVING = /^splice-api-token-(transfer-instruction|allocation|allocation-instruction)-v[12]$/;

export interface HoldingFacts {
  /** Admin and id. */
  readonly instrument: string;
  readonly admin: Party;
  readonly amount: DamlValue;
  readonly lock:
    | { readonly holders: readonly Party[]; readonly until: Timestamp | undefined }
    | undefined;
}

/** The view of the first of these interfaces that the contract has; undefined if there is none, or if the view fails. */
function viewAs(
  packages: PackageLookup,
  contract: ContractInstance,
  names: readonly string[],
): DamlRecord | undefined {
  const interfaces = [...(templateOf(packages, contract.templateId)?.implementations.keys() ?? [])];
  for (const name of names) {
    const id = interfaces.find((each) => qualifiedNameOf(each) === name);
    if (id !== undefined) return viewOf(packages, contract, contract.templateId, id);
  }
  return undefined;
}

const known = new WeakMap<ContractInstance, HoldingFacts | 'none'>();

/** Undefined for a contract that is not a holding. */
export function holdingOf(
  packages: PackageLookup,
  contract: ContractInstance,
): HoldingFacts | undefined {
  let facts = known.get(contract);
  if (facts === undefined) {
    facts = readHolding(packages, contract) ?? 'none';
    known.set(contract, facts);
  }
  return facts === 'none' ? undefined : facts;
}

function readHolding(
  packages: PackageLookup,
  contract: ContractInstance,
): HoldingFacts | undefined {
  const view = viewAs(packages, contract, HOLDING);
  if (view === undefined) return undefined;
  const lock = view['lock'] instanceof Some ? (view['lock'].value as DamlRecord) : undefined;
  return {
    instrument: fieldText(view, 'instrumentId'),
    admin: fieldOf(view, 'instrumentId.admin') as Party,
    amount: view['amount']!,
    lock: lock && {
      holders: [...leavesOf(lock['holders']!)] as Party[],
      until: lockedUntil(lock, contract),
    },
  };
}

/** Undefined for a lock without an end. */
function lockedUntil(lock: DamlRecord, { createdAt }: ContractInstance): Timestamp | undefined {
  const [at, after] = ['expiresAt', 'expiresAfter'].map((name) => {
    const value = lock[name];
    return value instanceof Some ? [...leavesOf(value.value as DamlValue)][0] : undefined;
  }) as [bigint | undefined, bigint | undefined];
  const ends = [at, after === undefined ? undefined : createdAt + after];
  return ends
    .filter((each) => each !== undefined)
    .reduce<bigint | undefined>((a, b) => (a === undefined || b < a ? b : a), undefined);
}

/** The holdings that back an allocation; undefined for a contract that is not an allocation. */
export function holdingsOfAllocation(
  packages: PackageLookup,
  contract: ContractInstance,
): readonly ContractId[] | undefined {
  const view = viewAs(packages, contract, ALLOCATION);
  return view && ((view['holdingCids'] ?? []) as readonly ContractId[]);
}

/** Whether an allocation of version 2 has no holdings, because its legs need none. */
export function needsNoHoldings(packages: PackageLookup, contract: ContractInstance): boolean {
  const view = viewAs(packages, contract, ALLOCATION.slice(0, 1));
  return view !== undefined && (view['holdingCids'] as readonly ContractId[]).length === 0;
}

/** The amounts of a pending transfer or an allocation, by instrument; undefined for other contracts. */
export function pendingOf(
  packages: PackageLookup,
  contract: ContractInstance,
): ReadonlyMap<string, Total> | undefined {
  const view = viewAs(packages, contract, [...ALLOCATION, ...INSTRUCTION]);
  if (view === undefined) return undefined;
  const pending = new Map<string, Total>();
  const add = (instrument: string, amount: DamlValue) => {
    const total = pending.get(instrument) ?? new Total();
    pending.set(instrument, total);
    total.add(amount);
  };
  if ('transfer' in view) {
    const { instrumentId, amount } = view['transfer'] as DamlRecord;
    add([...leavesOf(instrumentId!)].join(' '), amount!);
  } else {
    // The first packages of the standard have the fields of the allocation in the view.
    const allocation = (view['allocation'] ?? view) as DamlRecord;
    if ('transferLeg' in allocation) {
      const { instrumentId, amount } = allocation['transferLeg'] as DamlRecord;
      add([...leavesOf(instrumentId!)].join(' '), amount!);
      return pending;
    }
    const admin = fieldOf(allocation, 'admin') as Party;
    const legs = fieldOf(allocation, 'transferLegSides') as readonly DamlRecord[];
    for (const leg of legs.filter(({ side }) => side === 'SenderSide'))
      add(`${admin} ${String(leg['instrumentId'])}`, leg['amount']!);
  }
  return pending;
}

/** Whether an exercise is one of the standard's choices that move holdings. */
export function isMoving(packages: PackageLookup, { interfaceId }: ExerciseNode): boolean {
  const name = interfaceId && packages.package(packageIdOf(interfaceId))?.name;
  return name !== undefined && MOVING.test(name);
}
