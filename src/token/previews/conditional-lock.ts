/**
 * The answers of the upcoming conditional-lock API, from contracts that implement the interfaces of the package
 * `splice-api-token-conditional-lock-v1`. Users install it, with a package that implements them.
 */
import { contractIdsIn } from '../../daml/codec/contract-ids.js';
import type { LedgerError } from '../../daml/errors/ledger-error.js';
import { interfaceView, viewRefusal } from '../../daml/interpreter/interface-view.js';
import {
  interfaceDefinition,
  resolveTypeId,
  template as templateOf,
} from '../../daml/model/package.js';
import { stakeholdersOf, type ContractInstance } from '../../daml/model/transaction.js';
import { qualifiedNameOf, type DamlType, type TypeId } from '../../daml/model/types.js';
import type { ContractId, DamlRecord, DamlValue, Party } from '../../daml/model/values.js';
import type { Network } from '../../network/network.js';
import type { Participant } from '../../network/participant.js';
import { ViewVersions } from '../../network/routing/interface-views.js';
import { contractsNamed, locate } from '../registry/network-ledger.js';
import {
  disclose,
  reassigning,
  refuse,
  type FactoryAnswer,
  type LocatedContract,
  type RegistryAnswer,
  type RegistryContext,
} from '../registry/registry.js';

/** The name of the API in the metadata of instruments. */
export const CONDITIONAL_LOCK_API = 'splice-api-token-conditional-lock-v1';

const MODULE = 'Splice.Api.Token.ConditionalLockV1';
const FACTORY = 'ConditionalLockFactory';

/** Contracts that an answer discloses. A contract can name many more, with a blob each. */
const MAX_DISCLOSED = 100;

/** The interfaces whose contracts have choices that need a context. */
export type LockEntity = 'ConditionalLock' | 'ConditionalLockInstruction';

/** The type of the arguments of `ConditionalLockFactory_Lock`; undefined if no participant has the package. */
export function lockArgumentType(network: Network): DamlType | undefined {
  const interfaceId = interfaceNamed(network, FACTORY);
  const { choices } = (interfaceId && interfaceDefinition(network.packages, interfaceId)) || {};
  return choices?.get('ConditionalLockFactory_Lock')?.argumentType;
}

/** @param given arguments of `ConditionalLockFactory_Lock` */
export function lockFactory(network: Network, given: DamlRecord): RegistryAnswer<FactoryAnswer> {
  const admin = adminOf(given);
  const found = admin === undefined ? undefined : factoryOf(network, admin);
  if (admin === undefined || found === undefined) return noFactory(admin);
  const context = contextOf(network, found, admin, false);
  if (!context.ok) return context;
  const { contractId } = found.located.contract;
  return { ok: true, value: { factoryId: contractId, ...context.value } };
}

/** Whether the admin of an instrument has a factory, so that the instrument supports conditional locks. */
export const hasLockFactory = (network: Network, admin: Party): boolean =>
  factoryOf(network, admin) !== undefined;

/** The context is the same for all choices of an interface. */
export function lockContext(
  network: Network,
  entity: LockEntity,
  id: ContractId,
): RegistryAnswer<RegistryContext> {
  const located = locate(network.contracts, id);
  const interfaceId = interfaceNamed(network, entity);
  const host = located && interfaceId && implementationAt(network, interfaceId, located.contract);
  if (!located || !interfaceId || !host) return refuse('not-found', `${entity} '${id}' not found.`);
  const viewed = viewedAt(host, interfaceId, located);
  if ('refused' in viewed)
    return refuse('unclear', `The view of ${entity} '${id}' failed: ${viewed.refused.message}`);
  const admin = adminOf(viewed.view);
  if (admin === undefined || !stakeholdersOf(located.contract).includes(admin))
    return refuse('not-found', `The admin of the instrument does not see ${entity} '${id}'.`);
  return contextOf(network, viewed, admin, true);
}

