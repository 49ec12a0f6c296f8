/** Splice's wallet over Amulet: a validator with the wallets of Alice, Bob and itself, and an app that is paid. */
import { instant } from './amulet-client.js';
import { AMULET_DAR, amuletWorld, rewind, WITH_FEES } from './amulet-world.js';
import { answer } from '../daml/lf-probe.js';

export const WALLET_DARS = [
  AMULET_DAR,
  'splice-wallet-0.1.14.dar',
  'splice-wallet-payments-0.1.14.dar',
] as const;
export const HOUR = 3_600_000_000n;

/** A template of the wallet by its module and name. */
export const W = (name: string) => `#splice-wallet:Splice.Wallet.${name}`;
export const P = (name: string) => `#splice-wallet-payments:Splice.Wallet.${name}`;

/** An operation of a batch. */
export const operation = (tag: string, value: unknown = {}) => ({ tag, value });

/** Each test begins with the same ledger. */
export function walletWorld(amuletDar: Uint8Array, ...dars: Uint8Array[]) {
  const world = amuletWorld(amuletDar, WITH_FEES, dars);
  rewind(world);
  const { canticle, dso, alice, bob } = world;
  const { amulet, participant } = canticle;
  const [validator, app] = ['validator', 'app'].map((hint) => participant.allocateParty(hint)) as [
    string,
    string,
  ];
  const { payment } = amulet.context();
  const appContext = {
    amuletRules: payment.amuletRules,
    openMiningRound: payment.context.openMiningRound,
    featuredAppRight: null,
  };
  const now = (later = 0n) => instant(canticle.network.clock.now() + later);
  const coin = (owner: string, amount: string) => ({
    tag: 'InputAmulet',
    value: amulet.tap(owner, amount),
  });
  const held = (party: string) =>
    amulet
      .holdings(party)
      .map(({ payload }: any) => (payload.amulet ?? payload).amount.initialAmount);
  const act = (
    template: string,
    id: string,
    choice: string,
    argument: object,
    actAs: string[],
    readAs?: string[],
  ) => answer(() => world.exercise(template, id, choice, argument, actAs, readAs)) as any;

  const install = (endUserParty: string): string =>
    participant.create(
      W('Install:WalletAppInstall'),
      { dsoParty: dso, validatorParty: validator, endUserName: 'a user', endUserParty },
      { actAs: [endUserParty, validator] },
    );
  const installs = {
    [alice]: install(alice),
    [bob]: install(bob),
    [validator]: install(validator),
  };
  /** A choice of the install of a user, by the validator. */
  const of = (
    user: string,
    choice: string,
    argument: object,
    actor = validator,
    readAs: readonly string[] = [],
  ) =>
    act(
      W('Install:WalletAppInstall'),
      installs[user]!,
      `WalletAppInstall_${choice}`,
      argument,
      [actor],
      [user, ...readAs],
    );
  const batch = (user: string, inputs: object[], ...operations: object[]) =>
    of(user, 'ExecuteBatch', { context: payment, inputs, operations });
  return {
    ...world,
    ...{ amulet, participant, validator, app, payment, appContext },
    ...{ now, coin, held, act, of, batch },
  };
}
