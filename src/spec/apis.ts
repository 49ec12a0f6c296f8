/** The API groups that one port serves, each in its releases. */
import type { Api, ApiFacts } from './api.js';
import { control } from './control/index.js';
import { ledgerApi } from './ledger-api/index.js';
import { names } from './names/index.js';
import { registry } from './registry/index.js';
import { scan } from './scan/index.js';
import { validator } from './validator/index.js';
import { sv } from './sv/index.js';
import { wallet } from './wallet/index.js';
import { DEFAULT_API_VERSION, type ApiVersion } from './versions.js';

const OTHERS: Readonly<Record<Exclude<Api, 'ledger'>, ApiFacts>> = {
  scan,
  registry,
  validator,
  wallet,
  names,
  sv,
  control,
};

const ledgerApis = new Map<ApiVersion, ApiFacts>();

function ledgerIn(version: ApiVersion): ApiFacts {
  let known = ledgerApis.get(version);
  if (known === undefined) ledgerApis.set(version, (known = ledgerApi(version)));
  return known;
}

/** An API in a release. Only the Ledger API differs between releases. */
export function apiIn(api: Api, version: ApiVersion = DEFAULT_API_VERSION): ApiFacts {
  return api === 'ledger' ? ledgerIn(version) : OTHERS[api];
}

/** Each API in the default release. */
export const APIS: Readonly<Record<Api, ApiFacts>> = { ledger: apiIn('ledger'), ...OTHERS };
