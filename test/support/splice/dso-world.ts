/**
 * Amulet with fees, for tests of the DSO's contracts: Alice, Bob and an app, and the contracts of Splice's
 * templates.
 */
import { amuletWorld, rewind } from './amulet-world.js';

export const DAY = 86_400_000_000n;

/** A template of Splice by its module and name. */
export const T = (name: string) => `#splice-amulet:Splice.${name}`;

export const inputAmulet = (coin: string) => ({ tag: 'InputAmulet', value: coin });

/** Each test starts with the same ledger. */
export function dsoWorld(bytes: Uint8Array) {
  const world = amuletWorld(bytes);
  rewind(world);
  const { canticle } = world;
  const { amulet, participant } = canticle;
  const contracts = (template: string) => participant.activeContracts({ template: T(template) });
  const payloads = (template: string) => contracts(template).map(({ payload }) => payload as any);
  return {
    ...world,
    amulet,
    participant,
    app: participant.allocateParty('app'),
    now: (later = 0n) => canticle.network.clock.now() + later,
    contracts,
    payloads,
    /** The payloads of the rounds of a kind, such as `Open`. */
    numbers: (kind: string) =>
      payloads(`Round:${kind}MiningRound`).map(({ round }) => Number(round.number)),
    payment: amulet.context().payment,
  };
}
