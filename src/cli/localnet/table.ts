/** The lines that `canticle localnet` prints before it is ready: URLs, users, and missing DARs. */
import type { Localnet, LocalnetNode } from '../../assembly/localnet/localnet.js';
import { PASSWORD } from '../../assembly/localnet/realms.js';
import { isOfOtherRelease, type SpliceDar } from '../../assembly/localnet/splice-dars.js';
import type { CertificateFacts } from './certificate.js';

/** @param unresolved host names that this machine does not know @param certificate of its ports, if they serve TLS */
export function localnetTable(
  localnet: Localnet,
  unresolved: readonly string[],
  certificate?: CertificateFacts,
): string {
  const { nodes, urls } = localnet;
  const lines = [
    ...nodes.flatMap((node) => [...rowsOf(node), '']),
    row('network', 'Scan', urls.scan),
    row('', 'Token registry', `${urls.registry}/registry`),
    row('', 'SV app', urls.sv),
    row('', 'Controls', urls.control),
    row('', 'Inspector', urls.inspector),
    ...(urls.walletGateway === undefined ? [] : [row('', 'Wallet Gateway', urls.walletGateway)]),
    ...Object.values(localnet.sqlApis).map((url, at) => row('', at === 0 ? 'SQL' : '', url)),
    '',
    ...tokenLines(localnet),
    ...certificateLines(certificate),
    ...amuletLines(localnet),
    ...mendingLines(unresolved),
  ];
  return `${lines.join('\n')}\n`;
}

const row = (name: string, what: string, where: string): string =>
  `${name.padEnd(14)}${what.padEnd(18)}${where}`;

function rowsOf(node: LocalnetNode): string[] {
  const { name, ledgerApi, grpc, grpcAdmin, validator, ui, user, walletUser, walletUserName } =
    node;
  const wallet = walletUser === walletUserName ? '' : `, ${walletUserName} to the wallet`;
  return [
    row(name, 'JSON Ledger API', ledgerApi),
    ...(grpc === undefined ? [] : [row('', 'gRPC Ledger API', grpc)]),
    ...(grpcAdmin === undefined ? [] : [row('', 'gRPC admin API', grpcAdmin)]),
    row('', 'Validator, wallet', validator),
    row('', 'Host names', ui),
    row('', 'Users', `${user} (administrator), ${walletUser} (wallet)${wallet}`),
  ];
}

function tokenLines({ main, nodes }: Localnet): string[] {
  const ofRealms = nodes.flatMap(({ name, walletUserName, oauth2 }) =>
    oauth2 === undefined
      ? []
      : [
          row(name, 'OAuth2', oauth2.issuer),
          row('', 'Client', `${oauth2.clientId}, secret ${oauth2.clientSecret}`),
          row('', 'Passwords', `client ${name}-unsafe, user ${walletUserName}, ${PASSWORD}`),
        ],
  );
  const signed = "secret 'unsafe', audience https://canton.network.global, no expiry needed";
  return [
    ...ofRealms,
    row(ofRealms.length === 0 ? 'tokens' : 'sv', 'HS256', signed),
    row(main.name, 'Example', exampleOf(main)),
    '',
  ];
}

/** A complete command. With OAuth2, only the node of the token accepts it. */
const exampleOf = (node: LocalnetNode): string =>
  `curl ${node.ledgerApi}/v2/users -H "Authorization: Bearer ${node.token()}"`;

function certificateLines(certificate: CertificateFacts | undefined): string[] {
  if (certificate === undefined) return [];
  const { subject, issuer, missing } = certificate;
  return [
    row('TLS', 'Certificate', `${subject}, signed by ${issuer}`),
    row('', 'Clients', 'curl --cacert FILE, NODE_EXTRA_CA_CERTS=FILE, canticle env --tls-ca FILE'),
    ...(missing.length === 0
      ? []
      : [
          row(
            '',
            'Missing names',
            `${missing.join(', ')}: clients reject the certificate at these names`,
          ),
        ]),
    '',
  ];
}

function amuletLines({ dars, hasAmulet }: Localnet): string[] {
  const amulet = dars.find(({ name }) => name === 'splice-amulet');
  if (hasAmulet)
    return [row('Amulet', amulet?.version ?? '', "Splice's own code"), ...gaps(dars), ''];
  return [
    "Splice's DARs are missing: this LocalNet uses a simplified Amulet. It supports taps, holdings, preapprovals, offers, transfers,",
    'allocations and rounds, but not app payments, subscriptions, names, traffic, setup proposals, rewards or DSO governance.',
    '`canticle dars` lists the missing files and where to get them.',
    '',
  ];
}

/** Differences from a network of this release that remain with Splice's DARs. */
function gaps(dars: readonly SpliceDar[]): string[] {
  const missing = dars.filter(({ version }) => version === undefined).map(({ name }) => name);
  const old = dars.flatMap(({ name, version, least }) =>
    least === undefined ? [] : [`${name} ${version} (${least} or later)`],
  );
  const others = dars
    .filter(isOfOtherRelease)
    .map(
      ({ name, version, expected, orLater }) =>
        `${name} ${version} instead of ${expected}${orLater ? ' or later' : ''}`,
    );
  return [
    ...(missing.length === 0 ? [] : [row('', 'Missing', missing.join(', '))]),
    ...(old.length === 0 ? [] : [row('', 'Too old', old.join(', '))]),
    ...(others.length === 0 ? [] : [row('', 'Other release', others.join(', '))]),
  ];
}

function mendingLines(unresolved: readonly string[]): string[] {
  if (unresolved.length === 0) return [];
  return [
    `This machine does not know ${unresolved.join(', ')}. Programs other than browsers need this line in /etc/hosts:`,
    `127.0.0.1 ${unresolved.join(' ')}`,
    'You can also use a separate port for each service: the ports above, and --scan-port and --sv-port for Scan and the SV app.',
    '',
  ];
}
