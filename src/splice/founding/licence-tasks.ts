/**
 * The validators' automation of licences: they record liveness once per round, and keep the licence up to date (A-REW-001 to A-REW-003).
 */
import { Numeric } from '../../daml/model/numeric.js';
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { Some, Timestamp } from '../../daml/model/values.js';
import { earliest, type DsoNode } from '../automation/dso-node.js';
import { firstOpen } from '../automation/rewards.js';
import type { Task } from '../automation/task.js';
import {
  activeSynchronizer,
  contractsOf,
  latestOf,
  templateName,
} from '../dso/amulet-contracts.js';
import type { Splice } from '../splice.js';
import { Submitter } from '../submitter.js';
import { hasTraffic } from '../validators/traffic.js';
import type { Validator } from '../validators/validator.js';
import { isShortOfMoney } from '../wallet/top-up.js';
import { Wallet } from '../wallet/wallet.js';

const LICENSE = templateName('validatorLicense');
/** Microseconds between the reports of a validator that records no liveness. */
const REPORT_INTERVAL = 3_600_000_000n;

export function licenceTasks(splice: Splice, node: DsoNode): readonly Task[] {
  const licences = () => [...contractsOf(splice, 'validatorLicense')].filter((each) => owner(each));
  const owner = ({ payload }: ContractInstance) =>
    splice.validators.find(({ party }) => party === payload.validator);
  const maySubmit = (licence: ContractInstance) => mayReport(splice, owner(licence)!);
  const exercise = (licence: ContractInstance, choice: string, round?: ContractInstance): void => {
    const { participant, party, user } = owner(licence)!;
    const synchronizerId = activeSynchronizer(splice, latestOf(splice, 'rules')!);
    const argument = round === undefined ? {} : { openRoundCid: round.contractId };
    const disclosedContracts = round && [{ contract: round, synchronizerId }];
    const acting = { actAs: [party], disclosedContracts };
    new Submitter(participant, user).exercise(
      `#${LICENSE}`,
      licence.contractId,
      choice,
      argument,
      acting,
    );
  };
  const recordable = () =>
    licences().flatMap((licence) => {
      const round = nextRound(node, licence);
      return round === undefined ? [] : [{ licence, round }];
    });
  const opensAt = (round: ContractInstance) => round.payload.opensAt as Timestamp;
  return [
    {
      name: 'ReceiveFaucetCoupon',
      watches: [LICENSE, templateName('openRound')],
      due: () => earliest(recordable().map(({ round }) => opensAt(round))),
      run() {
        const due = recordable().filter(
          ({ licence, round }) => opensAt(round) <= node.now && maySubmit(licence),
        );
        node.forEach(due, ({ licence, round }) =>
          exercise(licence, 'ValidatorLicense_RecordValidatorLivenessActivity', round),
        );
      },
    },
    {
      name: 'ValidatorLicenseActivity',
      watches: [LICENSE],
      due: () => earliest(licences().map(reportDue)),
      run() {
        const due = licences().filter((each) => reportDue(each) <= node.now && maySubmit(each));
        node.forEach(due, (licence) => exercise(licence, 'ValidatorLicense_ReportActive'));
      },
    },
  ];
}

/** Whether a validator has enough traffic to report. A validator that cannot afford more traffic may also use its reserve. */
function mayReport(splice: Splice, validator: Validator): boolean {
  return hasTraffic(validator) || isShortOfMoney(new Wallet(splice, validator, validator.party));
}

/** The first open round that the licence has not recorded; undefined if no reward is due in it. */
function nextRound(node: DsoNode, { payload }: ContractInstance): ContractInstance | undefined {
  const state = (payload.faucetState as Some | null)?.value as
    | { readonly lastReceivedFor: { readonly number: bigint } }
    | undefined;
  const last = state?.lastReceivedFor.number ?? -1n;
  const round = firstOpen(node, (number) => number > last);
  const { optValidatorFaucetCap: cap } = (round?.payload.issuanceConfig ?? {}) as {
    readonly optValidatorFaucetCap?: Some<Numeric> | null;
  };
  return cap && cap.value.compare(Numeric.of('0')) <= 0 ? undefined : round;
}

function reportDue({ payload, createdAt }: ContractInstance): Timestamp {
  const lastActiveAt = (payload.lastActiveAt as Some<Timestamp> | null)?.value;
  return lastActiveAt === undefined ? createdAt : lastActiveAt + REPORT_INTERVAL;
}
