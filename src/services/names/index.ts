/**
 * The handlers of the name service: requests of a wallet's user for names, and their payments (V-ANS-001 to V-ANS-006).
 */
import type { Numeric } from '../../daml/model/numeric.js';
import type { DamlRecord, Timestamp } from '../../daml/model/values.js';
import { paidNames, requestName, type PaidName } from '../../splice/wallet/names.js';
import type { Handlers } from '../handler.js';
import { withHttpRefusals, callerWallet } from '../wallet-app/wallet-handler.js';

export const handlers: Handlers<'names'> = {
  createAnsEntry: (context, { body }) =>
    withHttpRefusals(() => {
      const { name, url, description } = body;
      const wallet = callerWallet(context, 'createAnsEntry');
      const { entryCid, requestCid } = requestName(wallet, { name, url, description });
      return {
        entryContextCid: entryCid,
        subscriptionRequestCid: requestCid,
        ...{ name, url, description },
      };
    }),
  listAnsEntries: (context) => ({
    entries: paidNames(callerWallet(context, 'listAnsEntries')).map(entryJson),
  }),
};

function entryJson({ entry, payData }: PaidName) {
  const { amount, unit } = payData.paymentAmount as unknown as {
    readonly amount: Numeric;
    readonly unit: string;
  };
  return {
    contractId: entry.contractId,
    name: entry.payload.name as string,
    amount: amount.toString(),
    // In the format of Java's enumerations.
    unit: unit.toUpperCase(),
    expiresAt: String((entry.payload.expiresAt as Timestamp) / 1000n),
    paymentInterval: microseconds(payData.paymentInterval as DamlRecord),
    paymentDuration: microseconds(payData.paymentDuration as DamlRecord),
  };
}

const microseconds = (time: DamlRecord): string => String(time.microseconds);