/** A contract with its view of an interface. */
interface Viewed {
  readonly located: LocatedContract;
  readonly view: DamlRecord;
  readonly viewType: DamlType;
}

const interfaceNamed = (network: Network, entity: string): TypeId | undefined =>
  resolveTypeId(network.packages, `#${CONDITIONAL_LOCK_API}:${MODULE}:${entity}`);

/** The admin's newest factory. */
function factoryOf(network: Network, admin: Party): Viewed | undefined {
  const interfaceId = interfaceNamed(network, FACTORY);
  if (interfaceId === undefined) return undefined;
  const names = network.participants.flatMap(({ packages }) =>
    packages.implementersOf(interfaceId),
  );
  return contractsNamed(network, network.participants, [...new Set(names)])
    .flatMap((located) => {
      if (!stakeholdersOf(located.contract).includes(admin)) return [];
      const host = implementationAt(network, interfaceId, located.contract);
      const viewed = host && viewedAt(host, interfaceId, located);
      return viewed && 'view' in viewed && viewed.view.admin === admin ? [viewed] : [];
    })
    .at(-1);
}

function noFactory(admin: Party | undefined): RegistryAnswer<never> {
  const whose = admin === undefined ? '' : ` of ${admin}`;
  return refuse('not-found', `No ${FACTORY} contract${whose} found.`);
}

/** A participant that knows how the contract's template implements the interface. */
function implementationAt(
  { participants }: Network,
  interfaceId: TypeId,
  { packageName, templateId }: ContractInstance,
): Participant | undefined {
  const name = `${packageName}:${qualifiedNameOf(templateId)}`;
  return participants.find(({ packages }) => packages.implementersOf(interfaceId).includes(name));
}

function viewedAt(
  host: Participant,
  interfaceId: TypeId,
  located: LocatedContract,
): Viewed | { readonly refused: LedgerError } {
  const { packages } = host;
  const { contract } = located;
  try {
    const templateId = new ViewVersions(host).templateFor(interfaceId, contract);
    const view = interfaceView(packages, interfaceId, { ...contract, templateId });
    return { located, view, viewType: interfaceDefinition(packages, interfaceId)!.viewType };
  } catch (error) {
    return { refused: viewRefusal(packages, error) };
  }
}

/** The admin of the instrument that the terms name. */
function adminOf(record: DamlRecord): Party | undefined {
  const { terms } = record as { terms?: { instrumentId?: { admin?: DamlValue } } };
  const admin = terms?.instrumentId?.admin;
  return typeof admin === 'string' ? admin : undefined;
}

/**
 * The contracts that the view names, such as the locked holdings, and those that the payload names, as far as the admin sees them.
 * Each implementation decides which ones it needs, and which values it reads from the context: no values are known.
 * @param isKnown whether the caller is a stakeholder, so that the contract itself need not be disclosed
 */
function contextOf(
  network: Network,
  { located, view, viewType }: Viewed,
  admin: Party,
  isKnown: boolean,
): RegistryAnswer<RegistryContext> {
  const { packages, contracts } = network;
  const { contract, synchronizerId } = located;
  if (synchronizerId === undefined) return reassigning(located);
  const { payloadType } = templateOf(packages, contract.templateId)!;
  const named = new Set([
    ...contractIdsIn(packages, viewType, view),
    ...contractIdsIn(packages, payloadType, contract.payload),
  ]);
  const visible = [...named].flatMap((id) => {
    const each = locate(contracts, id);
    return each && stakeholdersOf(each.contract).includes(admin) ? [each] : [];
  });
  const all = isKnown ? visible : [located, ...visible];
  if (all.length > MAX_DISCLOSED)
    return refuse(
      'unclear',
      `Contract '${contract.contractId}' names more contracts than the ${MAX_DISCLOSED} that an answer discloses.`,
    );
  const disclosed = disclose(all);
  if (!disclosed.ok) return disclosed;
  return { ok: true, value: { context: { values: new Map() }, disclosed: disclosed.value } };
}
