/** Status and version endpoints of each Splice app (L-HLT-004). */
import { formatTimestamp } from '../../../daml/model/time.js';
import type { Party } from '../../../daml/model/values.js';
import { namespaceOf } from '../../../network/model/ids.js';
import type { NodeStatus, Version } from '../../../spec/generated/scan.js';
import { SPLICE_VERSION } from '../../../spec/versions.js';
import type { Splice } from '../../../splice/splice.js';
import { formatDuration } from './duration.js';

/** @param owner the node's party */
export function nodeStatus({ network, startedAt }: Splice, name: string, owner: Party): NodeStatus {
  return {
    success: {
      id: `${name}::${namespaceOf(owner)}`,
      uptime: formatDuration(network.clock.now() - startedAt),
      // Empty, because one port serves all APIs, and the client already uses it.
      ports: {},
      active: true,
    },
  };
}

/** NOTE: the version is Splice's. The commit time has no meaning here, so it is the start of this network. */
export function nodeVersion({ startedAt }: Splice): Version {
  return { version: SPLICE_VERSION, commit_ts: formatTimestamp(startedAt) };
}
