/** The model's preapprovals: by one its receiver is paid at once. They cost nothing, and so do transfers. */
import { d, defineTemplate, type Update } from '../../daml/define/index.js';
import { Numeric } from '../../daml/model/numeric.js';
import { parties } from '../../daml/model/parties.js';
import type { ContractId } from '../../daml/model/values.js';
import { EMPTY_METADATA } from '../../token/holdings/conversions.js';
import { Metadata } from '../../token/standard/metadata-v1.js';
import {
  inputsOf,
  NO_TRANSFER,
  outputOf,
  pay,
  PaymentContext,
  TransferInput,
  TransferResult,
} from './payments.js';

const MODULE = 'Splice.AmuletRules';
const NONE = Numeric.of('0', 10);

const self = d.contractId(`${MODULE}:TransferPreapproval`);

export const TransferPreapproval = defineTemplate({
  name: `${MODULE}:TransferPreapproval`,
  fields: {
    dso: d.party,
    receiver: d.party,
    provider: d.party,
    validFrom: d.timestamp,
    lastRenewedAt: d.timestamp,
    expiresAt: d.timestamp,
  },
  signatories: ({ dso, receiver, provider }) => parties([dso, receiver, provider]),
  ensure: ({ expiresAt, validFrom }) => expiresAt > validFrom,
  choices: (choice) => ({
    TransferPreapproval_SendV2: choice({
      consuming: false,
      argument: {
        inputs: d.list(TransferInput),
        amount: d.numeric(10),
        sender: d.party,
        description: d.optional(d.text),
      },
      result: d.record(`${MODULE}:TransferPreapproval_SendV2Result`, {
        result: TransferResult,
        meta: Metadata,
      }),
      controllers: (_preapproval, { sender }) => [sender],
      run: (update, { payload: { dso, receiver, expiresAt } }, { inputs, amount, sender }) => {
        checkTime(update, expiresAt);
        const outputs = [outputOf(receiver, amount)];
        const result = pay(update, dso, { sender, inputs, outputs });
        return { result, meta: EMPTY_METADATA };
      },
    }),
    TransferPreapproval_Renew: choice({
      argument: {
        context: PaymentContext,
        inputs: d.list(TransferInput),
        newExpiresAt: d.timestamp,
      },
      result: d.record(`${MODULE}:TransferPreapproval_RenewResult`, {
        transferPreapprovalCid: self,
        transferResult: TransferResult,
        receiver: d.party,
        provider: d.party,
        amuletPaid: d.numeric(10),
      }),
      controllers: ({ provider }) => [provider],
      run: (update, { payload, template }, { newExpiresAt }) => {
        const { expiresAt, receiver, provider } = payload;
        checkTime(update, expiresAt);
        update.assert(newExpiresAt > expiresAt, 'newExpiresAt is after expiresAt');
        const renewed = { ...payload, lastRenewedAt: expiresAt, expiresAt: newExpiresAt };
        return {
          transferPreapprovalCid: update.create(template, renewed),
          transferResult: NO_TRANSFER,
          ...{ receiver, provider, amuletPaid: NONE },
        };
      },
    }),
    TransferPreapproval_Cancel: choice({
      argument: { p: d.party },
      result: d.unit,
      controllers: (_preapproval, { p }) => [p],
      run: (update, { payload: { receiver, provider, expiresAt } }, { p }) => {
        const isOwn = p === receiver || p === provider;
        update.assert(isOwn, `Controller ${p} is either receiver or provider`);
        checkTime(update, expiresAt);
        return {};
      },
    }),
  }),
});

function checkTime(update: Update, expiresAt: bigint): void {
  update.assert(update.getTime() < expiresAt, 'TransferPreapproval.expiresAt is in the future');
}

/** Pays by a preapproval. @returns the receiver's amulet and the sender's change */
export function send(
  update: Update,
  preapproval: ContractId,
  {
    inputs,
    ...payment
  }: { inputs: readonly ContractId[]; amount: Numeric; sender: string; receiver: string },
): { readonly received: ContractId; readonly change: readonly ContractId[] } {
  const { receiver, amount, sender } = payment;
  const found = update.fetch(TransferPreapproval, preapproval).payload;
  update.assert(found.receiver === receiver, `The preapproval is of ${found.receiver}`);
  const { result } = update.exercise(
    TransferPreapproval,
    preapproval,
    'TransferPreapproval_SendV2',
    {
      inputs: inputsOf(inputs),
      ...{ amount, sender, description: null },
    },
  );
  const change = result.senderChangeAmulet;
  return {
    received: result.createdAmulets[0]!.value,
    change: change === null ? [] : [change.value],
  };
}
