/**
 * Splice's Amulet from its DAR, for tests and benchmarks of the real code if the DAR is installed: a network that
 * boots once, and helpers for its tests.
 */
import { createCanticle, type AmuletOptions, type Canticle } from 'canticle';

export const AMULET_DAR = 'splice-amulet-0.1.14.dar';
export const AMULET_RULES = '#splice-amulet:Splice.AmuletRules:AmuletRules';
export const AMULET = '#splice-amulet:Splice.Amulet:Amulet';
export const LOCKED_AMULET = '#splice-amulet:Splice.Amulet:LockedAmulet';

/**
 * A world with the fees before CIP-78, at one dollar per amulet. Only the test advances rounds, so that amounts are
 * predictable.
 */
export const WITH_FEES: AmuletOptions = {
  price: '1.0',
  fees: 'before-cip-78',
  automaticRounds: false,
};

export interface AmuletWorld {
  readonly canticle: Canticle;
  readonly dso: string;
  readonly alice: string;
  readonly bob: string;
  /**
   * Exercises a choice with the disclosed contracts that Amulet's choices need.
   * @returns its result, as Ledger API JSON
   */
  exercise(
    template: string,
    contract: string,
    choice: string,
    argument: unknown,
    actAs: string[],
    readAs?: string[],
  ): any;
  /** A choice of the rules. */
  rules(choice: string, argument: unknown, actAs: string[], readAs?: string[]): any;
  /** The `Transfer` of AmuletRules, with all required acting parties. */
  transfer(transfer: TransferSpec, context?: object): any;
  payload(contract: string): any;
}

export interface TransferSpec {
  readonly sender: string;
  readonly provider?: string;
  readonly inputs: readonly (string | object)[];
  readonly outputs: readonly {
    receiver: string;
    amount: string;
    receiverFeeRatio?: string;
    lock?: object;
  }[];
  readonly beneficiaries?: readonly object[];
  /** By default: the sender, its provider, each receiver and each lock holder. */
  readonly actAs?: string[];
  readonly readAs?: string[];
}

export function amuletWorld(
  dar: Uint8Array,
  options: AmuletOptions = WITH_FEES,
  dars: readonly Uint8Array[] = [],
  cache?: string | false,
): AmuletWorld {
  const canticle = createCanticle({ seed: 1, amulet: { dar, ...options }, dars, cache });
  const { participant, amulet } = canticle;
  const [alice, bob] = ['alice', 'bob'].map((hint) => participant.allocateParty(hint)) as [
    string,
    string,
  ];
  const dso = amulet.admin;
  const exercise: AmuletWorld['exercise'] = (template, contract, choice, argument, actAs, readAs) =>
    participant.exercise(template, contract, choice, argument, {
      actAs,
      readAs,
      disclosedContracts: disclosed(canticle, DISCLOSED),
    }).result;
  const rules: AmuletWorld['rules'] = (choice, argument, actAs, readAs) =>
    exercise(AMULET_RULES, amulet.rules, choice, argument, actAs, readAs);
  return {
    canticle,
    dso,
    alice,
    bob,
    exercise,
    rules,
    transfer: (
      { sender, provider = sender, inputs, outputs, beneficiaries, actAs, readAs },
      context = {},
    ) => {
      const transfer = {
        sender,
        provider,
        inputs: inputs.map((each) =>
          typeof each === 'string' ? { tag: 'InputAmulet', value: each } : each,
        ),
        outputs: outputs.map((each) => ({ receiverFeeRatio: '0.0', lock: null, ...each })),
        beneficiaries: beneficiaries ?? null,
      };
      const holders = outputs.flatMap(
        ({ lock }) => (lock as { holders?: string[] })?.holders ?? [],
      );
      const all = [sender, provider, ...outputs.map(({ receiver }) => receiver), ...holders];
      return rules(
        'AmuletRules_Transfer',
        {
          transfer,
          context: { ...amulet.context().payment.context, ...context },
          expectedDso: dso,
        },
        actAs ?? [...new Set(all)],
        readAs,
      );
    },
    payload: (contract) => participant.contract(contract)?.payload,
  };
}

/** Templates that Scan discloses to all: Amulet's choices read them, and only the DSO sees them. */
const DISCLOSED = [
  'AmuletRules:AmuletRules',
  'ExternalPartyAmuletRules:ExternalPartyAmuletRules',
  'Round:OpenMiningRound',
  'Round:IssuingMiningRound',
  'Amulet:FeaturedAppRight',
  'AmuletRules:TransferPreapproval',
].map((name) => `#splice-amulet:Splice.${name}`);

function disclosed({ participant, network }: Canticle, templates: readonly string[]) {
  return templates
    .flatMap((template) => participant.activeContracts({ template }))
    .map(({ contractId, synchronizerId }) => ({
      contract: network.contracts.get(contractId)!.instance,
      synchronizerId,
    }));
}

/** Each test ends with a revert of the world. */
export function rewind({ canticle }: AmuletWorld): void {
  let before: string;
  beforeEach(() => {
    before = canticle.snapshot();
  });
  afterEach(() => canticle.revert(before));
}

/** The error of a failed requirement of Splice's code (Splice.Util.require). */
export const requirement = (text: string) => ({
  refused: 'DAML_FAILURE',
  cause: expect.stringContaining(`The requirement '${text}' was not met.`) as string,
});

/** A failure whose message contains that text. */
export const failure = (text: string) => ({
  refused: 'DAML_FAILURE',
  cause: expect.stringContaining(text) as string,
});

/** The error of commands without a required authorizer. */
export const UNAUTHORIZED = { refused: 'DAML_AUTHORIZATION_ERROR' };
