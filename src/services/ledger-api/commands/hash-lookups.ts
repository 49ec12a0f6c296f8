/** Finds the transaction of an external party by the hash that the party signed. New in release 3.6. */
import { ledgerError } from '../../../daml/errors/ledger-error.js';
import { invalidArgument, missingField } from '../../../network/model/request-errors.js';
import type { Completion } from '../../../network/model/updates.js';
import { canReadAs, type Claims } from '../../authorization/claim-set.js';
import type { SomeHandlers } from '../../handler.js';
import { renderCompletion } from './commands.js';
import { renderUpdate, updateReader } from '../formats/render.js';
import { readUpdateFormat } from '../formats/resolve-format.js';
import { requireVisible } from '../updates/updates.js';

/** Canton's `max-rejected-completions-by-hash`. */
const MAX_REJECTED_COMPLETIONS = 10;

export const hashLookups = {
  'postV2CommandsCompletion-by-hash': ({ participant, claims }, { body }) => {
    const hash = hexadecimal(body.transactionHash);
    if (hash === '') throw invalidArgument('Missing field: transaction_hash');
    const found = participant.completionsByHash(hash);
    const shown = (completion: Completion | undefined) => completion && visible(completion, claims);
    const accepted = shown(found.accepted);
    const rejected = found.rejected.flatMap((completion) => shown(completion) ?? []);
    if (accepted === undefined && rejected.length === 0)
      throw ledgerError('COMPLETION_NOT_FOUND', {
        cause: 'Completion not found, or not visible.',
        resources: [['TRANSACTION_HASH', hash]],
      });
    return {
      acceptedCompletion: accepted && renderCompletion(participant, accepted),
      lastRejectedCompletions: rejected
        .slice(0, MAX_REJECTED_COMPLETIONS)
        .map((completion) => renderCompletion(participant, completion)),
    };
  },

  'postV2UpdatesUpdate-by-hash': (context, { body }) => {
    const { participant, network, values } = context;
    const hash = hexadecimal(body.transactionHash);
    if (hash === '') throw missingField('transaction_hash');
    const format = readUpdateFormat(context, body.updateFormat);
    const found = network.updateByExternalHash(hash);
    const view = requireVisible(participant, found, format, ['TRANSACTION_HASH', hash]);
    const reader = updateReader({ participant, call: context }, values, format);
    return { update: renderUpdate(reader, view) };
  },
} satisfies SomeHandlers<'ledger'>;

/** Visible to callers that may read as one of its submitters; only those submitters appear. */
function visible(completion: Completion, claims: Claims | undefined): Completion | undefined {
  if (claims === undefined) return completion;
  const actAs = completion.actAs.filter((party) => canReadAs(claims, party));
  return actAs.length > 0 ? { ...completion, actAs } : undefined;
}

const hexadecimal = (base64: string): string => Buffer.from(base64, 'base64').toString('hex');
