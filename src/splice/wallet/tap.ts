/** Amulets for nothing, where the DSO says that it is a DevNet (V-TAP-002, V-TAP-005). */
import { Numeric } from '../../daml/model/numeric.js';
import type { ContractId } from '../../daml/model/values.js';
import { latestOpenRound } from './rounds.js';
import { commandIdFor, type Deduplicated } from './submit.js';
import { executeOperation } from './treasury.js';
import type { Wallet } from './wallet.js';

/** How long a repeated request is answered as the first one was, in microseconds: a day. */
export const DEDUPLICATED_FOR = 86_400_000_000n;

/**
 * A request that is answered once in a day.
 * @param method as Splice calls it
 */
export function onceADay(
  { party }: Wallet,
  method: string,
  ...discriminator: readonly string[]
): Deduplicated {
  return {
    commandId: commandIdFor(method, [party], ...discriminator),
    period: { kind: 'duration', microseconds: DEDUPLICATED_FOR },
    recovers: true,
  };
}

/** @param dollars in USD @param id of a request that may be repeated @throws WalletRefusal, OperationFailed, LedgerError */
export function tap(wallet: Wallet, dollars: Numeric, id: string | undefined): ContractId {
  const { amuletPrice } = latestOpenRound(wallet.splice).payload as unknown as {
    readonly amuletPrice: Numeric;
  };
  const operation = {
    tag: 'CO_Tap',
    value: { tapAmount: atLeast(dollars, amuletPrice).toString() },
  };
  const deduplicated =
    id === undefined
      ? undefined
      : onceADay(wallet, 'org.lfdecentralizedtrust.splice.wallet.tap', id);
  return executeOperation(wallet, operation, { deduplicated }) as ContractId;
}

/** The quotient, rounded up. */
function atLeast(dividend: Numeric, divisor: Numeric): Numeric {
  const shifted = dividend.unscaled * 10n ** BigInt(divisor.scale);
  const quotient = shifted / divisor.unscaled;
  const isExact = quotient * divisor.unscaled === shifted || shifted < 0n;
  return Numeric.fromUnscaled(isExact ? quotient : quotient + 1n, dividend.scale);
}
