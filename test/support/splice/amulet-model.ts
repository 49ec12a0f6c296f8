/**
 * Templates with the names and fields of Splice's packages that Scan and the registry read. Tests of their APIs use
 * them without Splice's DARs. They have no choices: tests of Amulet's behaviour use its real code.
 */
import { addPackages } from '../../../src/network/index.js';
import {
  d,
  definePackage,
  defineTemplate,
  RelTime,
  setOf,
  tuple2,
  Numeric,
  type DamlRecord,
} from '../../../src/daml/index.js';
import type { Canticle } from 'canticle';
import { Governance } from './governance-model.js';
import { SpliceWorld } from './splice-world.js';

const TYPES = 'Splice.Types';
const Round = d.record(`${TYPES}:Round`, { number: d.int64 });
const ofDso = ({ dso }: { dso: string }) => [dso];

const template = <const F extends Parameters<typeof d.record>[1]>(name: string, fields: F) =>
  defineTemplate({
    name,
    fields: { dso: d.party, ...fields },
    signatories: ofDso as never,
  });

const SynchronizerConfig = d.record('Splice.DecentralizedSynchronizer:Config', {
  requiredSynchronizers: setOf(d.text),
  activeSynchronizer: d.text,
});
const AmuletConfig = d.record('Splice.AmuletConfig:AmuletConfig', {
  decentralizedSynchronizer: SynchronizerConfig,
});
const Schedule = d.record('Splice.Schedule:Schedule', {
  initialValue: AmuletConfig,
  futureValues: d.list(tuple2(d.timestamp, AmuletConfig)),
});
const Amount = d.record('Splice.Fees:ExpiringAmount', {
  initialAmount: d.numeric(10),
  createdAt: Round,
  ratePerRound: d.record('Splice.Fees:RatePerRound', { rate: d.numeric(10) }),
});
const Settlement = d.record('Splice.AmuletAllocation:Settlement', {
  executor: d.party,
  settleBefore: d.timestamp,
});
const Allocation = d.record('Splice.AmuletAllocation:Specification', { settlement: Settlement });
const Transfer = d.record('Splice.AmuletTransferInstruction:Transfer', {
  executeBefore: d.timestamp,
});
const AmuletFields = d.record('Splice.Amulet:AmuletFields', { owner: d.party, amount: Amount });
const FaucetState = d.record('Splice.ValidatorLicense:FaucetState', {
  firstReceivedFor: Round,
  lastReceivedFor: Round,
  numCouponsMissed: d.int64,
});

const TransferConfig = d.record('Splice.AmuletConfig:TransferConfig', {
  createFee: d.record('Splice.Fees:FixedFee', { fee: d.numeric(10) }),
  holdingFee: d.record('Splice.Fees:HoldingFee', { rate: d.numeric(10) }),
  lockHolderFee: d.record('Splice.Fees:LockHolderFee', { fee: d.numeric(10) }),
  transferFee: d.record('Splice.Fees:SteppedRate', {
    initialRate: d.numeric(10),
    steps: d.list(tuple2(d.numeric(10), d.numeric(10))),
  }),
});

/** In dollars; an amulet costs two. */
const FEES = {
  amuletPrice: '2.0',
  transferConfigUsd: {
    createFee: { fee: '0.03' },
    holdingFee: { rate: '0.00002' },
    lockHolderFee: { fee: '0.005' },
    transferFee: { initialRate: '0.01', steps: [{ _1: '100.0', _2: '0.001' }] },
  },
};

const Model = {
  AmuletRules: template('Splice.AmuletRules:AmuletRules', { configSchedule: Schedule }),
  ExternalPartyAmuletRules: template(
    'Splice.ExternalPartyAmuletRules:ExternalPartyAmuletRules',
    {},
  ),
  OpenMiningRound: template('Splice.Round:OpenMiningRound', {
    round: Round,
    amuletPrice: d.numeric(10),
    transferConfigUsd: TransferConfig,
    opensAt: d.timestamp,
    targetClosesAt: d.timestamp,
    tickDuration: RelTime,
  }),
  IssuingMiningRound: template('Splice.Round:IssuingMiningRound', {
    round: Round,
    opensAt: d.timestamp,
    targetClosesAt: d.timestamp,
  }),
  ClosedMiningRound: template('Splice.Round:ClosedMiningRound', { round: Round }),
  FeaturedAppRight: template('Splice.Amulet:FeaturedAppRight', { provider: d.party }),
  Amulet: defineTemplate({
    name: 'Splice.Amulet:Amulet',
    fields: { dso: d.party, owner: d.party, amount: Amount },
    signatories: ofDso,
    observers: ({ owner }) => [owner],
  }),
  LockedAmulet: defineTemplate({
    name: 'Splice.Amulet:LockedAmulet',
    fields: { dso: d.party, amulet: AmuletFields },
    signatories: ofDso,
    observers: ({ amulet }) => [amulet.owner],
  }),
  TransferPreapproval: template('Splice.AmuletRules:TransferPreapproval', {
    receiver: d.party,
    provider: d.party,
    validFrom: d.timestamp,
    expiresAt: d.timestamp,
  }),
  TransferCommandCounter: template('Splice.ExternalPartyAmuletRules:TransferCommandCounter', {
    sender: d.party,
    nextNonce: d.int64,
  }),
  AmuletTransferInstruction: template(
    'Splice.AmuletTransferInstruction:AmuletTransferInstruction',
    { lockedAmulet: d.contractId('Splice.Amulet:LockedAmulet'), transfer: Transfer },
  ),
  AmuletAllocation: template('Splice.AmuletAllocation:AmuletAllocation', {
    lockedAmulet: d.contractId('Splice.Amulet:LockedAmulet'),
    allocation: Allocation,
  }),
  AmuletAllocationV2: template('Splice.AmuletAllocationV2:AmuletAllocationV2', {
    lockedAmulet: d.optional(d.contractId('Splice.Amulet:LockedAmulet')),
  }),
  ExternalPartyConfigState: template(
    'Splice.ExternalPartyConfigState:ExternalPartyConfigState',
    {},
  ),
  MemberTraffic: template('Splice.DecentralizedSynchronizer:MemberTraffic', {
    memberId: d.text,
    synchronizerId: d.text,
    migrationId: d.int64,
    totalPurchased: d.int64,
  }),
  ValidatorLicense: template('Splice.ValidatorLicense:ValidatorLicense', {
    validator: d.party,
    faucetState: d.optional(FaucetState),
  }),
  UnclaimedDevelopmentFundCoupon: template('Splice.Amulet:UnclaimedDevelopmentFundCoupon', {
    amount: d.numeric(10),
  }),
};

