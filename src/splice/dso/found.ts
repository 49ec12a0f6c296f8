/**
 * Founds a DSO as the first super-validator does. One transaction of `DsoBootstrap` creates Amulet's rules and rounds, the rules of the
 * name service, DsoRules and the SV's contracts. It needs the packages of the DSO's governance.
 */
import type { PackageLookup } from '../../daml/model/package.js';
import type { Party } from '../../daml/model/values.js';
import { Given } from '../fitting.js';
import type { Submitter } from '../submitter.js';
import { ANS_RULES_CONFIG, dsoRulesConfig, synchronizerNodes } from './dso-config.js';
import type { Dso } from './dso.js';

const GOVERNANCE = 'splice-dso-governance';
const BOOTSTRAP = `#${GOVERNANCE}:Splice.DsoBootstrap:DsoBootstrap`;

/** The weight of the SV's rewards. */
const SV_REWARD_WEIGHT = '10000';

export interface Founding {
  /** Ledger API JSON. */
  readonly amuletConfig: Readonly<Record<string, unknown>>;
  /** USD for one amulet. */
  readonly amuletPrice: string;
  readonly initialRound: number;
  readonly isDevNet: boolean;
  readonly sv: Party;
  readonly svName: string;
}

/** Whether the governance packages are available. */
export function canFound(packages: PackageLookup): boolean {
  return packages.packageIdForName(GOVERNANCE) !== undefined;
}

/**
 * @param submitter submits at the participant of the DSO and its SV
 * @throws LedgerError if the Daml code refuses the configuration
 */
export function foundDso(dso: Dso, submitter: Submitter, founding: Founding): void {
  const { amuletConfig, amuletPrice, initialRound, isDevNet, sv, svName } = founding;
  const { network, dsoParty } = dso;
  const synchronizer = network.synchronizers[0]!;
  const participantId = `PAR::${submitter.participant.id}`;
  const members = [`MED::${synchronizer.mediatorId}`, participantId];
  const bootstrap = {
    dso: dsoParty,
    sv1Party: sv,
    sv1Name: svName,
    sv1RewardWeight: SV_REWARD_WEIGHT,
    sv1ParticipantId: participantId,
    sv1SynchronizerNodes: synchronizerNodes(
      synchronizer,
      network.migrations.current,
      network.clock.now(),
    ),
    round0Duration: new Given(amuletConfig.tickDuration),
    amuletConfig: new Given(amuletConfig),
    amuletPrice,
    ansRulesConfig: ANS_RULES_CONFIG,
    config: dsoRulesConfig(synchronizer.id),
    initialTrafficState: members.map((member) => [member, { consumedTraffic: '0' }]),
    isDevNet,
    initialRound: String(initialRound),
  };
  submitter.createAndExercise(
    BOOTSTRAP,
    bootstrap,
    'DsoBootstrap_Bootstrap',
    {},
    {
      actAs: [dsoParty],
      synchronizer: synchronizer.id,
    },
  );
}
