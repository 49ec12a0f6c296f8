/** The first calls of an application, with types of one release. No part of them is deprecated. */
import { Client } from './client.js';

export interface Journey {
  readonly url: string;
  readonly dar: Uint8Array<ArrayBuffer>;
  /** The template of the DAR, with its owner as the only field. */
  readonly templateId: string;
}

/** Throws an error if an answer lacks a member. */
function some<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('The answer lacks a member.');
  return value;
}

export async function journey({ url, dar, templateId }: Journey) {
  const client = new Client(url);
  const { version } = await client.get('/v2/version');
  await client.upload(dar);
  const { partyDetails } = await client.post('/v2/parties', {
    partyIdHint: 'owner',
    identityProviderId: '',
    synchronizerId: '',
    userId: '',
  });
  const { party } = some(partyDetails);
  const beginExclusive = some((await client.get('/v2/state/ledger-end')).offset);
  const eventFormat = {
    filtersByParty: {
      [party]: {
        cumulative: [
          {
            identifierFilter: {
              TemplateFilter: { value: { templateId, includeCreatedEventBlob: false } },
            },
          },
        ],
      },
    },
    verbose: true,
  };
  const transactionFormat = {
    eventFormat,
    transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA' as const,
  };
  const { transaction } = await client.post('/v2/commands/submit-and-wait-for-transaction', {
    commands: {
      commandId: 'journey',
      userId: 'app',
      actAs: [party],
      readAs: [],
      commands: [{ CreateCommand: { templateId, createArguments: { owner: party } } }],
    },
    transactionFormat,
  });
  const { updateId, offset } = some(transaction);
  const updates = await client.post('/v2/updates', {
    beginExclusive,
    endInclusive: offset,
    updateFormat: { includeTransactions: transactionFormat },
  });
  const active = await client.post('/v2/state/active-contracts', {
    activeAtOffset: offset,
    eventFormat,
  });
  const completions = await client.post('/v2/commands/completions', {
    userId: 'app',
    parties: [party],
    beginExclusive,
  });
  return {
    version,
    updateId,
    updates: updates.flatMap(({ update }) =>
      update !== undefined && 'Transaction' in update ? [update.Transaction.value.updateId] : [],
    ),
    active: active.flatMap(({ contractEntry: entry }) =>
      entry !== undefined && 'JsActiveContract' in entry
        ? [entry.JsActiveContract.createdEvent.createArgument]
        : [],
    ),
    completions: completions.flatMap(({ completionResponse: response }) =>
      response !== undefined && 'Completion' in response
        ? [response.Completion.value.updateId]
        : [],
    ),
    party,
  };
}
