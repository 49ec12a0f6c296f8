/** The methods that the pages of the gateway call for its user, one function each. */
import type { UserMethod } from '../../spec/wallet-gateway/index.js';
import type { Method, MethodContext } from './dapp-methods.js';
import type { User } from './gateway-core.js';
import type { GatewayNetwork, Idp } from './records.js';
import { addSession, listSessions, removeSession, shownNetwork } from './sessions.js';
import {
  deleteTransaction,
  executeTransaction,
  shownTransaction,
  signTransaction,
  type ExecuteRequest,
} from './transactions.js';
import {
  allocateWallet,
  createWallet,
  isSyncNeeded,
  syncWallets,
  type WalletRequest,
} from './wallets.js';

type OfTransaction = { readonly transactionId: string };
type OfParty = { readonly partyId: string };

async function requireAdmin({ core, caller }: MethodContext): Promise<User> {
  const user = await core.requireUser(caller);
  if (!core.isAdmin(user.userId))
    throw new Error('Unauthorized: only the admin user can perform this operation');
  return user;
}

export const userMethods = {
  async addNetwork(context, { network }: { readonly network: GatewayNetwork }) {
    const { userId } = await requireAdmin(context);
    const { store } = context.core;
    const known = store.networks.get(network.id);
    if (known === undefined && store.idps.get(network.identityProviderId) === undefined)
      throw new Error(`Identity provider "${network.identityProviderId}" not found`);
    // A changed network has no owner.
    store.networks.set(network.id, known === undefined ? { ...network, userId } : network);
    return null;
  },

  async removeNetwork(context, { networkName }: { readonly networkName: string }) {
    const { userId } = await requireAdmin(context);
    const { store } = context.core;
    const network = store.networks.get(networkName);
    if (network === undefined) throw new Error(`Network ${networkName} does not exists`);
    if (network.userId !== userId)
      throw new Error(`Network ${networkName} is not owned by user ${userId}`);
    store.networks.delete(networkName);
    return null;
  },

  async listNetworks({ core, caller }) {
    const user = await core.userOf(caller);
    const networks = core.store.networks
      .all()
      .filter(({ userId }) => userId === undefined || userId === user?.userId);
    return { networks: networks.map((each) => shownNetwork(core, each, caller)) };
  },

  async addIdp(context, { idp }: { readonly idp: Idp }) {
    await requireAdmin(context);
    if (idp.type === 'oauth' && !URL.canParse(String(idp.configUrl)))
      throw new Error('An identity provider of the type oauth needs a configUrl.');
    context.core.store.idps.set(idp.id, idp);
    return null;
  },

  async removeIdp(context, { identityProviderId: id }: { readonly identityProviderId: string }) {
    await requireAdmin(context);
    const { store } = context.core;
    if (store.networks.all().some((each) => each.identityProviderId === id))
      throw new Error(`Cannot delete IDP ${id} as it is in use by existing networks`);
    if (store.idps.get(id) === undefined) throw new Error(`IDP ${id} does not exists`);
    store.idps.delete(id);
    return null;
  },

  listIdps: ({ core }) => ({ idps: core.store.idps.all() }),

  async createWallet({ core, caller }, params: WalletRequest) {
    return { wallet: await createWallet(core, await core.requireUser(caller), params) };
  },

  async allocatePartyForWallet({ core, caller }, { partyId }: OfParty) {
    return { wallet: await allocateWallet(core, await core.requireUser(caller), partyId) };
  },

  async setPrimaryWallet({ core, caller }, { partyId }: OfParty) {
    const { userId } = await core.requireUser(caller);
    core.store.setPrimaryWallet(userId, partyId);
    core.emitAccounts(userId);
    return null;
  },

  removeWallet: () => ({}),

  async listWallets({ core, caller }, { filter }: { readonly filter?: WalletFilter }) {
    const { userId } = await core.requireUser(caller);
    const { signingProviderIds } = filter ?? {};
    return core.store
      .walletsOf(userId)
      .filter(({ signingProviderId }) => signingProviderIds?.includes(signingProviderId) ?? true);
  },

  async syncWallets({ core, caller }) {
    const user = await core.requireUser(caller);
    await core.adminOf(core.store.networkOf(user.userId));
    const result = await syncWallets(core, user);
    // NOTE: like the gateway, it tells dApps of new wallets only together with disabled ones.
    const hasNews = result.added.length > 0 || result.updated.length > 0;
    if (hasNews && result.disabled.length > 0) core.emitAccounts(user.userId);
    return result;
  },

  async isWalletSyncNeeded({ core, caller }) {
    return { walletSyncNeeded: await isSyncNeeded(core, await core.requireUser(caller)) };
  },

  async sign({ core, caller }, params: OfTransaction & OfParty) {
    return signTransaction(core, await core.requireUser(caller), params);
  },

  async execute({ core, caller }, params: ExecuteRequest) {
    return executeTransaction(core, await core.requireUser(caller), params);
  },

  addSession: ({ core, caller }, { networkId }: { readonly networkId: string }) =>
    addSession(core, caller, networkId),

  async removeSession({ core, caller }) {
    const { userId } = await core.requireUser(caller);
    removeSession(core, caller, userId, 'removed session');
    return null;
  },

  listSessions: ({ core, caller }) => listSessions(core, caller),

  async getTransaction({ core, caller }, { transactionId }: OfTransaction) {
    const { userId } = await core.requireUser(caller);
    const found = core.store.transaction(userId, transactionId);
    if (found === undefined) throw new Error(`Transaction not found with id: ${transactionId}`);
    return shownTransaction(found);
  },

  async listTransactions({ core, caller }) {
    const { userId } = await core.requireUser(caller);
    return { transactions: core.store.transactionsOf(userId).map(shownTransaction) };
  },

  async deleteTransaction({ core, caller }, { transactionId }: OfTransaction) {
    deleteTransaction(core, await core.requireUser(caller), transactionId);
    return null;
  },

  async getUser({ core, caller }) {
    const { userId } = await core.requireUser(caller);
    return { userId, isAdmin: core.isAdmin(userId) };
  },
} as const satisfies Readonly<Record<UserMethod, Method>>;

interface WalletFilter {
  readonly signingProviderIds?: readonly string[];
}
