/** Rules of the simplified Amulet: three consecutive open rounds and the faucet. There is no mining, and there are no fees. */
import { d, defineTemplate, RelTime, type RecordOf } from '../../daml/define/index.js';
import { Numeric } from '../../daml/model/numeric.js';
import { parties } from '../../daml/model/parties.js';
import { some } from '../../daml/model/values.js';
import { reasonMetadata, resultMetadata } from '../../token/holdings/result-metadata.js';
import { Metadata } from '../../token/standard/metadata-v1.js';
import { Amulet, FeaturedAppRight } from './amulets.js';
import { TransferPreapproval } from './preapprovals.js';
import {
  NO_TRANSFER,
  pay,
  Transfer,
  transferControllers,
  TransferContext,
  TransferResult,
} from './payments.js';
import { ConfigSchedule, IssuanceConfig, Round, TransferConfig } from './configuration.js';

const MODULE = 'Splice.AmuletRules';
const MOST_TAPPED = Numeric.of('100000000', 10);

const roundFields = {
  dso: d.party,
  round: Round,
  amuletPrice: d.numeric(10),
  opensAt: d.timestamp,
  targetClosesAt: d.timestamp,
  issuingFor: RelTime,
  transferConfigUsd: TransferConfig,
  issuanceConfig: IssuanceConfig,
  tickDuration: RelTime,
};
type OpenRound = RecordOf<typeof roundFields>;

export const OpenMiningRound = defineTemplate({
  name: 'Splice.Round:OpenMiningRound',
  fields: roundFields,
  signatories: ({ dso }) => [dso],
  choices: (choice) => ({
    /** Any party to which the round is disclosed can exercise it. */
    OpenMiningRound_Fetch: choice({
      consuming: false,
      argument: { p: d.party },
      result: d.record('Splice.Round:OpenMiningRound_FetchResult', roundFields),
      controllers: (_round, { p }) => [p],
      run: (_update, { payload }) => payload,
    }),
  }),
});

const rulesFields = { dso: d.party, configSchedule: ConfigSchedule, isDevNet: d.bool };
type Rules = RecordOf<typeof rulesFields>;

/** NOTE: future values of the configuration have no effect here. */
function roundOf(
  { dso, configSchedule }: Rules,
  number: bigint,
  own: Pick<OpenRound, 'amuletPrice' | 'opensAt' | 'targetClosesAt'>,
): OpenRound {
  const { transferConfig, issuanceCurve, tickDuration } = configSchedule.initialValue;
  return {
    dso,
    round: { number },
    ...own,
    issuingFor: { microseconds: number * tickDuration.microseconds },
    transferConfigUsd: transferConfig,
    issuanceConfig: issuanceCurve.initialValue,
    tickDuration,
  };
}

const cid = d.contractId(OpenMiningRound);

