/** The state of the gateway. A revert of the network restores it, and a saved world contains it. */
import type { Timestamp } from '../../daml/model/values.js';
import { JournaledCell, JournaledMap, type Journal } from '../../network/journal/journal.js';
import type { SeededRandom } from '../../network/journal/random.js';
import type {
  GatewayNetwork,
  GatewayTransaction,
  Idp,
  Session,
  UserRight,
  Wallet,
} from './records.js';

/** A message that a dApp wants to have signed. */
export interface MessageToSign {
  readonly id: string;
  readonly userId: string;
  readonly partyId: string;
  readonly message: string;
  readonly origin?: string;
}

/** The largest numbers of what it stores. */
export const MAX_NETWORKS = 100;
export const MAX_WALLETS = 10_000;
export const MAX_TRANSACTIONS = 10_000;
export const MAX_SESSIONS = 10_000;

interface Numbered<T> {
  readonly number: number;
  readonly value: T;
}

/** Entries by key, in the order in which they were added. */
class Table<T> {
  private readonly entries: JournaledMap<string, Numbered<T>>;
  private readonly added: JournaledCell<number>;

  /** @param what for the error, in the plural */
  constructor(
    journal: Journal,
    private readonly what: string,
    private readonly limit: number,
  ) {
    this.entries = new JournaledMap(journal, `wallet-gateway/${what}`);
    this.added = new JournaledCell(journal, `wallet-gateway/${what}-added`, 0);
  }

  get(key: string): T | undefined {
    return this.entries.get(key)?.value;
  }

  /** @throws Error for a new entry above the limit */
  set(key: string, value: T): void {
    const known = this.entries.get(key);
    if (known === undefined && this.entries.size >= this.limit)
      throw new Error(`The wallet gateway stores at most ${this.limit} ${this.what}.`);
    const number = known?.number ?? (this.added.value += 1);
    this.entries.set(key, { number, value });
  }

  delete(key: string): void {
    this.entries.delete(key);
  }

  all(): T[] {
    return this.entries
      .sortedKeys()
      .map((key) => this.entries.get(key)!)
      .sort((one, other) => one.number - other.number)
      .map(({ value }) => value);
  }
}

export class GatewayStore {
  readonly idps: Table<Idp>;
  readonly networks: Table<GatewayNetwork>;
  /** By user. */
  readonly sessions: Table<Session>;
  private readonly wallets: Table<{ readonly userId: string; readonly wallet: Wallet }>;
  readonly transactions: Table<GatewayTransaction>;
  readonly messages: Table<MessageToSign>;
  /** When the wallet decides about a request, in microseconds, by its id. */
  readonly due: JournaledMap<string, Timestamp>;
  private readonly userRights: Table<readonly UserRight[]>;
  /** The name of a key of this network, by public key in base64. */
  readonly keys: Table<string>;
  private readonly draws: JournaledCell<number>;

  constructor(
    readonly journal: Journal,
    private readonly random: SeededRandom,
  ) {
    this.idps = new Table(journal, 'identity providers', MAX_NETWORKS);
    this.networks = new Table(journal, 'networks', MAX_NETWORKS);
    this.sessions = new Table(journal, 'sessions', MAX_SESSIONS);
    this.wallets = new Table(journal, 'wallets', MAX_WALLETS);
    this.transactions = new Table(journal, 'transactions', MAX_TRANSACTIONS);
    this.messages = new Table(journal, 'messages', MAX_TRANSACTIONS);
    this.due = new JournaledMap(journal, 'wallet-gateway/due');
    this.userRights = new Table(journal, 'user rights', MAX_WALLETS);
    this.keys = new Table(journal, 'keys', MAX_WALLETS);
    this.draws = new JournaledCell(journal, 'wallet-gateway/draws', 0);
  }

  /** A UUID from the seed. The ids of the ledger do not depend on it. */
  newId(): string {
    return this.random.uuidAt('wallet-gateway', (this.draws.value += 1));
  }

