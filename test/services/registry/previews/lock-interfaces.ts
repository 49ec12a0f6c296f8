/** The interfaces of the draft of `splice-api-token-conditional-lock-v1`, without terms that these tests do not use. */
import { d, definePackage, type ValueOf } from 'canticle';
import { Account, Holding, InstrumentId } from '../../../../src/token/standard/holding-v2.js';
import { ExtraArgs, Metadata } from '../../../../src/token/standard/metadata-v1.js';
import { standardInterface } from '../../../../src/token/standard/standard-interface.js';

const MODULE = 'Splice.Api.Token.ConditionalLockV1';

export const LockTerms = d.record(`${MODULE}:LockTerms`, {
  authorizer: Account,
  instrumentId: InstrumentId,
  amount: d.numeric(10),
  expiresAt: d.timestamp,
  meta: Metadata,
});
export type LockTerms = ValueOf<typeof LockTerms>;

const instructionCid = d.contractId(`${MODULE}:ConditionalLockInstruction`);
const lockCid = d.contractId(`${MODULE}:ConditionalLock`);
const holdingCids = d.list(d.contractId(Holding));

export const LockOutput = d.variant(`${MODULE}:ConditionalLockResult_Output`, {
  ConditionalLockResult_Pending: { instructionCid },
  ConditionalLockResult_Locked: { lockCid, holdingCids },
  ConditionalLockResult_Enacted: {
    receiverHoldingCids: holdingCids,
    authorizerHoldingCids: holdingCids,
    continuationCid: d.optional(lockCid),
  },
  ConditionalLockResult_Failed: { authorizerHoldingCids: holdingCids },
});

const LockResult = d.record(`${MODULE}:ConditionalLockResult`, {
  output: LockOutput,
  authorizerChangeCids: holdingCids,
  meta: Metadata,
});

const FactoryView = d.record(`${MODULE}:ConditionalLockFactoryView`, {
  admin: d.party,
  meta: Metadata,
});
const InstructionView = d.record(`${MODULE}:ConditionalLockInstructionView`, {
  lockId: d.text,
  terms: LockTerms,
  pendingApprovals: d.list(Account),
  meta: Metadata,
});
const LockView = d.record(`${MODULE}:ConditionalLockView`, {
  lockId: d.text,
  terms: LockTerms,
  enactedRuleIds: d.list(d.text),
  holdingCids,
  meta: Metadata,
});

const step = { actors: d.list(d.party), extraArgs: ExtraArgs };
const lockArguments = { terms: LockTerms, inputHoldingCids: holdingCids, ...step };

export const LockFactory = standardInterface({
  name: `${MODULE}:ConditionalLockFactory`,
  view: FactoryView,
  choices: ({ byActors }) => ({
    ConditionalLockFactory_Lock: byActors(lockArguments, LockResult),
  }),
});

export const LockInstruction = standardInterface({
  name: `${MODULE}:ConditionalLockInstruction`,
  view: InstructionView,
  choices: ({ byActors }) => ({
    ConditionalLockInstruction_Accept: byActors({ approver: Account, ...step }, LockResult),
    ConditionalLockInstruction_Reject: byActors({ approver: Account, ...step }, LockResult),
    ConditionalLockInstruction_Withdraw: byActors(step, LockResult),
  }),
});

export const Lock = standardInterface({
  name: `${MODULE}:ConditionalLock`,
  view: LockView,
  choices: ({ byActors }) => ({
    ConditionalLock_Enact: byActors({ ruleId: d.text, ...step }, LockResult),
    ConditionalLock_Expire: byActors(step, LockResult),
    ConditionalLock_Cancel: byActors(step, LockResult),
    ConditionalLock_Amend: byActors({ newTerms: LockTerms, ...step }, LockResult),
  }),
});

export const lockInterfaces = definePackage({
  name: 'splice-api-token-conditional-lock-v1',
  version: '0.2.0',
  interfaces: [LockFactory, LockInstruction, Lock],
});
