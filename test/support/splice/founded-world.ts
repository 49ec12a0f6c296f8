/** A network as a LocalNet has it, founded by the code of Splice's DARs: three participants with a validator each, and the DSO at `sv`. */
import { createCanticle, type AmuletOptions, type Canticle } from 'canticle';

export const DSO_DARS = [
  'splice-amulet-0.1.22.dar',
  'splice-dso-governance-0.1.28.dar',
  'splice-wallet-0.1.23.dar',
  'splice-validator-lifecycle-0.1.8.dar',
  'splice-amulet-name-service-0.1.23.dar',
] as const;

/** The names of templates, short: `DsoRules` for `#splice-dso-governance:Splice.DsoRules:DsoRules`. */
export interface FoundedWorld {
  readonly canticle: Canticle;
  readonly dso: string;
  readonly sv: string;
  /** Payloads of the active contracts of that name that the DSO or the SV sees, in order of creation. */
  payloads(name: string): any[];
  /** How many contracts of each template anybody has, by short name, but for the test token's. */
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
  const active = () => {
    const contracts = canticle.participants.flatMap((each) => each.activeContracts());
    return [...new Map(contracts.map((each) => [each.contractId, each])).values()];
  };
  const nameOf = ({ templateId }: { templateId: string }) => templateId.replace(/^.*:/, '');
  return {
    canticle,
    dso: canticle.splice.dsoParty,
    sv: canticle.splice.validator.party,
    payloads: (name) =>
      active()
        .filter((each) => nameOf(each) === name)
        .map(({ payload }) => payload),
    counts: () => {
      const counts: Record<string, number> = {};
      for (const each of active())
        if (!each.templateId.includes('Canticle.'))
          counts[nameOf(each)] = (counts[nameOf(each)] ?? 0) + 1;
      return counts;
    },
  };
}
