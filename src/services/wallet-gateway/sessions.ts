/** Sessions, and the status that a dApp sees. */
import { loginUrl, type Caller, type GatewayCore, type User } from './gateway-core.js';
import type { GatewayNetwork } from './records.js';
import { chooseAccount, createWallet, syncWallets } from './wallets.js';

/** The content of `status` and its events. */
export interface Status {
  readonly provider: object;
  readonly connection: Connection;
  readonly network?: object;
  readonly session?: object;
}

export interface Connection {
  readonly isConnected: boolean;
  readonly reason?: string;
  readonly isNetworkConnected: boolean;
  readonly networkReason?: string;
  readonly userUrl?: string;
}

/** The user, if it has a token and a session. */
async function connectedUser(
  core: GatewayCore,
  caller: Caller,
): Promise<(User & { readonly network: GatewayNetwork; readonly sessionId: string }) | undefined> {
  const user = await core.userOf(caller);
  const session = user && core.store.sessions.get(user.userId);
  if (user === undefined || session === undefined) return undefined;
  return { ...user, network: core.store.networkOf(user.userId), sessionId: session.id };
}

/** Also emits the status, if it is a request to connect. */
export async function connectionOf(
  core: GatewayCore,
  caller: Caller,
  isRequest: boolean,
): Promise<Connection> {
  const userUrl = loginUrl(caller.root);
  const user = await connectedUser(core, caller);
  if (user === undefined)
    return {
      isConnected: false,
      isNetworkConnected: false,
      networkReason: 'Unauthenticated',
      userUrl,
    };
  const { network, accessToken, userId } = user;
  const status = await core.ledgerOf(network, accessToken).status();
  const connection = {
    isConnected: true,
    reason: 'OK',
    isNetworkConnected: status.isConnected,
    networkReason: status.reason,
    userUrl,
  };
  if (isRequest)
    emitStatus(core, userId, {
      provider: core.provider(caller),
      connection,
      ...placeOf(core, caller, network, user),
    });
  return connection;
}

const emitStatus = (core: GatewayCore, userId: string, status: Status): void => {
  core.events.emit(userId, 'statusChanged', status);
  core.events.emit(userId, 'connected', status);
};

const placeOf = (
  core: GatewayCore,
  caller: Caller,
  network: GatewayNetwork,
  { accessToken, userId }: User,
) => ({
  network: { networkId: network.id, ledgerApi: core.ledgerUrl(network, caller), accessToken },
  session: { accessToken, userId },
});

export async function statusOf(core: GatewayCore, caller: Caller): Promise<Status> {
  const provider = core.provider(caller);
  const user = await connectedUser(core, caller);
  if (user === undefined)
    return {
      provider,
      connection: {
        isConnected: false,
        reason: 'Unauthenticated',
        isNetworkConnected: false,
        networkReason: 'Unauthenticated',
      },
    };
  const { network, accessToken, sessionId } = user;
  const status = await core.ledgerOf(network, accessToken).status();
  const place = placeOf(core, caller, network, user);
  return {
    provider,
    connection: {
      isConnected: true,
      reason: 'OK',
      isNetworkConnected: status.isConnected,
      networkReason: status.reason,
    },
    ...place,
    session: { id: sessionId, ...place.session },
    // NOTE: the document has this member elsewhere; the gateway sends it here.
    ...{ userUrl: loginUrl(caller.root) },
  };
}

/** A network as the user API shows it. */
export function shownNetwork(core: GatewayCore, network: GatewayNetwork, caller: Caller) {
  const { userId: _, ...rest } = network;
  return { ...rest, ledgerApi: core.ledgerUrl(network, caller) };
}

/** @throws Error that hides the cause, as the gateway does */
export async function addSession(core: GatewayCore, caller: Caller, networkId: string) {
  try {
    const user = await core.requireUser(caller);
    return await openSession(core, caller, user, networkId);
  } catch (cause) {
    throw new Error('Failed to add session', { cause });
  }
}

