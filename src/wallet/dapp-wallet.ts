/**
 * The wallet of dApps, as scenarios see it: its behaviour, and orders to its user. Scenarios do not wait, so the Wallet Gateway carries
 * out an order before it answers the next call. Both are part of the state of the network.
 */
import { JournaledCell, type Journal } from '../network/journal/journal.js';
import type { UserStore } from '../network/administration/users.js';
import { ScenarioError } from './scenario-error.js';

/** How the wallet behaves. A revert restores it. */
export interface WalletSettings {
  /** Whether the wallet approves each request, asks, or rejects it. */
  readonly mode: 'approve' | 'ask' | 'reject';
  /** Microseconds of ledger time until the wallet decides. */
  readonly delay: bigint;
  /** The error of its signing provider. */
  readonly fail?: string | undefined;
  readonly isLocked: boolean;
  /** Whether a rejection, or an error of the execution, emits the event `failed`. */
  readonly failedEvents: boolean;
  /** Whether a new subscriber gets the earlier events of its session. */
  readonly replayEvents: boolean;
}

const DEFAULT_SETTINGS: WalletSettings = {
  mode: 'approve',
  delay: 0n,
  isLocked: false,
  failedEvents: false,
  replayEvents: false,
};

/** An order that needs a session of the user. */
export type WalletOrder =
  /** The id of a party, or the hint of an external one. */
  | { readonly kind: 'account'; readonly party: string }
  | { readonly kind: 'network'; readonly id: string };

/** The orders that wait for a session. */
const MAX_ORDERS = 1000;

/** The gateway of the wallet. Without a session, these change only the settings. */
export interface WalletSession {
  lock(): void;
  unlock(): Promise<void>;
  disconnect(): void;
  dropSession(): void;
  /** Carries out the orders, if there is a session. */
  ordered(): void;
}

export class DappWallet {
  private readonly setting: JournaledCell<WalletSettings>;
  private readonly orders: JournaledCell<readonly WalletOrder[]>;
  /** Absent until the gateway starts: the scenario of an instance runs before. */
  session: WalletSession | undefined;

  /** @param user the user of the wallet at its participant */
  constructor(
    journal: Journal,
    readonly user: { readonly id: string; readonly users: UserStore },
    settings: Partial<WalletSettings>,
  ) {
    const initial = { ...DEFAULT_SETTINGS, ...settings };
    this.setting = new JournaledCell<WalletSettings>(journal, 'wallet-gateway/settings', initial);
    this.orders = new JournaledCell<readonly WalletOrder[]>(journal, 'wallet-gateway/orders', []);
  }

  get settings(): WalletSettings {
    return this.setting.value;
  }

  set settings(settings: WalletSettings) {
    this.setting.value = settings;
  }

  get hasOrders(): boolean {
    return this.orders.value.length > 0;
  }

  /** @throws ScenarioError above the limit */
  order(order: WalletOrder): void {
    const waiting = this.orders.value;
    if (waiting.length >= MAX_ORDERS)
      throw new ScenarioError(
        `The wallet keeps at most ${MAX_ORDERS} orders. It carries them out when a dApp connects.`,
      );
    this.orders.value = [...waiting, order];
    this.session?.ordered();
  }

  /** The oldest order, which is then no longer there. */
  takeOrder(): WalletOrder | undefined {
    const [oldest, ...others] = this.orders.value;
    if (oldest !== undefined) this.orders.value = others;
    return oldest;
  }
}
