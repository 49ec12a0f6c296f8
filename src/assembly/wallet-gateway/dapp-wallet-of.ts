/** The wallet of dApps by its options. A scenario changes it before the gateway starts. */
import { durationOf } from '../../network/model/time-texts.js';
import type { Network } from '../../network/network.js';
import { DappWallet } from '../../wallet/dapp-wallet.js';
import type { WalletGatewayOptions } from './gateway-options.js';

const LEDGER_API_USER = 'ledger-api-user';

/** Undefined without a gateway. */
export function dappWalletOf(
  network: Network,
  given: boolean | WalletGatewayOptions | undefined,
): DappWallet | undefined {
  return given ? walletOf(network, given === true ? {} : given) : undefined;
}

/** The options of a scenario's head and of its caller, whose options count. */
export const bothGateways = (
  head: boolean | WalletGatewayOptions | undefined,
  given: boolean | WalletGatewayOptions | undefined,
): boolean | WalletGatewayOptions | undefined =>
  given === false || !head
    ? given
    : { ...(head === true ? {} : head), ...(typeof given === 'object' ? given : {}) };

export function walletOf(
  network: Network,
  { participant, user, mode, delay, failedEvents, replayEvents }: WalletGatewayOptions,
): DappWallet {
  const { users } =
    participant === undefined ? network.participants[0]! : network.participant(participant);
  const ofParticipant = users.has(LEDGER_API_USER) ? LEDGER_API_USER : 'participant_admin';
  return new DappWallet(
    network.journal,
    { id: user ?? ofParticipant, users },
    {
      ...(mode !== undefined && { mode }),
      ...(delay !== undefined && { delay: durationOf(delay) }),
      ...(failedEvents !== undefined && { failedEvents }),
      ...(replayEvents !== undefined && { replayEvents }),
    },
  );
}
