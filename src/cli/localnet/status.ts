/** `canticle localnet status`: which services of a LocalNet answer. */
import type { Terminal } from '../terminal.js';
import { LEDGER_API_USER, SV } from '../../assembly/localnet/shape.js';
import { realmName } from '../../assembly/localnet/realms.js';
import { isJsonObject } from '../../daml/model/own-members.js';
import { jsonIn } from '../../recording/har.js';
import { get, scanUrl, svUrl, whereaboutsOf, type Whereabouts } from './find-localnet.js';
import type { WhereFlags } from './where-flags.js';

interface Checked {
  readonly what: string;
  readonly url: string;
  readonly isUp: boolean;
}

interface StatusFlags extends WhereFlags {
  readonly json?: true;
}

/** @returns the exit status: 0 where all of it is up, 1 where something is not */
export async function showStatus(flags: unknown, { stdout }: Terminal): Promise<number> {
  const { json, ...where } = flags as StatusFlags;
  const found = whereaboutsOf(where);
  const services = [...servicesOf(found), ...(await realmsOf(found))];
  const checked = await Promise.all(services.map((each) => check(found, each)));
  const lines = checked.map(
    ({ what, url, isUp }) => `${isUp ? 'up  ' : 'down'}  ${what.padEnd(32)}${url}`,
  );
  stdout.write(json ? `${JSON.stringify(checked, undefined, 2)}\n` : `${lines.join('\n')}\n`);
  return checked.every(({ isUp }) => isUp) ? 0 : 1;
}

type Service = Pick<Checked, 'what' | 'url'>;

function servicesOf(where: Whereabouts): readonly Service[] {
  const ofNodes = where.nodes.flatMap(({ name, ports }) => [
    { what: `JSON Ledger API of ${name}`, url: `http://${where.host}:${ports.ledgerApi}/livez` },
    {
      what: `validator of ${name}`,
      url: `http://${where.host}:${ports.validator}/api/validator/readyz`,
    },
  ]);
  return [
    ...ofNodes,
    { what: 'Scan', url: `${scanUrl(where)}/api/scan/readyz` },
    { what: 'SV app', url: `${svUrl(where)}/api/sv/readyz` },
  ];
}

/** Those at which users log in: of the nodes whose validator is a user of a realm. */
async function realmsOf({ host, nodes, keycloak }: Whereabouts): Promise<readonly Service[]> {
  const found = nodes.map(async ({ name, ports }): Promise<readonly Service[]> => {
    const url = `http://${host}:${ports.validator}/api/validator/v0/validator-user`;
    const user = await get(host, url).then(
      ({ text }) => userIn(text),
      () => undefined,
    );
    if (name === SV || user === undefined || user === LEDGER_API_USER) return [];
    const realm = `http://${host}:${keycloak}/realms/${realmName(name)}`;
    const known = `${realm}/.well-known/openid-configuration`;
    return [{ what: `Keycloak of ${name}`, url: known }];
  });
  return (await Promise.all(found)).flat();
}

function userIn(text: string): unknown {
  const told = jsonIn(text)?.value;
  return isJsonObject(told) ? told['user_name'] : undefined;
}

async function check({ host }: Whereabouts, service: Service): Promise<Checked> {
  const status = await get(host, service.url).then(
    (answer) => answer.status,
    () => undefined,
  );
  return { ...service, isUp: status === 200 };
}
