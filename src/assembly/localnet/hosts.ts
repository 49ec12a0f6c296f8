/** The hosts and paths that the nginx of a LocalNet knows on ports 2000, 3000 and 4000 (L-HOST-001 to L-HOST-009), in the order of its files. */
import { SERVICES } from '../../http/routing/service.js';
import type { Route, VirtualHost } from '../../http/hosts/virtual-hosts.js';
import type { Site } from '../../http/sites.js';
import { SV } from './shape.js';

/** Of the Ledger API over gRPC. */
export const GRPC_HOSTS: readonly string[] = ['grpc-ledger-api.localhost'];

const VALIDATOR = '/api/validator';

/** @param name of the node whose port it is */
export function hostsOf(name: string, site: Site): readonly VirtualHost[] {
  return name === SV ? hostsOfSv(site) : hostsOfApp(name, site);
}

/** NOTE: where a LocalNet has pages for people, of a wallet, of names, of Scan or an SV, one says at the root that there are none. */
const home = (path: string): Route => ({
  path: '/',
  isExact: true,
  to: { page: `There are no pages here. What they call is at <code>${path}</code>.` },
});

const validator = (site: Site): Route => ({
  path: VALIDATOR,
  to: { site, service: SERVICES.validator },
});

function hostsOfApp(name: string, site: Site): readonly VirtualHost[] {
  const ledger = { site, service: SERVICES.ledger, isOpenToPages: true };
  // Only on app-user's port does the wallet answer to the bare name; elsewhere that falls to the first.
  const wallet = name === 'app-user' ? ['localhost', 'wallet.localhost'] : ['wallet.localhost'];
  return [
    { names: ['ans.localhost'], routes: [validator(site), home(VALIDATOR)] },
    {
      names: ['canton.localhost', 'json-ledger-api.localhost'],
      routes: [{ path: '/', to: ledger }],
    },
    // What speaks HTTP/2 does not come here, and nothing else can be passed on.
    { names: GRPC_HOSTS, routes: [{ path: '/', to: 'bad gateway' }] },
    { names: wallet, routes: [validator(site), home(VALIDATOR)] },
  ];
}

function hostsOfSv(site: Site): readonly VirtualHost[] {
  const ledger = { site, service: SERVICES.ledger, isOpenToPages: true };
  return [
    { names: ['localhost'], routes: [{ path: '/status', isExact: true, to: 'status' }] },
    {
      names: ['sv.localhost'],
      routes: [{ path: '/api/sv', to: { site, service: SERVICES.sv } }, home('/api/sv')],
    },
    {
      names: ['scan.localhost'],
      routes: [
        { path: '/api/scan', to: { site, service: SERVICES.scan } },
        { path: '/registry', to: { site, service: SERVICES.scan } },
        home('/api/scan'),
      ],
    },
    { names: ['wallet.localhost'], routes: [validator(site), home(VALIDATOR)] },
    {
      names: ['canton.localhost'],
      routes: [
        { path: '/docs/openapi', to: ledger },
        { path: '/v2', to: { ...ledger, answersOptions: true } },
      ],
    },
  ];
}
