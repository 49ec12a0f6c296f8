/** Scan's own status, and the DSO to which it belongs. */
import type { SomeHandlers } from '../handler.js';
import { nodeStatus, nodeVersion } from './formats/node-status.js';

export const nodeHandlers = {
  isReady: () => undefined,
  isLive: () => undefined,
  getHealthStatus: ({ splice }) => nodeStatus(splice, 'scan', splice.dsoParty),
  getVersion: ({ splice }) => nodeVersion(splice),
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
