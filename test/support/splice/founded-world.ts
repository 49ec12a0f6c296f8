/**
 * A network like a LocalNet, founded by the code of Splice's DARs: three participants with a validator each, and
 * the DSO at `sv`.
 */
import { createCanticle, type AmuletOptions, type Canticle, type ParticipantView } from 'canticle';

import { onboardUser } from '../../../src/splice/validators/onboarding.js';

export const DSO_DARS = [
  'splice-amulet-0.1.22.dar',
  'splice-dso-governance-0.1.28.dar',
  'splice-wallet-0.1.23.dar',
  'splice-validator-lifecycle-0.1.8.dar',
  'splice-amulet-name-service-0.1.23.dar',
] as const;

/** The names of templates, short: `DsoRules` for `#splice-dso-governance:Splice.DsoRules:DsoRules`. */
/** A template of Splice by module and name: `template('Amulet:Amulet')`. */
export const T = (name: string) => `#splice-amulet:Splice.${name}`;
export const D = (name: string) => `#splice-dso-governance:Splice.${name}`;

export interface FoundedWorld {
  readonly canticle: Canticle;
  readonly dso: string;
  readonly sv: string;
  /** Payloads of the active contracts of that name that the DSO or the SV sees, in order of creation. */
  payloads(name: string): any[];
  /** Ids of the same. */
  ids(name: string): string[];
  /**
   * Exercises a choice at a participant, with all contracts that Scan discloses.
   * @returns its result, as Ledger API JSON
   */
  exercise(
    at: ParticipantView,
    template: string,
    contract: string,
    choice: string,
    argument: unknown,
    actAs: string[],
    readAs?: string[],
  ): any;
  /** The number of contracts of each template, by short name, without the test token's. */
  counts(): Record<string, number>;
}

export function foundedWorld(
  dars: readonly Uint8Array[],
  options: AmuletOptions = {},
): FoundedWorld {
  const canticle = createCanticle({
    synchronizers: [{ alias: 'global', identifier: 'global-domain', foundedBy: 'sv' }],
    participants: [{ name: 'sv' }, { name: 'app-provider' }, { name: 'app-user' }],
    dars: [...dars],
  });
  canticle.amulet.boot(options);
  const { dsoParty, validators } = canticle.splice;
  for (const validator of validators)
    onboardUser(dsoParty, validator, {
      userName: validator.participant.name,
      party: validator.party,
    });
  const active = () => {
    const contracts = canticle.participants.flatMap((each) => each.activeContracts());
    return [...new Map(contracts.map((each) => [each.contractId, each])).values()];
  };
  const nameOf = ({ templateId }: { templateId: string }) => templateId.replace(/^.*:/, '');
  const named = (name: string) => active().filter((each) => nameOf(each) === name);
  return {
    canticle,
    ids: (name) => named(name).map(({ contractId }) => contractId),
    exercise: (at, template, contract, choice, argument, actAs, readAs) =>
      at.exercise(template, contract, choice, argument, {
        actAs,
        readAs,
        disclosedContracts: PUBLIC.flatMap((name) => named(name)).map(
          ({ contractId, synchronizerId }) => ({
            contract: canticle.network.contracts.get(contractId)!.instance,
            synchronizerId,
          }),
        ),
      }).result,
    dso: canticle.splice.dsoParty,
    sv: canticle.splice.validator.party,
    payloads: (name) => named(name).map(({ payload }) => payload),
    counts: () => {
      const counts: Record<string, number> = {};
      for (const each of active())
        if (!each.templateId.includes('Canticle.'))
          counts[nameOf(each)] = (counts[nameOf(each)] ?? 0) + 1;
      return counts;
    },
  };
}

const PUBLIC = [
  'AmuletRules',
  'ExternalPartyAmuletRules',
  'AnsRules',
  'OpenMiningRound',
  'IssuingMiningRound',
  'FeaturedAppRight',
  'ExternalPartyConfigState',
];

let shared: { readonly world: FoundedWorld; readonly start: string } | undefined;

/** One network with defaults for all suites that run together: each test starts with its founded state. */
export function sharedWorld(dars: readonly Uint8Array[]): FoundedWorld {
  if (shared === undefined) {
    const world = foundedWorld(dars);
    shared = { world, start: world.canticle.snapshot() };
  }
  const { world, start } = shared;
  beforeEach(() => world.canticle.revert(start));
  return world;
}
