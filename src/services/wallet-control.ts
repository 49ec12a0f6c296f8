/** The test's control of the wallet of the Wallet Gateway. */
import type { Duration } from '../network/model/time-texts.js';

/** A request of a dApp that waits for a decision. */
export interface WalletRequest {
  /** A UUID: the id of the transaction, or of the message. */
  readonly id: string;
  /** Whether the dApp wants to submit a transaction, or to have a message signed. */
  readonly kind: 'transaction' | 'message';
  /** The command id, of a transaction. */
  readonly commandId?: string;
  /** The party that signs. */
  readonly party: string;
  /** The user whose session asks. */
  readonly user: string;
  /** The origin of the page that asks. */
  readonly origin?: string;
  /** Names of the choices that its commands exercise, and of the templates that they create. */
  readonly actions: readonly string[];
  /** The parameters of `prepareExecute`. */
  readonly request?: object;
  /** The text to sign. */
  readonly message?: string;
}

/** A decided request, with the answer of the participant. */
export interface DecidedRequest extends WalletRequest {
  /** The id of the update, of an executed transaction. */
  readonly updateId?: string;
  /** The offset of the completion at the participant. */
  readonly completionOffset?: number;
  /** Base64, of a message. */
  readonly signature?: string;
}

/** How the wallet approves. */
export interface ApproveOptions {
  /** The id of a request; by default the oldest that waits, or the next one. */
  readonly id?: string;
  /** Time of the network that passes before the wallet signs, as for a user who comes back late. */
  readonly after?: Duration;
  /** Whether the wallet loses the answer of the participant: the transaction is committed, and no dApp learns of it. */
  readonly loseAnswer?: boolean;
  /** Ends the wait for a request. */
  readonly signal?: AbortSignal;
}

/** Which request the wallet rejects. */
export interface RejectOptions {
  /** The id of a request; by default the oldest that waits, or the next one. */
  readonly id?: string;
  /** Ends the wait for a request. */
  readonly signal?: AbortSignal;
}

/** A wallet: a party, and the key that signs for it. */
export interface WalletAccount {
  /** The id of the party. */
  readonly partyId: string;
  /** The first part of the party's id. */
  readonly hint: string;
  /** Whether dApps use it by default. */
  readonly primary: boolean;
  /** `wallet-kernel` if the wallet signs, `participant` for a party of the participant. */
  readonly signingProviderId: string;
}

/** The session of the wallet's user. */
export interface WalletSession {
  /** A UUID. */
  readonly id: string;
  /** The id of the user at the participant. */
  readonly user: string;
  /** The bearer token for the gateway and the Ledger API. */
  readonly token: string;
  /** The id of its network. */
  readonly network: string;
}

/** The wallet of the Wallet Gateway, in the hands of a test. A revert restores its state. */
export interface WalletControl {
  /** Whether the wallet approves each request automatically, asks, or rejects it. */
  mode: 'approve' | 'ask' | 'reject';
  /** Microseconds of the network's time until an automatic decision. You can also set other forms, such as `{ seconds: 5 }`. */
  get delay(): bigint;
  set delay(delay: Duration);
  /** The error of the wallet's signing provider; undefined, the default, if it signs. */
  fail: string | undefined;
  /** Whether a rejection, and an error of the execution, emits `failed`. The gateway emits nothing then. */
  failedEvents: boolean;
  /** Whether a page that connects later gets the events of its session again. */
  replayEvents: boolean;
  /** Whether the wallet is locked: it then treats each dApp as if there were no session. */
  readonly isLocked: boolean;
  /** The requests that wait for a decision, oldest first. */
  readonly pending: readonly WalletRequest[];
  /** The session of the wallet's user, if there is one. */
  readonly session: WalletSession | undefined;
  /** The wallets of the network of the session. */
  readonly wallets: readonly WalletAccount[];
  /**
   * Approves a request. Without one, waits for the next.
   * @throws LedgerRefused if the participant rejects the transaction, Error for an unknown id
   */
  approve(options?: ApproveOptions): Promise<DecidedRequest>;
  /** Rejects a request. Without one, waits for the next. @throws Error for an unknown id */
  reject(options?: RejectOptions): Promise<WalletRequest>;
  /** The oldest request that waits for a decision. Without one, waits for the next. */
  request(): Promise<WalletRequest>;
  /**
   * Calls a listener with each event for the wallet's dApps, such as `txChanged`. For a provider in this process, `failure` comes, too.
   * @param ended is called if the wallet drops the session
   * @returns a function that removes the listener
   */
  listen(
    listener: (name: string, args: readonly unknown[]) => void,
    ended?: () => void,
  ): () => void;
  /** Logs the wallet's user in, as the login page does. */
  connect(): Promise<WalletSession>;
  /** Makes a wallet primary, by its party or the hint of its party. Creates the wallet of an unknown hint. */
  as(party: string): Promise<WalletAccount>;
  /** Locks the wallet, and tells dApps that they are not connected. */
  lock(): void;
  /** Unlocks it. The session is as before. */
  unlock(): Promise<void>;
  /** Moves the session to another network, by its id. The participant of a network that the wallet does not know is not reachable. */
  network(id: string): Promise<void>;
  /** Ends the session, as a logout: dApps get `statusChanged`. */
  disconnect(): void;
  /** Ends the session without an event, and cuts off the streams of events. */
  dropSession(): void;
}
