/** Requests of apps to allocate amulets: contracts of any template, read through the standard's interfaces (WA-ALL-008, WA-ALL-009). */
import { interfaceView } from '../../daml/interpreter/interface-view.js';
import { interfaceDefinition, resolveTypeId } from '../../daml/model/package.js';
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { DamlType, TypeId } from '../../daml/model/types.js';
import type { ContractId, DamlRecord, DamlValue, Some } from '../../daml/model/values.js';
import { ViewVersions } from '../../network/routing/interface-views.js';
import { LedgerError } from '../../daml/errors/ledger-error.js';
import { notFound } from './refusals.js';
import { exercise } from './submit.js';
import type { Version } from './token-standard.js';
import type { Wallet } from './wallet.js';

export interface AllocationRequest {
  readonly contract: ContractInstance;
  readonly interfaceId: TypeId;
  readonly view: DamlRecord;
  readonly viewType: DamlType;
}

const interfaceName = (version: Version): string =>
  `#splice-api-token-allocation-request-v${version}:Splice.Api.Token.AllocationRequestV${version}:AllocationRequest`;

/** The requests, sorted by creation time. A contract that implements both versions of the interface appears once, as version 2. */
export function allocationRequests(wallet: Wallet): readonly AllocationRequest[] {
  const byId = new Map<ContractId, AllocationRequest>();
  for (const version of [2, 1] as const)
    for (const request of requestsOf(wallet, version))
      if (!byId.has(request.contract.contractId)) byId.set(request.contract.contractId, request);
  return [...byId.values()].sort((a, b) =>
    a.contract.createdAt < b.contract.createdAt
      ? -1
      : Number(a.contract.createdAt > b.contract.createdAt),
  );
}

/**
 * @returns the result of the choice
 * @throws WalletRefusal NOT_FOUND, LedgerError
 */
export function rejectRequest(wallet: Wallet, version: Version, contractId: ContractId): DamlValue {
  const { validator, validatorParty, party } = wallet;
  const found = [...requestsOf(wallet, version)].some(
    ({ contract }) => contract.contractId === contractId,
  );
  const name = version === 1 ? 'AllocationRequest' : 'AllocationRequest v2';
  if (!found) throw notFound(`No ${name} with contract id ${contractId} found.`);
  const extraArgs = { context: { values: {} }, meta: { values: {} } };
  const who = version === 1 ? { actor: party } : { actors: [party] };
  const argument = { ...who, extraArgs };
  const actAs = [...new Set([validatorParty, party])];
  const reference = interfaceName(version);
  return exercise(validator, reference, contractId, 'AllocationRequest_Reject', argument, {
    actAs,
  });
}

/** The requests by which the party is to pay amulets. */
function* requestsOf(
  wallet: Wallet,
  version: Version,
): Generator<AllocationRequest, void, undefined> {
  const { participant } = wallet.validator;
  const { packages } = participant;
  const interfaceId = resolveTypeId(participant.packagesFor(), interfaceName(version));
  if (interfaceId === undefined) return;
  const { viewType } = interfaceDefinition(packages, interfaceId)!;
  const versions = new ViewVersions(participant);
  const key = { party: wallet.party, templates: packages.implementersOf(interfaceId) };
  for (const { contract } of participant.activeContracts.now([key])) {
    const view = viewOf(() => {
      const templateId = versions.templateFor(interfaceId, contract);
      return interfaceView(packages, interfaceId, { ...contract, templateId });
    });
    if (view !== undefined && isForWallet(wallet, version, view))
      yield { contract, interfaceId, view, viewType };
  }
}

/** The interface view; undefined if it fails, because a wallet's store omits such contracts. */
function viewOf(compute: () => DamlRecord): DamlRecord | undefined {
  try {
    return compute();
  } catch (error) {
    if (error instanceof LedgerError) return undefined;
    throw error;
  }
}

function isForWallet({ dsoParty, party }: Wallet, version: Version, view: DamlRecord): boolean {
  if (version === 1)
    return [...(view.transferLegs as ReadonlyMap<string, DamlRecord>).values()].some(
      ({ instrumentId, sender }) =>
        (instrumentId as DamlRecord).admin === dsoParty && sender === party,
    );
  return (view.allocations as readonly DamlRecord[]).some(
    ({ admin, authorizer }) =>
      admin === dsoParty && ((authorizer as DamlRecord).owner as Some | null)?.value === party,
  );
}
