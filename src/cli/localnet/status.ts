/** `canticle localnet status`: which services of a LocalNet answer. */
import type { Terminal } from '../terminal.js';
import {
  get,
  scanUrl,
  svUrl,
  whereaboutsOf,
  type Whereabouts,
  type WhereFlags,
} from './find-localnet.js';

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
  const checked = await Promise.all(servicesOf(found).map((each) => check(found, each)));
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

async function check({ host }: Whereabouts, service: Service): Promise<Checked> {
  const status = await get(host, service.url).then(
    (answer) => answer.status,
    () => undefined,
  );
  return { ...service, isUp: status === 200 };
}
