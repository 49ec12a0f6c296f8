/** Scan on itself and on the DSO that it speaks for. */
import { formatTimestamp } from '../../daml/model/time.js';
import { namespaceOf } from '../../network/ids.js';
import { SPLICE_VERSION } from '../../spec/versions.js';
import { formatDuration } from './formats/duration.js';
import type { SomeHandlers } from '../handler.js';

export const nodeHandlers = {
  isReady: () => undefined,
  isLive: () => undefined,
  getHealthStatus: ({ network, splice }) => ({
    success: {
      id: `scan::${namespaceOf(splice.dsoParty)}`,
      uptime: formatDuration(network.clock.now() - splice.startedAt),
      // One port serves every API here, and whoever asks knows it.
      ports: {},
      active: true,
    },
  }),
  /** NOTE: the release is Splice's, whose time of commit means nothing here: the start of this network stands for it. */
  getVersion: ({ splice }) => ({
    version: SPLICE_VERSION,
    commit_ts: formatTimestamp(splice.startedAt),
  }),
  featureSupport: () => ({}),
  getDsoPartyId: ({ splice }) => ({ dso_party_id: splice.dsoParty }),
  getSpliceInstanceNames: ({ splice: { instanceNames: names } }) => ({
    network_name: names.networkName,
    network_favicon_url: names.networkFaviconUrl,
    amulet_name: names.amuletName,
    amulet_name_acronym: names.amuletNameAcronym,
    name_service_name: names.nameServiceName,
    name_service_name_acronym: names.nameServiceNameAcronym,
  }),
} satisfies SomeHandlers<'scan'>;
