/** The API groups that one port serves, and what the releases of the Ledger API make of them. */
import { resolveRelease, type Api, type ApiFacts } from './api.js';
import { control } from './control/index.js';
import { ledgerApi } from './ledger-api/index.js';
import { names } from './names/index.js';
import { registry } from './registry/index.js';
import { scan } from './scan/index.js';
import { validator } from './validator/index.js';
import { sv } from './sv/index.js';
import { wallet } from './wallet/index.js';
import { API_VERSIONS, DEFAULT_API_VERSION, releaseOf, type ApiVersion } from './versions.js';

/** With the rows of every release. */
export const STATED_APIS: Readonly<Record<Api, ApiFacts>> = {
  ledger: ledgerApi,
  scan,
  registry,
  validator,
  wallet,
  names,
  sv,
  control,
};

const LEDGER_RELEASES = new Map(
  API_VERSIONS.map((version) => [version, resolveRelease(ledgerApi, releaseOf(version).version)]),
);

/** An API as a release has it. Only the Ledger API differs from release to release. */
export function apiIn(api: Api, version: ApiVersion = DEFAULT_API_VERSION): ApiFacts {
  return api === 'ledger' ? LEDGER_RELEASES.get(version)! : STATED_APIS[api];
}

/** Each as the usual release has it. */
export const APIS: Readonly<Record<Api, ApiFacts>> = {
  ...STATED_APIS,
  ledger: apiIn('ledger'),
};
