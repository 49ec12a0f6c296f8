/** Scan's own status, and the DSO to which it belongs. */
import type { SomeHandlers } from '../handler.js';
import { appStatus, nodeVersion, SCAN_PORT } from './formats/node-status.js';

export const nodeHandlers = {
  isReady: () => undefined,
  isLive: () => undefined,
  getHealthStatus: ({ splice }) => appStatus(splice, 'scan-app', SCAN_PORT),
  getVersion: ({ splice, spliceVersion }) => nodeVersion(splice, spliceVersion),
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
