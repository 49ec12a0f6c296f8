/**
 * The test token's rules: the admin's one contract. It mints, and it is the token's factories and event log.
 * NOTE: the test token is ours, and so are the texts of its code, here and in this whole room.
 */
import { d, defineTemplate, type Update } from '../daml/define/index.js';
import { some, type Party } from '../daml/model/values.js';
import { allocate, allocateObservers } from './allocations/allocations.js';
import {
  EMPTY_METADATA,
  basicAccount,
  ownerOf,
  resultToV1,
  transferToV2,
} from './holdings/conversions.js';
import { MINT_ACCOUNT, leg, logHoldingsChange } from './holdings/events.js';
import { resultMetadata } from './holdings/result-metadata.js';
import { settleBatch } from './allocations/settlements.js';
import { AllocationFactory } from './standard/allocation-instruction-v2.js';
import { SettlementFactory } from './standard/allocation-v2.js';
import { Lock } from './standard/holding-v2.js';
import { Metadata } from './standard/metadata-v1.js';
import { EventLog } from './standard/transfer-events-v2.js';
import { TransferFactory as TransferFactoryV1 } from './standard/transfer-instruction-v1.js';
import { TransferFactory } from './standard/transfer-instruction-v2.js';
import { MODULE, Token } from './holdings/token.js';
import { instructTransfer } from './transfers/transfers.js';

export const TokenRules = defineTemplate({
  name: `${MODULE}:TokenRules`,
  fields: { admin: d.party },
  signatories: (rules) => [rules.admin],
  choices: (choice) => ({
    /** Makes new tokens. The receiver acts too, for it signs what it holds; so do the holders of a lock. */
    TokenRules_Mint: choice({
      consuming: false,
      argument: {
        instrumentId: d.text,
        receiver: d.party,
        amount: d.numeric(10),
        lock: d.optional(Lock),
        meta: Metadata,
      },
      result: d.contractId(Token),
      controllers: (rules, { receiver, lock }) => [
        rules.admin,
        receiver,
        ...(lock?.value.holders ?? []),
      ],
      run: (
        update,
        { contractId, payload: { admin } },
        { instrumentId, receiver, amount, lock, meta },
      ) => {
        const tokenCid = update.create(Token, {
          owner: receiver,
          instrumentId: { admin, id: instrumentId },
          amount,
          lock,
          lockedAt: lock === null ? null : some(update.getTime()),
          meta,
        });
        logHoldingsChange(update, contractId, {
          admin,
          account: basicAccount(receiver),
          inputs: [],
          outputs: [tokenCid],
          legs: [leg('ReceiverSide', MINT_ACCOUNT, amount, instrumentId)],
          meta: resultMetadata('mint', undefined, meta),
        });
        return tokenCid;
      },
    }),
  }),
  implements: (implement) => [
    implement(TransferFactoryV1, {
      view: factoryView,
      methods: {
        transferFactory_transferImpl: (
          { payload },
          update,
          { expectedAdmin, transfer, extraArgs },
        ) => {
          checkExpectedAdmin(update, payload.admin, expectedAdmin);
          return resultToV1(
            instructTransfer(update, payload.admin, transferToV2(transfer), extraArgs),
          );
        },
        transferFactory_publicFetchImpl: ({ payload }, update, { expectedAdmin }) => {
          checkExpectedAdmin(update, payload.admin, expectedAdmin);
          return factoryView(payload);
        },
      },
    }),
    implement(TransferFactory, {
      view: factoryView,
      methods: {
        transferFactory_transferImpl: ({ payload }, update, { transfer, actors, extraArgs }) => {
          const sender = ownerOf(transfer.sender);
          update.assert(
            actors.includes(sender),
            `TransferFactory_Transfer takes ${sender} among its actors`,
          );
          return instructTransfer(update, payload.admin, transfer, extraArgs);
        },
        transferFactory_publicFetchImpl: ({ payload }) => factoryView(payload),
        transferFactory_transferExtraObservers: () => [],
      },
    }),
    implement(AllocationFactory, {
      view: factoryView,
      methods: {
        allocationFactory_allocateImpl: ({ payload }, update, argument) =>
          allocate(update, payload.admin, argument),
        allocationFactory_publicFetchImpl: ({ payload }) => factoryView(payload),
        allocationFactory_allocateExtraObservers: (_self, argument) => allocateObservers(argument),
      },
    }),
    implement(SettlementFactory, {
      view: factoryView,
      methods: {
        settlementFactory_settleBatchImpl: ({ payload }, update, argument) =>
          settleBatch(update, payload.admin, argument),
        settlementFactory_publicFetchImpl: ({ payload }) => factoryView(payload),
        // Nobody: the parties of one allocation are not told of the others.
        settlementFactory_settleBatchExtraObservers: () => [],
      },
    }),
    implement(EventLog, {
      view: factoryView,
      methods: {
        eventLog_holdingsChangeImpl: ({ payload }, update, { admin }) => {
          checkExpectedAdmin(update, payload.admin, admin);
          return {};
        },
      },
    }),
  ],
});

/** What each factory and the event log show of themselves. */
function factoryView({ admin }: { readonly admin: Party }) {
  return { admin, meta: EMPTY_METADATA };
}

/** Keeps a client from being led to somebody else's factory. */
function checkExpectedAdmin(update: Update, admin: Party, expected: Party): void {
  update.assert(
    admin === expected,
    `Expected admin ${expected} does not match the actual admin ${admin}`,
  );
}
