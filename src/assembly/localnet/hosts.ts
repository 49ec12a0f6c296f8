/**
 * The hosts and paths of a LocalNet's nginx on ports 2000, 3000 and 4000 (L-HOST-001 to L-HOST-009), in the order of its configuration
 * files.
 */
import { SERVICES } from '../../http/routing/service.js';
import type { Route, VirtualHost } from '../../http/hosts/virtual-hosts.js';
import type { Site } from '../../http/sites.js';
import { SV } from './shape.js';

/** Hosts of the gRPC Ledger API. */
export const GRPC_HOSTS: readonly string[] = ['grpc-ledger-api.localhost'];

const VALIDATOR = '/api/validator';

/** @param name of the node that owns the port */
export function hostsOf(name: string, site: Site): readonly VirtualHost[] {
  return name === SV ? hostsOfSv(site) : hostsOfApp(name, site);
}

/** NOTE: a LocalNet serves web apps of the wallet, names, Scan and SV at the root. Canticle serves a page that says that it has none. */
const home = (path: string): Route => ({
  path: '/',
  isExact: true,
  to: { page: `Canticle has no web app here. The API is at <code>${path}</code>.` },
});

const validator = (site: Site): Route => ({
  path: VALIDATOR,
  to: { site, service: SERVICES.validator },
});

function hostsOfApp(name: string, site: Site): readonly VirtualHost[] {
  const ledger = { site, service: SERVICES.ledger, isOpenToPages: true };
  // On app-user's port, `localhost` belongs to the wallet. On other ports, nginx uses the first server.
  const wallet = name === 'app-user' ? ['localhost', 'wallet.localhost'] : ['wallet.localhost'];
  return [
    { names: ['ans.localhost'], routes: [validator(site), home(VALIDATOR)] },
    {
      names: ['canton.localhost', 'json-ledger-api.localhost'],
      routes: [{ path: '/', to: ledger }],
    },
    // HTTP/2 connections take another path, and nginx cannot pass other requests to gRPC.
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
