/** `canticle localnet status`: which services of a LocalNet answer. */
import type { Terminal } from '../terminal.js';
import { LEDGER_API_USER, SV } from '../../assembly/localnet/shape.js';
import { isJsonObject } from '../../daml/model/own-members.js';
import { request, tlsError } from './requests.js';
import {
  issuerOf,
  scanUrl,
  svUrl,
  urlOf,
  whereaboutsOf,
  type Whereabouts,
} from './find-localnet.js';
import { credentialsOf, type ClientFlags } from './where-flags.js';

interface Checked {
  readonly what: string;
  readonly url: string;
  readonly isUp: boolean;
  /** The reason why it is not running. */
  readonly why?: string;
}

interface StatusFlags extends ClientFlags {
  readonly json?: true;
}

/** @returns the exit status: 0 if all services run, 1 otherwise */
export async function showStatus(flags: unknown, { stdout }: Terminal): Promise<number> {
  const { json, ...where } = flags as StatusFlags;
  const found = await whereaboutsOf(where, credentialsOf(where));
  const services = [...servicesOf(found), ...(await realmsOf(found))];
  const checked = await Promise.all(services.map((each) => check(found, each)));
  const lines = checked.map(
    ({ what, url, isUp, why }) =>
      `${isUp ? 'up  ' : 'down'}  ${what.padEnd(32)}${url}${why === undefined ? '' : `: ${why}`}`,
  );
  stdout.write(json ? `${JSON.stringify(checked, undefined, 2)}\n` : `${lines.join('\n')}\n`);
  return checked.every(({ isUp }) => isUp) ? 0 : 1;
}

type Service = Pick<Checked, 'what' | 'url'>;

function servicesOf(where: Whereabouts): readonly Service[] {
  const ofNodes = where.nodes.flatMap(({ name, ports }) => [
    { what: `JSON Ledger API of ${name}`, url: `${urlOf(where, ports.ledgerApi)}/livez` },
    {
      what: `validator of ${name}`,
      url: `${urlOf(where, ports.validator)}/api/validator/readyz`,
    },
  ]);
  return [
    ...ofNodes,
    { what: 'Scan', url: `${scanUrl(where)}/api/scan/readyz` },
    { what: 'SV app', url: `${svUrl(where)}/api/sv/readyz` },
  ];
}

/** The realms at which users log in: of nodes whose validator is a user of a realm. */
async function realmsOf(where: Whereabouts): Promise<readonly Service[]> {
  const found = where.nodes.map(async ({ name, ports }): Promise<readonly Service[]> => {
    const url = `${urlOf(where, ports.validator)}/api/validator/v0/validator-user`;
    const user = await request(where, url).then(
      ({ body }) => userIn(body),
      () => undefined,
    );
    if (name === SV || user === undefined || user === LEDGER_API_USER) return [];
    const known = `${issuerOf(where, name)}/.well-known/openid-configuration`;
    return [{ what: `Keycloak of ${name}`, url: known }];
  });
  return (await Promise.all(found)).flat();
}

function userIn(answer: unknown): unknown {
  return isJsonObject(answer) ? answer['user_name'] : undefined;
}

async function check(where: Whereabouts, service: Service): Promise<Checked> {
  const why = await request(where, service.url).then(
    ({ status }) => (status === 200 ? undefined : `it answers ${status}`),
    (error: Error) => tlsError(error, where.credentials) ?? error.message,
  );
  return why === undefined ? { ...service, isUp: true } : { ...service, isUp: false, why };
}
