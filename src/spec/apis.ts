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
import { documentedIn } from './splice/facts.js';
import { cantonIn, previewsIn, spliceIn, type Spoken } from './splice/spoken.js';
import type { ApiVersion, SpliceApi } from './versions.js';

const SPLICE_APIS = { scan, validator, wallet, names, sv } as const satisfies Record<
  Exclude<SpliceApi, 'registry'>,
  unknown
>;

const ledgerApis = new Map<ApiVersion, ApiFacts>();

function ledgerIn(version: ApiVersion): ApiFacts {
  let known = ledgerApis.get(version);
  if (known === undefined) ledgerApis.set(version, (known = ledgerApi(version)));
  return known;
}

/** An API in a release; the default one without any. */
export function apiIn(api: Api, spoken?: Spoken): ApiFacts {
  if (api === 'ledger') return ledgerIn(cantonIn(spoken));
  if (api === 'control') return control;
  const version = documentedIn(api, spliceIn(api, spoken));
  return api === 'registry'
    ? registry(version, previewsIn(api, spoken))
    : SPLICE_APIS[api](version);
}

/** Each API in the default release. */
export const APIS: Readonly<Record<Api, ApiFacts>> = {
  ledger: apiIn('ledger'),
  scan: apiIn('scan'),
  registry: apiIn('registry'),
  validator: apiIn('validator'),
  wallet: apiIn('wallet'),
  names: apiIn('names'),
  sv: apiIn('sv'),
  control,
};
