/**
 * Founds the network's Amulet. With the packages of the DSO's governance, it founds a whole DSO and onboards the validators. Without them,
 * it creates the rules, three rounds and the rules for external parties. The tasks in `automation/` run from then on.
 */
import { typeId } from '../../daml/model/types.js';
import { compareVersions } from '../../daml/model/versions.js';
import { PAUSED_ON_LOCALNET } from '../automation/expiry.js';
import { governedRoundTasks, roundTasks } from '../automation/rounds.js';
import { DsoNode } from '../automation/dso-node.js';
import type { Task } from '../automation/task.js';
import {
  changedConfig,
  devNetConfig,
  FEES_BEFORE_CIP_78,
  INITIAL_PRICE,
} from '../dso/amulet-config.js';
import { nodeBySerial, packageConfig } from '../dso/dso-config.js';
import { canFound, foundDso } from '../dso/found.js';
import { fitting, Given } from '../fitting.js';
import type { Splice } from '../splice.js';
import type { Submitter } from '../submitter.js';
import { addTasks } from './founded-tasks.js';
import { onboardValidators } from './onboard-validators.js';

const RULES = '#splice-amulet:Splice.AmuletRules:AmuletRules';
const EXTERNAL_PARTY_RULES =
  '#splice-amulet:Splice.ExternalPartyAmuletRules:ExternalPartyAmuletRules';

/** The initial configuration of the DSO and its Amulet. */
export interface AmuletOptions {
  /** USD for one amulet, as text; 0.005 by default. */
  readonly price?: string;
  /** `none`, the default: free transfers, as since CIP-78. `before-cip-78`: the earlier fees for creating, locking and transferring. */
  readonly fees?: 'none' | 'before-cip-78';
  /** Changes to the `AmuletConfig` of DevNet, as Ledger API JSON: records are merged, other values are replaced. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Number of the first open round; 0 by default. */
  readonly initialRound?: number;
  /** Whether the faucet is enabled; true by default. */
  readonly isDevNet?: boolean;
  /**
   * Whether due rounds advance automatically and wallets run their automation; true by default. If false, only `advanceRounds` advances
   * rounds.
   */
  readonly automaticRounds?: boolean;
  /**
   * Whether a founded DSO archives expired preapprovals, transfer instructions, allocations, names and worthless amulets; false by default,
   * as on a LocalNet.
   */
  readonly expiry?: boolean;
}

/**
 * @param options with the selected fees
 * @throws LedgerError if the Daml code refuses the configuration
 */
export function bootAmulet(
  splice: Splice,
  options: AmuletOptions & Pick<Required<AmuletOptions>, 'fees'>,
): void {
  const node = new DsoNode(splice);
  const { automation } = splice;
  const founding = foundingOf(splice, options);
  const isGoverned = canFound(node.submitter.participant.packages);
  const rounds = isGoverned ? governedRoundTasks(node) : roundTasks(node);
  splice.founding.value = isGoverned ? 'governed' : 'rules';
  let wallets: readonly Task[];
  if (isGoverned) {
    const sv = splice.validatorAt(node.submitter.participant).party;
    foundDso(splice, node.submitter, { ...founding, sv, svName: SV_NAME });
    addSequencer(node);
    onboardValidators(splice, { dso: splice, sv, submitter: node.submitter });
    wallets = addTasks(splice, node);
    if (options.expiry !== true) automation.pause(...PAUSED_ON_LOCALNET);
  } else {
    bootRules(splice, node.submitter, founding);
    wallets = addTasks(splice, node);
  }
  if (options.automaticRounds === false)
    automation.pause(...[...rounds, ...wallets].map(({ name }) => name));
  automation.carryOut();
}

/** Adds the SV's sequencer by the serial of its synchronizer, if DsoRules support serials (A-DSO-004). */
function addSequencer(node: DsoNode): void {
  const { network } = node.dso;
  const { packages } = node.submitter.participant;
  const governance = packages.package(packages.packageIdForName('splice-dso-governance')!)!;
  if (compareVersions(governance.version, FIRST_WITH_SERIALS) < 0) return;
  const synchronizer = network.synchronizers[0]!;
  const [state] = node.contracts('svNodeState');
  const { synchronizerNodes } = node.jsonOf(state!).state as {
    readonly synchronizerNodes: readonly (readonly [string, object])[];
  };
  const known = synchronizerNodes.find(([id]) => id === synchronizer.id)?.[1];
  node.exerciseDsoRules('DsoRules_SetSynchronizerNodeConfig', {
    synchronizerId: synchronizer.id,
    newNodeConfig: { ...known, ...nodeBySerial(synchronizer, node.now) },
    nodeStateCid: state!.contractId,
  });
}

/** A version of splice-dso-governance. */
const FIRST_WITH_SERIALS = '0.1.24';

/**
 * The simplified Amulet, for networks without Splice's DARs: rules and rounds without governance. Wallets complete offers, merge amulets,
 * and accept and renew preapprovals. They have no other automation.
 */
export function bootModel(splice: Splice, options: AmuletOptions): void {
  const node = new DsoNode(splice);
  bootRules(splice, node.submitter, foundingOf(splice, { ...options, fees: 'none' }));
  splice.founding.value = 'model';
  addTasks(splice, node);
  if (options.automaticRounds === false) splice.automation.pause(...splice.automation.names);
  splice.automation.carryOut();
}

const SV_NAME = 'sv';

type Founding = ReturnType<typeof foundingOf>;

function foundingOf({ network }: Splice, options: AmuletOptions) {
  const { price = INITIAL_PRICE, fees, config = {}, initialRound = 0, isDevNet = true } = options;
  const { packages } = network;
  const type = {
    kind: 'con',
    id: typeId(packages.packageIdForName('splice-amulet')!, 'Splice.AmuletConfig:AmuletConfig'),
    args: [],
  } as const;
  const base = fitting(packages, type, devNetConfig(network.synchronizers[0]!.id));
  const amuletConfig = changedConfig(
    base,
    canFound(packages) ? { packageConfig: packageConfig(packages) } : {},
    fees === 'none' ? {} : { transferConfig: FEES_BEFORE_CIP_78 },
    config,
  );
  return { amuletConfig, amuletPrice: price, initialRound, isDevNet };
}

function bootRules(splice: Splice, submitter: Submitter, founding: Founding): void {
  const { dsoParty: dso, network } = splice;
  const { amuletConfig, amuletPrice, initialRound, isDevNet } = founding;
  const acting = { actAs: [dso], synchronizer: network.synchronizers[0]!.id };
  const initialValue = new Given(amuletConfig);
  const rules = submitter.create(
    RULES,
    { dso, configSchedule: { initialValue, futureValues: [] }, isDevNet },
    acting,
  );
  const rounds = {
    amuletPrice,
    round0Duration: new Given(amuletConfig.tickDuration),
    initialRound: String(initialRound),
  };
  submitter.exercise(RULES, rules, 'AmuletRules_Bootstrap_Rounds', rounds, acting);
  submitter.create(EXTERNAL_PARTY_RULES, { dso }, acting);
}
