/** The options of the Wallet Gateway. */
import type { Duration } from '../../network/model/time-texts.js';

/** A wallet for dApps, as Splice's Wallet Gateway serves it, and how its user behaves. */
export interface WalletGatewayOptions {
  /**
   * Port of the gateway: any free one by default, 0 too; 3030 for `canticle sandbox`, and for a LocalNet with the ports of a LocalNet. A
   * Canticle also serves the gateway below its own port, and in process.
   */
  readonly port?: number;
  /** The name of the participant whose parties are wallets; the first one by default, app-user of a LocalNet. */
  readonly participant?: string;
  /** The user of the wallet, at the participant. By default `ledger-api-user`, as on a LocalNet, or the participant's administrator. */
  readonly user?: string;
  /** Id of the network, as dApps see it; `canton:localnet` by default. */
  readonly network?: string;
  /** Hints of external parties for which the first session creates wallets. The first one becomes primary. None by default. */
  readonly wallets?: readonly string[];
  /** Whether the wallet approves each request, the default, asks the user or the test, or rejects it. */
  readonly mode?: 'approve' | 'ask' | 'reject';
  /** Time of the network until the wallet approves or rejects, such as `{ seconds: 5 }`; none by default. */
  readonly delay?: Duration;
  /**
   * Whether a rejection, and an error of the execution, emits `txChanged` with `failed`. False by default: the gateway emits nothing then.
   */
  readonly failedEvents?: boolean;
  /** Whether a page that connects later gets the events of its session again. False by default, as in the gateway. */
  readonly replayEvents?: boolean;
}