  /** The network of the user's session. @throws Error without a session, or for a removed network */
  networkOf(userId: string): GatewayNetwork {
    const session = this.sessions.get(userId);
    if (session === undefined) throw new Error('No session found');
    return this.network(session.network);
  }

  /** @throws Error for an unknown network */
  network(id: string): GatewayNetwork {
    const found = this.networks.get(id);
    if (found === undefined) throw new Error(`Network "${id}" not found`);
    return found;
  }

  /** @throws Error for an unknown identity provider */
  idp(id: string): Idp {
    const found = this.idps.get(id);
    if (found === undefined) throw new Error(`IDP "${id}" not found`);
    return found;
  }

  /** The user's wallets of the network of its session. */
  walletsOf(userId: string): Wallet[] {
    const { id } = this.networkOf(userId);
    return this.wallets
      .all()
      .filter((each) => each.userId === userId && each.wallet.networkId === id)
      .map(({ wallet }) => wallet);
  }

  primaryWallet(userId: string): Wallet | undefined {
    return this.walletsOf(userId).find(({ primary }) => primary);
  }

  /** The first usable wallet of a network becomes primary. @throws Error if it exists */
  addWallet(userId: string, given: Wallet): Wallet {
    const wallets = this.walletsOf(userId);
    const { partyId, networkId } = given;
    if (wallets.some((each) => each.partyId === partyId))
      throw new Error(
        `Wallet with partyId "${partyId}" networkId "${networkId}" userId "${userId}" already exists`,
      );
    const isUsable = given.disabled !== true && given.status === 'allocated';
    const primary = given.primary || (isUsable && !wallets.some((each) => each.primary));
    const wallet = { ...given, primary };
    if (primary) this.unsetPrimary(userId);
    this.wallets.set(walletKey(userId, wallet), { userId, wallet });
    return wallet;
  }

  updateWallet(userId: string, wallet: Wallet, changes: Partial<Wallet>): Wallet {
    const updated = { ...wallet, ...changes };
    this.wallets.set(walletKey(userId, wallet), { userId, wallet: updated });
    return updated;
  }

  /** @throws Error if the user has no such wallet in the network of its session */
  setPrimaryWallet(userId: string, partyId: string): void {
    const wallet = this.walletsOf(userId).find((each) => each.partyId === partyId);
    if (wallet === undefined)
      throw new Error(
        `Wallet with partyId "${partyId}" not found in network "${this.networkOf(userId).id}"`,
      );
    this.unsetPrimary(userId);
    this.updateWallet(userId, wallet, { primary: true });
  }

  private unsetPrimary(userId: string): void {
    const primary = this.primaryWallet(userId);
    if (primary !== undefined) this.updateWallet(userId, primary, { primary: false });
  }

  rightsOf(userId: string, networkId: string): readonly UserRight[] {
    return this.userRights.get(`${networkId}/${userId}`) ?? [];
  }

  setRights(userId: string, networkId: string, rights: readonly UserRight[]): void {
    this.userRights.set(`${networkId}/${userId}`, rights);
  }

  /** A transaction of the user in the network of its session. */
  transaction(userId: string, id: string): GatewayTransaction | undefined {
    const network = this.networkOf(userId).id;
    const found = this.transactions.get(id);
    return found?.userId === userId && found.networkId === network ? found : undefined;
  }

  transactionsOf(userId: string): GatewayTransaction[] {
    const network = this.networkOf(userId).id;
    return this.transactions
      .all()
      .filter((each) => each.userId === userId && each.networkId === network);
  }

  updateTransaction(id: string, changes: Partial<GatewayTransaction>): GatewayTransaction {
    const updated = { ...this.transactions.get(id)!, ...changes };
    this.transactions.set(id, updated);
    return updated;
  }
}

const walletKey = (userId: string, { networkId, partyId }: Wallet): string =>
  `${networkId}/${partyId}/${userId}`;
