/** The interface views of a contract, as a participant that stores it would compute them. */
import { encodeValue } from '../../daml/codec/json/codec.js';
import { LedgerError } from '../../daml/errors/ledger-error.js';
import { interfaceView } from '../../daml/interpreter/interface-view.js';
import { interfaceDefinition, template as templateOf } from '../../daml/model/package.js';
import type { ContractInstance } from '../../daml/model/transaction.js';
import { qualifiedNameOf, type TypeId } from '../../daml/model/types.js';
import { damlFailure } from '../../daml/refusals/refusals.js';
import { forView } from '../../daml/upgrade/version.js';
import type { Network } from '../network.js';
import type { Participant } from '../participant.js';
import { ViewVersions } from '../routing/interface-views.js';

export interface InspectedView {
  /** `#name:Module:Entity`. */
  readonly interface: string;
  readonly interfaceId: TypeId;
  /** As JSON of the Ledger API; absent if it could not be computed. */
  readonly value?: unknown;
  readonly error?: { readonly code: string; readonly cause: string };
}

/**
 * @param isWanted selects interfaces, by id and by the name of its package; if absent, all interfaces of the template
 */
export function viewsOf(
  { participants, packages }: Network,
  instance: ContractInstance,
  isWanted?: (interfaceId: TypeId, packageName: string) => boolean,
): readonly InspectedView[] {
  const holder = participants.find((each) => each.hostsStakeholder(instance)) ?? participants[0]!;
  const ids = templateOf(packages, instance.templateId)?.implementations.keys() ?? [];
  return [...ids].flatMap((interfaceId) => {
    const name = packages.package(interfaceId.slice(0, interfaceId.indexOf(':')))?.name ?? '';
    if (isWanted?.(interfaceId, name) === false) return [];
    const identity = { interface: `#${name}:${qualifiedNameOf(interfaceId)}`, interfaceId };
    return [{ ...identity, ...computed(holder, interfaceId, instance) }];
  });
}

function computed(
  participant: Participant,
  interfaceId: TypeId,
  contract: ContractInstance,
): Pick<InspectedView, 'value' | 'error'> {
  const { packages } = participant;
  try {
    const templateId = new ViewVersions(participant).templateFor(interfaceId, contract);
    const viewed = forView(packages, contract, templateId, interfaceId);
    const view = interfaceView(packages, interfaceId, viewed);
    const { viewType } = interfaceDefinition(packages, interfaceId)!;
    return { value: encodeValue(packages, viewType, view) };
  } catch (error) {
    const { code, details } = error instanceof LedgerError ? error : damlFailure(error, '');
    return { error: { code, cause: details.cause } };
  }
}
