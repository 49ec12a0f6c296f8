/**
 * The test token's rules: the admin's one contract. It mints tokens, and it is the token's factory and event log. NOTE: the test token is
 * not part of a real network, and neither are the texts of its errors.
 */
import { d, defineTemplate } from '../daml/define/index.js';
import { some, type Party } from '../daml/model/values.js';
import { allocate, allocateObservers } from './allocations/allocations.js';
import { allocationFactories } from './allocations/factories.js';
import { basicAccount, factoryView } from './holdings/conversions.js';
import { MINT_ACCOUNT, leg, logHoldingsChange } from './holdings/events.js';
import { resultMetadata } from './holdings/result-metadata.js';
import { Lock } from './standard/holding-v2.js';
import { Metadata } from './standard/metadata-v1.js';
import { EventLog } from './standard/transfer-events-v2.js';
import { MODULE, Token } from './holdings/token.js';
import { transferFactory } from './transfers/transfer-factory.js';
import { tokenTransfers } from './transfers/transfer-offer.js';

export const TokenRules = defineTemplate({
  name: `${MODULE}:TokenRules`,
  fields: { admin: d.party },
  signatories: (rules) => [rules.admin],
  choices: (choice) => ({
    /** Creates tokens. The receiver and the holders of a lock are controllers, because they sign the token. */
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
    ...transferFactory(tokenTransfers, adminOf)(implement),
    ...allocationFactories(adminOf, { allocate, observers: allocateObservers })(implement),
    implement(EventLog, {
      view: ({ admin }) => factoryView(admin),
      methods: {
        eventLog_holdingsChangeImpl: ({ payload }, update, { admin }) => {
          update.assert(payload.admin === admin, tokenTransfers.words.admin(admin, payload.admin));
          return {};
        },
      },
    }),
  ],
});

function adminOf({ admin }: { readonly admin: Party }): Party {
  return admin;
}
