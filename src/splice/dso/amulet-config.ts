/**
 * The initial configuration of Amulet: the values of the first super-validator of a Splice 0.5 network on DevNet, as Ledger API JSON
 * (SvOnboardingConfig.FoundDso, SynchronizerFeesConfig and SpliceUtil of Splice). Transfers are free since CIP-78; {@link
 * FEES_BEFORE_CIP_78} has the fees before it.
 */
import type { SynchronizerId } from '../../network/model/ids.js';
import { isJsonObject } from '../../daml/model/own-members.js';

type Json = Readonly<Record<string, unknown>>;

const micros = (minutes: number): Json => ({ microseconds: String(minutes * 60_000_000) });
const hours = (count: number): Json => micros(count * 60);

const TICK_MINUTES = 10;
/** USD. */
export const INITIAL_PRICE = '0.005';

/** Fees before CIP-78, in USD: a part of `transferConfig`. */
export const FEES_BEFORE_CIP_78: Json = {
  createFee: { fee: '0.03' },
  transferFee: {
    initialRate: '0.01',
    steps: [
      { _1: '100.0', _2: '0.001' },
      { _1: '1000.0', _2: '0.0001' },
      { _1: '1000000.0', _2: '0.00001' },
    ],
  },
  lockHolderFee: { fee: '0.005' },
};

const transferConfig: Json = {
  createFee: { fee: '0.0' },
  // One dollar a year, in rounds of ten minutes.
  holdingFee: { rate: '0.0000190259' },
  transferFee: { initialRate: '0.0', steps: [] },
  lockHolderFee: { fee: '0.0' },
  extraFeaturedAppRewardAmount: '1.0',
  maxNumInputs: '100',
  maxNumOutputs: '100',
  maxNumLockHolders: '50',
};

const issuance = (perYear: string, validators: string, apps: string): Json => ({
  amuletToIssuePerYear: perYear,
  validatorRewardPercentage: validators,
  appRewardPercentage: apps,
  validatorRewardCap: '0.2',
  featuredAppRewardCap: '100.0',
  unfeaturedAppRewardCap: '0.6',
  optValidatorFaucetCap: '2.85',
});

const issuanceCurve: Json = {
  initialValue: issuance('40000000000.0', '0.05', '0.15'),
  futureValues: [
    { _1: hours(365 * 12), _2: issuance('20000000000.0', '0.12', '0.4') },
    { _1: hours(3 * 365 * 12), _2: issuance('10000000000.0', '0.18', '0.62') },
    { _1: hours(5 * 365 * 24), _2: issuance('5000000000.0', '0.21', '0.69') },
    { _1: hours(10 * 365 * 24), _2: issuance('2500000000.0', '0.2', '0.75') },
  ],
};

/** The free traffic of members: bytes, and the window in minutes. `readVsWrite` is the read share of the cost, in parts of 10,000. */
export const INITIAL_RATE = { burstAmount: 400_000, burstMinutes: 20, readVsWrite: 4 };

const synchronizerFees: Json = {
  baseRateTrafficLimits: {
    burstAmount: `${INITIAL_RATE.burstAmount}`,
    burstWindow: micros(INITIAL_RATE.burstMinutes),
  },
  extraTrafficPrice: '16.67',
  readVsWriteScalingFactor: `${INITIAL_RATE.readVsWrite}`,
  minTopupAmount: '200000',
};

/** The package versions of the release with splice-amulet 0.1.14, as far as they are known. No code reads them. */
const packageConfig: Json = {
  amulet: '0.1.14',
  amuletNameService: '0.1.14',
  dsoGovernance: '0.1.20',
  validatorLifecycle: '0.1.5',
  wallet: '0.1.14',
  walletPayments: '0.1.14',
};

/** The configuration for splice-amulet 0.1.14. Earlier versions lack some of the fields. */
export function devNetConfig(synchronizerId: SynchronizerId): Json {
  return {
    transferConfig,
    issuanceCurve,
    decentralizedSynchronizer: {
      requiredSynchronizers: { map: [[synchronizerId, {}]] },
      activeSynchronizer: synchronizerId,
      fees: synchronizerFees,
    },
    tickDuration: micros(TICK_MINUTES),
    packageConfig,
    transferPreapprovalFee: null,
    featuredAppActivityMarkerAmount: '1.0',
  };
}

/** @param changes parts of an AmuletConfig as Ledger API JSON: records are merged, other values are replaced */
export function changedConfig(config: Json, ...changes: readonly Json[]): Json {
  return changes.reduce(merged, config);
}

function merged(base: Json, changes: Json): Json {
  const changed = Object.entries(changes).map(([name, value]) => {
    const before = base[name];
    return [
      name,
      isJsonObject(before) && isJsonObject(value) ? merged(before, value) : value,
    ] as const;
  });
  return { ...base, ...Object.fromEntries(changed) };
}
