/** Fees, issuance and times of the simplified rules and rounds: Splice's records, limited to the parts that clients read. */
import { d, RelTime, setOf, tuple2, type Type } from '../../daml/define/index.js';

export const Round = d.record('Splice.Types:Round', { number: d.int64 });

const CONFIG = 'Splice.AmuletConfig';
const FixedFee = d.record('Splice.Fees:FixedFee', { fee: d.numeric(10) });
export const RatePerRound = d.record('Splice.Fees:RatePerRound', { rate: d.numeric(10) });
const SteppedRate = d.record('Splice.Fees:SteppedRate', {
  initialRate: d.numeric(10),
  steps: d.list(tuple2(d.numeric(10), d.numeric(10))),
});

export const TransferConfig = d.record(`${CONFIG}:TransferConfig`, {
  createFee: FixedFee,
  holdingFee: RatePerRound,
  transferFee: SteppedRate,
  lockHolderFee: FixedFee,
  extraFeaturedAppRewardAmount: d.numeric(10),
  maxNumInputs: d.int64,
  maxNumOutputs: d.int64,
  maxNumLockHolders: d.int64,
});

export const IssuanceConfig = d.record('Splice.Issuance:IssuanceConfig', {
  amuletToIssuePerYear: d.numeric(10),
  validatorRewardPercentage: d.numeric(10),
  appRewardPercentage: d.numeric(10),
  validatorRewardCap: d.numeric(10),
  featuredAppRewardCap: d.numeric(10),
  unfeaturedAppRewardCap: d.numeric(10),
  optValidatorFaucetCap: d.optional(d.numeric(10)),
});

const SynchronizerFees = d.record('Splice.DecentralizedSynchronizer:SynchronizerFeesConfig', {
  baseRateTrafficLimits: d.record('Splice.DecentralizedSynchronizer:BaseRateTrafficLimits', {
    burstAmount: d.int64,
    burstWindow: RelTime,
  }),
  extraTrafficPrice: d.numeric(10),
  readVsWriteScalingFactor: d.int64,
  minTopupAmount: d.int64,
});

const Synchronizers = d.record(
  'Splice.DecentralizedSynchronizer:AmuletDecentralizedSynchronizerConfig',
  { requiredSynchronizers: setOf(d.text), activeSynchronizer: d.text, fees: SynchronizerFees },
);

const PackageConfig = d.record(`${CONFIG}:PackageConfig`, {
  amulet: d.text,
  amuletNameService: d.text,
  dsoGovernance: d.text,
  validatorLifecycle: d.text,
  wallet: d.text,
  walletPayments: d.text,
});

/** An initial value and future values. */
const schedule = <T, J, V, W>(name: string, time: Type<T, J>, value: Type<V, W>) =>
  d.record(`Splice.Schedule:${name}`, {
    initialValue: value,
    futureValues: d.list(tuple2(time, value)),
  });

export const AmuletConfig = d.record(`${CONFIG}:AmuletConfig`, {
  transferConfig: TransferConfig,
  issuanceCurve: schedule('IssuanceCurve', RelTime, IssuanceConfig),
  decentralizedSynchronizer: Synchronizers,
  tickDuration: RelTime,
  packageConfig: PackageConfig,
  transferPreapprovalFee: d.optional(d.numeric(10)),
  featuredAppActivityMarkerAmount: d.optional(d.numeric(10)),
});

export const ConfigSchedule = schedule('ConfigSchedule', d.timestamp, AmuletConfig);
