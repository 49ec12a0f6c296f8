/** Wallets: their parties at the participant, and their comparison with the rights of the user. */
import { isJsonObject } from '../../daml/model/own-members.js';
import type { GatewayCore, User } from './gateway-core.js';
import type { Json } from './ledger-port.js';
import {
  SIGNING_PROVIDERS,
  type GatewayNetwork,
  type PartyRight,
  type UserRight,
  type Wallet,
} from './records.js';

const NO_PROVIDER = 'no signing provider matched';
const OTHER_NAMESPACE = 'participant namespace changed';

export interface WalletRequest {
  readonly partyHint: string;
  readonly signingProviderId: string;
  readonly primary?: boolean;
}

/** Allocates a party, and lets the user act as it. @throws Error for an unknown signing provider */
export async function createWallet(
  core: GatewayCore,
  user: User,
  { partyHint, signingProviderId, primary = false }: WalletRequest,
): Promise<Wallet> {
  const { store } = core;
  const network = store.networkOf(user.userId);
  store.idp(network.identityProviderId);
  const admin = await core.adminOf(network);
  requireProvider(signingProviderId);
  const key = signingProviderId === 'participant' ? undefined : core.keys.create(partyHint);
  const partyId = await allocate(core, user, network, { hint: partyHint, key }, admin);
  const namespace = partyId.split('::')[1] ?? '';
  const wallet = store.addWallet(user.userId, {
    partyId,
    hint: partyHint,
    namespace,
    signingProviderId,
    networkId: network.id,
    status: 'allocated',
    primary,
    publicKey: key?.publicKey ?? namespace,
    disabled: false,
    rights: [],
  });
  await syncWallets(core, user);
  core.emitAccounts(user.userId);
  const { disabled: _, ...shown } = wallet;
  return { ...shown, externalTxId: '', topologyTransactions: '' };
}

function requireProvider(id: string): void {
  if (!(SIGNING_PROVIDERS as readonly string[]).includes(id))
    throw new Error(`Signing provider ${id} not supported`);
}

/** @param key of an external party; absent for a party of the participant */
async function allocate(
  core: GatewayCore,
  { userId }: User,
  network: GatewayNetwork,
  { hint, key }: { hint: string; key?: { publicKey: string; namespace: string } | undefined },
  admin: Awaited<ReturnType<GatewayCore['adminOf']>>,
): Promise<string> {
  const synchronizer = await core.synchronizerOf(network, admin);
  const partyId =
    key === undefined
      ? await admin.allocate(userId, hint, synchronizer)
      : await admin.allocateExternal(
          hint,
          { keyData: key.publicKey, fingerprint: key.namespace },
          synchronizer,
          (hash) => core.keys.sign(key.publicKey, Buffer.from(hash, 'base64')),
        );
  await admin.letActAs(userId, partyId);
  return partyId;
}

/**
 * Makes a wallet primary.
 * @param party the party of the wallet, or its hint. For an unknown hint, creates an external party
 * @throws Error for the id of a party that the user cannot act as
 */
export async function chooseAccount(core: GatewayCore, user: User, party: string): Promise<Wallet> {
  const { store } = core;
  const found = () =>
    store.walletsOf(user.userId).find(({ partyId, hint }) => partyId === party || hint === party);
  const isId = party.includes('::');
  if (found() === undefined && isId) await syncWallets(core, user);
  if (found() === undefined && !isId) {
    const signingProviderId = 'wallet-kernel';
    await createWallet(core, user, { partyHint: party, signingProviderId, primary: true });
  } else {
    store.setPrimaryWallet(user.userId, found()?.partyId ?? party);
    core.emitAccounts(user.userId);
  }
  return found()!;
}

/** Allocates the party of a wallet that the participant does not have. @throws Error for an unknown wallet */
export async function allocateWallet(
  core: GatewayCore,
  user: User,
  partyId: string,
): Promise<Wallet> {
  const { store } = core;
  const { userId } = user;
  const network = store.networkOf(userId);
  const wallet = store.walletsOf(userId).find((each) => each.partyId === partyId);
  if (wallet === undefined) throw new Error(`Wallet not found for party ${partyId}`);
  const admin = await core.adminOf(network);
  const { hint, publicKey, namespace, signingProviderId } = wallet;
  requireProvider(signingProviderId);
  const key = signingProviderId === 'participant' ? undefined : { publicKey, namespace };
  await allocate(core, user, network, { hint, key }, admin);
  store.updateWallet(userId, wallet, { status: 'allocated' });
  await syncWallets(core, user);
  core.emitAccounts(userId);
  return store.walletsOf(userId).find((each) => each.partyId === partyId)!;
}

interface Rights {
  readonly ofParties: ReadonlyMap<string, readonly PartyRight[]>;
  readonly ofUser: readonly UserRight[];
}