async function openSession(core: GatewayCore, caller: Caller, user: User, networkId: string) {
  const { store } = core;
  const { userId, accessToken } = user;
  const id = store.newId();
  core.events.forget(userId);
  store.sessions.set(userId, { id, network: networkId, accessToken });
  const network = store.networkOf(userId);
  const idp = store.idp(network.identityProviderId);
  const ledger = core.ledgerOf(network, accessToken);
  const { isConnected, reason } = await ledger.status();
  const { url: _, ...provider } = core.provider(caller);
  emitStatus(core, userId, {
    provider,
    connection: { isConnected, reason, isNetworkConnected: isConnected, networkReason: reason },
    ...placeOf(core, caller, network, user),
  });
  // Only the first session adds the user's parties.
  if (store.walletsOf(userId).length === 0) {
    if (network.adminAuth === undefined) throw new Error('No admin auth configured');
    await syncWallets(core, user);
    await addStartWallets(core, user);
  }
  if (core.session?.id === id) await carryOutOrders(core, caller.root);
  return {
    id,
    accessToken,
    network: shownNetwork(core, network, caller),
    idp,
    status: isConnected ? 'connected' : 'disconnected',
    reason,
    rights: store.rightsOf(userId, network.id),
  };
}

/** The wallets of the options. The first one becomes primary. */
async function addStartWallets(core: GatewayCore, user: User): Promise<void> {
  const { userId, wallets } = core.start;
  if (user.userId !== userId) return;
  for (const [index, partyHint] of wallets.entries())
    await createWallet(core, user, {
      partyHint,
      signingProviderId: 'wallet-kernel',
      primary: index === 0,
    });
}

/** Carries out the orders of scenarios, oldest first. There must be a session. */
export async function carryOutOrders(core: GatewayCore, root: string): Promise<void> {
  const { userId } = core.start;
  while (core.session !== undefined) {
    const order = core.wallet.takeOrder();
    if (order === undefined) return;
    const user = { userId, accessToken: core.session.accessToken };
    if (order.kind === 'account') await chooseAccount(core, user, order.party);
    else await moveSession(core, user, order.id, root);
  }
}

/** Moves the session to a network, and tells dApps. The participant of an unknown network is not reachable. */
export async function moveSession(
  core: GatewayCore,
  { userId, accessToken }: User,
  id: string,
  root: string,
): Promise<void> {
  const { store, start } = core;
  if (store.networks.get(id) === undefined) {
    const [first] = start.networks;
    const ledgerApi = 'http://unreachable.invalid';
    store.networks.set(id, { ...first!, id, name: id, ledgerApi });
  }
  store.sessions.set(userId, { ...store.sessions.get(userId)!, network: id });
  await emitStatusOf(core, { root, token: accessToken });
  core.emitAccounts(userId);
}

/** Emits the status of the wallet's user. */
export async function emitStatusOf(core: GatewayCore, caller: Caller): Promise<void> {
  core.events.emit(core.start.userId, 'statusChanged', await statusOf(core, caller));
}

export async function listSessions(core: GatewayCore, caller: Caller) {
  const { userId, accessToken } = await core.requireUser(caller);
  const { store } = core;
  const session = store.sessions.get(userId);
  if (session === undefined) return { sessions: [] };
  const network = store.network(session.network);
  const { isConnected, reason } = await core.ledgerOf(network, accessToken).status();
  return {
    sessions: [
      {
        id: session.id,
        network: shownNetwork(core, network, caller),
        idp: store.idp(network.identityProviderId),
        accessToken,
        status: isConnected ? 'connected' : 'disconnected',
        reason,
        rights: store.rightsOf(userId, network.id),
      },
    ],
  };
}

/** @param networkReason in the event */
export function removeSession(
  core: GatewayCore,
  caller: Pick<Caller, 'root'>,
  userId: string,
  networkReason: string,
): void {
  core.store.sessions.delete(userId);
  core.emitDisconnected(userId, caller, networkReason);
}
