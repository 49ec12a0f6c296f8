/** Status and version as each app of Splice tells them of itself (L-HLT-004). */
import { formatTimestamp } from '../../../daml/model/time.js';
import type { Party } from '../../../daml/model/values.js';
import { namespaceOf } from '../../../network/ids.js';
import type { NodeStatus, Version } from '../../../spec/generated/scan.js';
import { SPLICE_VERSION } from '../../../spec/versions.js';
import type { Splice } from '../../../splice/splice.js';
import { formatDuration } from './duration.js';

/** @param owner the party that the node is for */
export function nodeStatus({ network, startedAt }: Splice, name: string, owner: Party): NodeStatus {
  return {
    success: {
      id: `${name}::${namespaceOf(owner)}`,
      uptime: formatDuration(network.clock.now() - startedAt),
      // One port serves every API here, and whoever asks knows it.
      ports: {},
      active: true,
    },
  };
}

/** NOTE: the release is Splice's, whose time of commit means nothing here: the start of this network stands for it. */
export function nodeVersion({ startedAt }: Splice): Version {
  return { version: SPLICE_VERSION, commit_ts: formatTimestamp(startedAt) };
}