const NameService = {
  AnsRules: template('Splice.Ans:AnsRules', { config: d.text }),
  AnsEntry: template('Splice.Ans:AnsEntry', {
    user: d.party,
    provider: d.party,
    name: d.text,
    url: d.text,
    description: d.text,
    expiresAt: d.timestamp,
  }),
};

const TEMPLATES = { ...Model, ...Governance, ...NameService };

export const MODEL_PACKAGES = [
  definePackage({ name: 'splice-amulet', version: '0.1.14', templates: Object.values(Model) }),
  definePackage({
    name: 'splice-dso-governance',
    version: '0.1.20',
    templates: Object.values(Governance),
  }),
  definePackage({
    name: 'splice-amulet-name-service',
    version: '0.1.15',
    templates: Object.values(NameService),
  }),
];

/** The minimal contracts of Amulet, created by its DSO: rules and a round, as Ledger API JSON. */
export function furnishModel({ participant, splice }: Canticle): void {
  const { dsoParty: dso } = splice;
  const instant = '2026-01-01T00:00:00Z';
  const initialValue = {
    decentralizedSynchronizer: {
      requiredSynchronizers: { map: [['global', {}]] },
      activeSynchronizer: 'global',
    },
  };
  const payloads = {
    AmuletRules: { configSchedule: { initialValue, futureValues: [] } },
    ExternalPartyAmuletRules: {},
    OpenMiningRound: {
      round: { number: '0' },
      opensAt: instant,
      targetClosesAt: instant,
      tickDuration: { microseconds: '600000000' },
      ...FEES,
    },
    DsoRules: { svs: [[dso, { name: 'sv' }]] },
    AnsRules: { config: '' },
  };
  for (const [name, payload] of Object.entries(payloads)) {
    const { id } = TEMPLATES[name as keyof typeof payloads];
    participant.create(id, { dso, ...payload }, { actAs: [dso] });
  }
}

export const TICK = 600_000_000n;

/** A network whose DSO has contracts of these names. */
export class ModelWorld extends SpliceWorld {
  constructor(options: ConstructorParameters<typeof SpliceWorld>[0] = {}) {
    super(options);
    addPackages(this.participant, MODEL_PACKAGES);
  }

  get dso(): string {
    return this.splice.dsoParty;
  }

  make(name: keyof typeof TEMPLATES, payload: DamlRecord = {}): string {
    const { id } = TEMPLATES[name];
    return this.create([this.dso], id, { dso: this.dso, ...payload });
  }

  /** Rules for a synchronizer with that name; `later` replaces it at a time. */
  rules(activeSynchronizer = 'global', later?: { at: bigint; synchronizer: string }): string {
    const config = (name: string) => ({
      decentralizedSynchronizer: {
        requiredSynchronizers: { map: [[name, {}]] },
        activeSynchronizer: name,
      },
    });
    const futureValues = later ? [{ _1: later.at, _2: config(later.synchronizer) }] : [];
    const configSchedule = { initialValue: config(activeSynchronizer), futureValues };
    return this.make('AmuletRules', { configSchedule } as unknown as DamlRecord);
  }

  /** Opens after this number of microseconds. */
  openRound(number: bigint, opensIn: bigint, tick = TICK): string {
    const opensAt = this.network.clock.now() + opensIn;
    const tickDuration = { microseconds: tick };
    const targetClosesAt = opensAt + 2n * tick;
    return this.make('OpenMiningRound', {
      round: { number },
      opensAt,
      targetClosesAt,
      tickDuration,
      ...inNumerics(FEES),
    });
  }

  issuingRound(number: bigint, window = 2n * TICK): string {
    const opensAt = this.network.clock.now();
    const targetClosesAt = opensAt + window;
    return this.make('IssuingMiningRound', { round: { number }, opensAt, targetClosesAt });
  }

  amulet(amount: string, owner = this.dso, round = 0n): string {
    return this.make('Amulet', { owner, amount: expiring(amount, round) });
  }

  lockedAmulet(amount: string, owner = this.dso, round = 0n): string {
    return this.make('LockedAmulet', { amulet: { owner, amount: expiring(amount, round) } });
  }
}

/** The round's fee is 10% of it. */
function expiring(amount: string, round: bigint): DamlRecord {
  return {
    initialAmount: Numeric.of(amount),
    createdAt: { number: round },
    ratePerRound: { rate: Numeric.of('0.1') },
  };
}

/** Converts each text in it to a decimal. */
function inNumerics(value: object): DamlRecord {
  return JSON.parse(JSON.stringify(value), (_key, each: unknown) =>
    typeof each === 'string' ? Numeric.of(each) : each,
  ) as DamlRecord;
}