async function rightsAt(core: GatewayCore, user: User): Promise<Rights> {
  const network = core.store.networkOf(user.userId);
  const kinds = await core.ledgerOf(network, user.accessToken).rightsOf(user.userId);
  const ofParties = new Map<string, PartyRight[]>();
  const ofUser: UserRight[] = [];
  for (const kind of kinds) {
    const [name, content] = Object.entries(kind)[0] ?? [];
    if (name === 'CanActAs' || name === 'CanReadAs' || name === 'CanExecuteAs') {
      const party = partyIn(content);
      const known = ofParties.get(party) ?? [];
      if (!known.includes(name)) ofParties.set(party, [...known, name]);
    } else if (name === 'CanReadAsAnyParty' || name === 'CanExecuteAsAnyParty') ofUser.push(name);
  }
  return { ofParties, ofUser };
}

function partyIn(content: unknown): string {
  const value = isJsonObject(content) ? (content['value'] as Json) : {};
  return String(value['party']);
}

const isSame = <T>(one: readonly T[], other: readonly T[]): boolean =>
  one.length === other.length && one.every((each) => other.includes(each));

export async function isSyncNeeded(core: GatewayCore, user: User): Promise<boolean> {
  const { store } = core;
  const network = store.networkOf(user.userId);
  await core.adminOf(network);
  const { ofParties, ofUser } = await rightsAt(core, user);
  const enabled = store.walletsOf(user.userId).filter(({ disabled }) => disabled !== true);
  const allocated = enabled.filter(({ status }) => status === 'allocated');
  return (
    [...ofParties.keys()].some((party) => !enabled.some(({ partyId }) => partyId === party)) ||
    allocated.some(({ partyId, rights }) => !isSame(rights, ofParties.get(partyId) ?? [])) ||
    !isSame(store.rightsOf(user.userId, network.id), ofUser)
  );
}

export interface SyncResult {
  readonly added: readonly Wallet[];
  readonly updated: readonly Wallet[];
  readonly disabled: readonly Wallet[];
}

/** Adds a wallet for each party that the user has rights for, and updates the others. */
export async function syncWallets(core: GatewayCore, user: User): Promise<SyncResult> {
  const { store } = core;
  const { userId } = user;
  const network = store.networkOf(userId);
  const ledger = core.ledgerOf(network, user.accessToken);
  const own = await ledger.participantNamespace();
  const { ofParties, ofUser } = await rightsAt(core, user);
  store.setRights(userId, network.id, ofUser);
  const allocated = store.walletsOf(userId).filter(({ status }) => status === 'allocated');
  const updated: Wallet[] = [];
  const disabled: Wallet[] = [];
  for (const wallet of allocated) {
    const rights = ofParties.get(wallet.partyId);
    if (rights !== undefined) {
      if (!isSame(wallet.rights, rights))
        updated.push(store.updateWallet(userId, wallet, { rights }));
    } else if (wallet.disabled === true) continue;
    else if (wallet.signingProviderId === 'participant')
      disabled.push(
        store.updateWallet(userId, wallet, {
          disabled: true,
          reason: OTHER_NAMESPACE,
          primary: false,
        }),
      );
    else
      updated.push(store.updateWallet(userId, wallet, { status: 'initialized', primary: false }));
  }
  const added = [...ofParties]
    .filter(([party]) => !allocated.some(({ partyId }) => partyId === party))
    .map(([party, rights]) =>
      store.addWallet(userId, foundWallet(core, party, own, { networkId: network.id, rights })),
    );
  setPrimary(core, userId);
  return {
    added: added.filter((each) => each.disabled !== true),
    updated,
    disabled: [...added.filter((each) => each.disabled === true), ...disabled],
  };
}

/** A wallet for a party that the participant has. A party whose key is unknown is disabled. */
function foundWallet(
  core: GatewayCore,
  partyId: string,
  participantNamespace: string,
  { networkId, rights }: Pick<Wallet, 'networkId' | 'rights'>,
): Wallet {
  const [hint = '', namespace = ''] = partyId.split('::');
  const key = core.keys.ofNamespace(namespace);
  const isOwn = namespace === participantNamespace;
  const isKnown = isOwn || key !== undefined;
  return {
    primary: false,
    status: 'allocated',
    partyId,
    hint,
    publicKey: isOwn ? namespace : (key?.publicKey ?? namespace),
    namespace,
    networkId,
    signingProviderId: isOwn || key === undefined ? 'participant' : 'wallet-kernel',
    disabled: !isKnown,
    ...(!isKnown && { reason: NO_PROVIDER }),
    rights,
  };
}

/** Makes the first usable wallet primary, if none is. */
function setPrimary({ store }: GatewayCore, userId: string): void {
  const wallets = store.walletsOf(userId);
  const primary = wallets.find((each) => each.primary);
  const usable = wallets.find((each) => each.status === 'allocated' && each.disabled !== true);
  if (usable !== undefined && (primary === undefined || primary.status === 'initialized'))
    store.setPrimaryWallet(userId, usable.partyId);
}
