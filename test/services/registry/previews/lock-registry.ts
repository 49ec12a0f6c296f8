/**
 * A registry's package that implements conditional locks. Its choices fetch contracts that only the registry's admin or the authorizer
 * sees, so that they work only with the contracts that the registry discloses.
 */
import { d, definePackage, defineTemplate, type Update } from 'canticle';
import type { ContractId, Party } from '../../../../src/daml/index.js';
import { EMPTY_METADATA } from '../../../../src/token/holdings/conversions.js';
import { Holding } from '../../../../src/token/standard/holding-v2.js';
import { Lock, LockFactory, LockInstruction, LockOutput, LockTerms } from './lock-interfaces.js';

const MODULE = 'Test.LockRegistry';

const Config = defineTemplate({
  name: `${MODULE}:Config`,
  fields: { admin: d.party },
  signatories: ({ admin }) => [admin],
});

const LockedHolding = defineTemplate({
  name: `${MODULE}:LockedHolding`,
  fields: { terms: LockTerms },
  signatories: ({ terms }) => [terms.instrumentId.admin, ownerOf(terms)],
  implements: (implement) => [
    implement(Holding, {
      view: ({ terms: { authorizer: account, instrumentId, amount } }) => ({
        account,
        instrumentId,
        amount,
        lock: null,
        meta: EMPTY_METADATA,
      }),
    }),
  ],
});

const ownerOf = ({ authorizer }: LockTerms): Party => authorizer.owner!.value;

const state = {
  terms: LockTerms,
  receiver: d.party,
  config: d.contractId(Config),
  backing: d.contractId(LockedHolding),
  /** Further contracts that it names. */
  others: d.list(d.contractId(Config)),
};

/** Each choice needs the admin's configuration and the locked holding. */
function release(update: Update, config: ContractId, backing: ContractId) {
  update.fetch(Config, config);
  update.archive(LockedHolding, backing);
  const unlocked = LockOutput.of('ConditionalLockResult_Failed', { authorizerHoldingCids: [] });
  return { output: unlocked, authorizerChangeCids: [], meta: EMPTY_METADATA };
}

const none = () => [];
const unsupported = (update: Update): never => update.fail('These tests do not use it.');

export const ActiveLock = defineTemplate({
  name: `${MODULE}:ActiveLock`,
  // The view names this party as the admin, if there is one.
  fields: { ...state, failsToShow: d.bool, claimed: d.optional(d.party) },
  signatories: ({ terms }) => [terms.instrumentId.admin, ownerOf(terms)],
  observers: ({ receiver }) => [receiver],
  implements: (implement) => [
    implement(Lock, {
      view: ({ terms: own, backing, failsToShow, claimed }) => {
        if (failsToShow) throw new Error('No view.');
        const instrumentId = {
          ...own.instrumentId,
          admin: claimed?.value ?? own.instrumentId.admin,
        };
        const terms = { ...own, instrumentId };
        const lock = { lockId: 'lock-1', terms, enactedRuleIds: [], meta: EMPTY_METADATA };
        return { ...lock, holdingCids: [backing] };
      },
      methods: {
        conditionalLock_enactImpl: ({ payload: { config, backing } }, update) =>
          release(update, config, backing),
        conditionalLock_expireImpl: (_self, update) => unsupported(update),
        conditionalLock_cancelImpl: (_self, update) => unsupported(update),
        conditionalLock_amendImpl: (_self, update) => unsupported(update),
        conditionalLock_enactExtraObservers: none,
        conditionalLock_expireExtraObservers: none,
        conditionalLock_cancelExtraObservers: none,
        conditionalLock_amendExtraObservers: none,
      },
    }),
  ],
});

export const Instruction = defineTemplate({
  name: `${MODULE}:Instruction`,
  fields: state,
  signatories: ({ terms }) => [terms.instrumentId.admin, ownerOf(terms)],
  observers: ({ receiver }) => [receiver],
  implements: (implement) => [
    implement(LockInstruction, {
      view: ({ terms }) => ({
        lockId: 'lock-1',
        terms,
        pendingApprovals: [],
        meta: EMPTY_METADATA,
      }),
      methods: {
        conditionalLockInstruction_acceptImpl: ({ payload, contractId }, update) => {
          update.fetch(LockedHolding, payload.backing);
          update.archive(Instruction, contractId);
          const lockCid = update.create(ActiveLock, {
            ...payload,
            failsToShow: false,
            claimed: null,
          });
          const holdingCids = [payload.backing];
          const output = LockOutput.of('ConditionalLockResult_Locked', { lockCid, holdingCids });
          return { output, authorizerChangeCids: [], meta: EMPTY_METADATA };
        },
        conditionalLockInstruction_rejectImpl: (_self, update) => unsupported(update),
        conditionalLockInstruction_withdrawImpl: (_self, update) => unsupported(update),
        conditionalLockInstruction_acceptExtraObservers: none,
        conditionalLockInstruction_rejectExtraObservers: none,
        conditionalLockInstruction_withdrawExtraObservers: none,
      },
    }),
  ],
});

export const Factory = defineTemplate({
  name: `${MODULE}:Factory`,
  fields: {
    admin: d.party,
    config: d.contractId(Config),
    receiver: d.party,
    signer: d.party,
    failsToShow: d.bool,
  },
  signatories: ({ signer }) => [signer],
  implements: (implement) => [
    implement(LockFactory, {
      view: ({ admin, failsToShow }) => {
        if (failsToShow) throw new Error('No view.');
        return { admin, meta: EMPTY_METADATA };
      },
      methods: {
        conditionalLockFactory_lockImpl: ({ payload }, update, { terms }) => {
          const { config, receiver } = payload;
          update.fetch(Config, config);
          const backing = update.create(LockedHolding, { terms });
          const instructionCid = update.create(Instruction, {
            terms,
            receiver,
            config,
            backing,
            others: [],
          });
          const output = LockOutput.of('ConditionalLockResult_Pending', { instructionCid });
          return { output, authorizerChangeCids: [], meta: EMPTY_METADATA };
        },
        conditionalLockFactory_lockExtraObservers: none,
      },
    }),
  ],
});

export const lockRegistry = definePackage({
  name: 'test-lock-registry',
  version: '1.0.0',
  templates: [Config, LockedHolding, ActiveLock, Instruction, Factory],
});
