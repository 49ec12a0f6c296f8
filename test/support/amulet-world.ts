/**
 * Splice's Amulet from its own DAR, with a configuration like DevNet's: a DSO, its rules and the first open rounds. For
 * tests and benchmarks that run real code where the DAR is there.
 */
import { createCanticle, type Canticle } from 'canticle';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const folder = process.env['CANTICLE_DARS'] ?? join(homedir(), '.canticle', 'dars');

/** The bytes of a DAR in the folder; undefined, and said so, where it is missing. */
export function realDar(name: string): Uint8Array | undefined {
  const path = join(folder, name);
  if (existsSync(path)) return readFileSync(path);
  process.stdout.write(`Skipped, for want of ${path}\n`);
  return undefined;
}

export const AMULET_RULES = '#splice-amulet:Splice.AmuletRules:AmuletRules';

const micros = (minutes: number) => ({ microseconds: String(minutes * 60_000_000) });

const CONFIG = {
  transferConfig: {
    createFee: { fee: '0.03' },
    holdingFee: { rate: '0.0000190259' },
    transferFee: {
      initialRate: '0.01',
      steps: [
        { _1: '100.0', _2: '0.001' },
        { _1: '1000.0', _2: '0.0001' },
        { _1: '1000000.0', _2: '0.00001' },
      ],
    },
    lockHolderFee: { fee: '0.005' },
    extraFeaturedAppRewardAmount: '1.0',
    maxNumInputs: '100',
    maxNumOutputs: '100',
    maxNumLockHolders: '50',
  },
  issuanceCurve: {
    initialValue: {
      amuletToIssuePerYear: '40000000000.0',
      validatorRewardPercentage: '0.05',
      appRewardPercentage: '0.15',
      validatorRewardCap: '0.2',
      featuredAppRewardCap: '100.0',
      unfeaturedAppRewardCap: '0.6',
      optValidatorFaucetCap: '2.85',
    },
    futureValues: [],
  },
  decentralizedSynchronizer: {
    requiredSynchronizers: { map: [['global-domain::1220aa', {}]] },
    activeSynchronizer: 'global-domain::1220aa',
    fees: {
      baseRateTrafficLimits: { burstAmount: '400000', burstWindow: micros(20) },
      extraTrafficPrice: '16.67',
      readVsWriteScalingFactor: '4',
      minTopupAmount: '200000',
    },
  },
  tickDuration: micros(10),
  packageConfig: {
    amulet: '0.1.14',
    amuletNameService: '0.1.14',
    dsoGovernance: '0.1.14',
    validatorLifecycle: '0.1.4',
    wallet: '0.1.14',
    walletPayments: '0.1.14',
  },
  transferPreapprovalFee: null,
  featuredAppActivityMarkerAmount: null,
};

export interface AmuletWorld {
  readonly canticle: Canticle;
  readonly dso: string;
  readonly alice: string;
  readonly bob: string;
  readonly rules: string;
  /** The round that is open from the beginning. */
  readonly round: string;
  /** Alice taps; answers her new amulet. */
  tap(amount: string): string;
}

export function amuletWorld(dar: Uint8Array): AmuletWorld {
  const canticle = createCanticle({ seed: 1 });
  const { participant } = canticle;
  participant.uploadDar(dar);
  const [dso, alice, bob] = ['dso', 'alice', 'bob'].map((hint) =>
    participant.allocateParty(hint),
  ) as [string, string, string];
  const configSchedule = { initialValue: CONFIG, futureValues: [] };
  const rules = participant.create(
    AMULET_RULES,
    { dso, isDevNet: true, configSchedule },
    { actAs: [dso] },
  );
  const { created } = participant.exercise(
    AMULET_RULES,
    rules,
    'AmuletRules_Bootstrap_Rounds',
    { amuletPrice: '1.0', round0Duration: micros(24 * 60), initialRound: null },
    { actAs: [dso] },
  );
  const round = created[0]!.contractId;
  const tap = (amount: string): string => {
    const argument = { receiver: alice, amount, openRound: round };
    const submit = { actAs: [alice], readAs: [dso] };
    const { result } = participant.exercise(
      AMULET_RULES,
      rules,
      'AmuletRules_DevNet_Tap',
      argument,
      submit,
    );
    return (result as { amuletSum: { amulet: string } }).amuletSum.amulet;
  };
  return { canticle, dso, alice, bob, rules, round, tap };
}
