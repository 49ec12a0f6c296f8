/** Scan's data about the network: identities of its synchronizers, and its migrations (S-SYN-*, S-MIG-*). */
import { formatTimestamp } from '../../daml/model/time.js';
import { synchronizerIdentities } from '../../splice/synchronizer-identities.js';
import { Reply, HttpRefusal, type SomeHandlers } from '../handler.js';

export const synchronizerHandlers = {
  getSynchronizerIdentities: ({ network }, { path }) => {
    const identities = synchronizerIdentities(network, path.domain_id_prefix);
    if (identities === undefined)
      throw new HttpRefusal(404, `No synchronizer for ${path.domain_id_prefix} found`);
    const { sequencer, mediator } = identities;
    return {
      sequencer_id: sequencer.id,
      sequencer_identity_transactions: [...sequencer.identityTransactions],
      mediator_id: mediator.id,
      mediator_identity_transactions: [...mediator.identityTransactions],
    };
  },
  /** Without a scheduled migration, the 404 has no body, unlike every other 404 (S-MIG-001). */
  getMigrationSchedule: ({ network }) => {
    const { scheduled } = network.migrations;
    if (scheduled === undefined) return new Reply(undefined, { status: 404 });
    return { time: formatTimestamp(scheduled.time), migration_id: scheduled.migrationId };
  },
  getMigrationId: ({ network }) => ({ migration_id: network.migrations.current }),
} satisfies SomeHandlers<'scan'>;