export const AmuletRules = defineTemplate({
  name: `${MODULE}:AmuletRules`,
  fields: rulesFields,
  signatories: ({ dso }) => [dso],
  choices: (choice) => ({
    AmuletRules_Bootstrap_Rounds: choice({
      consuming: false,
      argument: {
        amuletPrice: d.numeric(10),
        round0Duration: RelTime,
        initialRound: d.optional(d.int64),
      },
      result: d.record(`${MODULE}:AmuletRules_Bootstrap_RoundsResult`, { openRoundCid: cid }),
      controllers: ({ dso }) => [dso],
      run: (update, { payload }, { amuletPrice, round0Duration, initialRound }) => {
        const first = initialRound?.value ?? 0n;
        const tick = payload.configSchedule.initialValue.tickDuration.microseconds;
        const now = update.getTime();
        const end = now + round0Duration.microseconds;
        const times = [
          { opensAt: now, targetClosesAt: end },
          { opensAt: now, targetClosesAt: end + tick },
          { opensAt: end, targetClosesAt: end + 2n * tick },
        ];
        const [openRoundCid] = times.map((time, index) =>
          update.create(
            OpenMiningRound,
            roundOf(payload, first + BigInt(index), { amuletPrice, ...time }),
          ),
        );
        return { openRoundCid: openRoundCid! };
      },
    }),
    AmuletRules_AdvanceOpenMiningRounds: choice({
      consuming: false,
      argument: {
        amuletPrice: d.numeric(10),
        roundToArchiveCid: cid,
        middleRoundCid: cid,
        latestRoundCid: cid,
      },
      result: d.record(`${MODULE}:AmuletRules_AdvanceOpenMiningRoundsResult`, {
        openRoundCid: cid,
      }),
      controllers: ({ dso }) => [dso],
      run: (update, { payload }, { amuletPrice, ...cids }) => {
        const oldest = update.fetch(OpenMiningRound, cids.roundToArchiveCid).payload;
        const latest = update.fetch(OpenMiningRound, cids.latestRoundCid).payload;
        const now = update.getTime();
        update.assert(oldest.targetClosesAt <= now, 'roundToArchive is past targetCloseAt');
        update.assert(latest.opensAt <= now, 'latestRound is open');
        update.archive(OpenMiningRound, cids.roundToArchiveCid);
        const tick = latest.tickDuration.microseconds;
        const next = latest.opensAt + tick;
        const opensAt = next > now ? next : now;
        const openRoundCid = update.create(
          OpenMiningRound,
          roundOf(payload, latest.round.number + 1n, {
            ...{ amuletPrice, opensAt },
            targetClosesAt: opensAt + 2n * tick,
          }),
        );
        return { openRoundCid };
      },
    }),
    AmuletRules_DevNet_FeatureApp: choice({
      consuming: false,
      argument: { provider: d.party, activityWeight: d.optional(d.numeric(10)) },
      result: d.record(`${MODULE}:AmuletRules_DevNet_FeatureAppResult`, {
        featuredAppRightCid: d.contractId(FeaturedAppRight),
      }),
      controllers: (_rules, { provider }) => [provider],
      run: (update, { payload: { dso, isDevNet } }, argument) => {
        update.assert(isDevNet, 'isDevNet flag is true');
        return { featuredAppRightCid: update.create(FeaturedAppRight, { dso, ...argument }) };
      },
    }),
    AmuletRules_Transfer: choice({
      consuming: false,
      argument: {
        transfer: Transfer,
        context: TransferContext,
        expectedDso: d.optional(d.party),
      },
      result: TransferResult,
      controllers: (_rules, { transfer }) => transferControllers(transfer),
      run: (update, { payload: { dso } }, { transfer, expectedDso }) => {
        const expected = expectedDso?.value ?? dso;
        update.assert(expected === dso, `Expected dso party ${expected} matches ${dso}`);
        return pay(update, dso, transfer);
      },
    }),
    /** Free of charge. */
    AmuletRules_CreateTransferPreapproval: choice({
      consuming: false,
      argument: { receiver: d.party, provider: d.party, expiresAt: d.timestamp },
      result: d.record(`${MODULE}:AmuletRules_CreateTransferPreapprovalResult`, {
        transferPreapprovalCid: d.contractId(TransferPreapproval),
        transferResult: TransferResult,
        amuletPaid: d.numeric(10),
      }),
      controllers: (_rules, { receiver, provider }) => parties([receiver, provider]),
      run: (update, { payload: { dso } }, { receiver, provider, expiresAt }) => {
        const now = update.getTime();
        const times = { validFrom: now, lastRenewedAt: now, expiresAt };
        const made = update.create(TransferPreapproval, { dso, receiver, provider, ...times });
        return {
          transferPreapprovalCid: made,
          transferResult: NO_TRANSFER,
          amuletPaid: Numeric.of('0', 10),
        };
      },
    }),
    AmuletRules_DevNet_Tap: choice({
      consuming: false,
      argument: { receiver: d.party, amount: d.numeric(10), openRound: cid },
      result: d.record(`${MODULE}:AmuletRules_DevNet_TapResult`, {
        amuletSum: d.record('Splice.Amulet:AmuletCreateSummary', {
          amulet: d.contractId(Amulet),
          amuletPrice: d.numeric(10),
          round: Round,
        }),
        meta: d.optional(Metadata),
      }),
      controllers: (_rules, { receiver }) => [receiver],
      run: (update, { payload: { dso, isDevNet } }, { receiver, amount, openRound }) => {
        update.assert(isDevNet, 'isDevNet flag is true');
        update.assert(amount.compare(MOST_TAPPED) <= 0, 'Tapped amount <= 100,000,000');
        const { round, amuletPrice, opensAt, transferConfigUsd } = update.fetch(
          OpenMiningRound,
          openRound,
        ).payload;
        update.assert(opensAt <= update.getTime(), 'The round is open');
        const rate = transferConfigUsd.holdingFee.rate.divide(amuletPrice).rescale(10)!;
        const amulet = update.create(Amulet, {
          dso,
          owner: receiver,
          amount: { initialAmount: amount, createdAt: round, ratePerRound: { rate } },
        });
        return {
          amuletSum: { amulet, amuletPrice, round },
          meta: some(resultMetadata('mint', undefined, reasonMetadata('tapped DevNet faucet'))),
        };
      },
    }),
  }),
});
