/** The API groups that one port serves, and their differences between releases of the Ledger API. */
import { resolveRelease, type Api, type ApiFacts } from './api.js';
import { control } from './control/index.js';
import { ledgerApi } from './ledger-api/index.js';
import { names } from './names/index.js';
import { registry } from './registry/index.js';
import { scan } from './scan/index.js';
import { validator } from './validator/index.js';
import { sv } from './sv/index.js';
import { wallet } from './wallet/index.js';
import { DEFAULT_API_VERSION, releaseOf, type ApiVersion } from './versions.js';

/** The rows of all releases. */
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

const ledgerReleases = new Map<ApiVersion, ApiFacts>();

function ledgerIn(version: ApiVersion): ApiFacts {
  let known = ledgerReleases.get(version);
  if (known === undefined) {
    known = resolveRelease(ledgerApi, releaseOf(version).version);
    ledgerReleases.set(version, known);
  }
  return known;
}

/** An API in a release. Only the Ledger API differs between releases. */
export function apiIn(api: Api, version: ApiVersion = DEFAULT_API_VERSION): ApiFacts {
  return api === 'ledger' ? ledgerIn(version) : STATED_APIS[api];
}

/** Each API in the default release. */
export const APIS: Readonly<Record<Api, ApiFacts>> = {
  ...STATED_APIS,
  get ledger() {
    return apiIn('ledger');
  },
};
