/** Status and version endpoints of each Splice app (L-HLT-004). */
import { formatTimestamp } from '../../../daml/model/time.js';
import { namespaceOf } from '../../../network/model/ids.js';
import type { NodeStatus, Version } from '../../../spec/generated/scan.js';
import { spliceReleaseOf, type SpliceVersion } from '../../../spec/versions.js';
import type { Splice } from '../../../splice/splice.js';
import { formatDuration } from './duration.js';

/** The ports of the apps in Splice's configuration. */
export const SCAN_PORT = 5012;
export const SV_PORT = 5014;
export const VALIDATOR_PORT = 5003;

/** @param app its name in the configuration @param admin its port there */
export function appStatus(splice: Splice, app: string, admin: number): NodeStatus {
  return statusOf(splice, `amulet::${app}`, { admin });
}

/**
 * The status of a node of a synchronizer. It has no ports, because no client connects to the nodes.
 * @param id the node's id
 */
export function nodeStatus(splice: Splice, name: string, id: string): NodeStatus {
  return statusOf(splice, `${name}::${namespaceOf(id)}`, {});
}

function statusOf(
  { network, startedAt }: Splice,
  id: string,
  ports: Readonly<Record<string, number>>,
): NodeStatus {
  const uptime = formatDuration(network.clock.now() - startedAt);
  return { success: { id, uptime, ports: { ...ports }, active: true } };
}

/** @param release of the app. NOTE: the commit time has no meaning here, so it is the start of this network. */
export function nodeVersion({ startedAt }: Splice, release: SpliceVersion): Version {
  return { version: spliceReleaseOf(release).version, commit_ts: formatTimestamp(startedAt) };
}
