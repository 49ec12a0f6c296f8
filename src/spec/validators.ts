/**
 * The compiled validators, loaded at their first use: the server needs them only to check answers, so they cost
 * nothing at start.
 */
import type { Api } from './api.js';
import { documentedIn } from './splice/facts.js';
import { cantonIn, spliceIn, type Spoken } from './splice/spoken.js';
import { releaseName } from './versions.js';

export type Validate = (data: unknown) => boolean;

export interface Validators {
  /** By operation id. */
  requests: Readonly<Record<string, Validate>>;
  /** By operation id and status; `default` applies to every status without an entry. */
  responses: Readonly<Record<string, Readonly<Record<string, Validate>>>>;
}

const LOADERS: Readonly<Record<Api, () => Promise<Validators>>> = {
  ledger: () => import('./generated/ledger-validators.js'),
  scan: () => import('./generated/scan-validators.js'),
  registry: () => import('./generated/registry-validators.js'),
  validator: () => import('./generated/validator-validators.js'),
  wallet: () => import('./generated/wallet-validators.js'),
  names: () => import('./generated/names-validators.js'),
  sv: () => import('./generated/sv-validators.js'),
  control: () => import('./generated/control-validators.js'),
};

/** By API and release. */
const OTHER_RELEASES: Readonly<Record<string, () => Promise<Validators>>> = {
  'ledger 3.4': () => import('./generated/ledger-3.4-validators.js'),
  'ledger 3.6': () => import('./generated/ledger-3.6-validators.js'),
  'ledger 3.7': () => import('./generated/ledger-3.7-validators.js'),
  'scan 0.8': () => import('./generated/scan-0.8-validators.js'),
  'scan 0.9': () => import('./generated/scan-0.9-validators.js'),
  'sv 0.8': () => import('./generated/sv-0.8-validators.js'),
  'validator 0.8': () => import('./generated/validator-0.8-validators.js'),
  'wallet 0.8': () => import('./generated/wallet-0.8-validators.js'),
};

export function loadValidators(api: Api, spoken?: Spoken): Promise<Validators> {
  const release =
    api === 'ledger' || api === 'control'
      ? releaseName(cantonIn(spoken))
      : documentedIn(api, spliceIn(api, spoken));
  return (OTHER_RELEASES[`${api} ${release}`] ?? LOADERS[api])();
}

interface ValidationError {
  instancePath: string;
  keyword: string;
  params: Readonly<Record<string, unknown>>;
}

/** Checks an answer. Returns undefined for a valid value, otherwise the path and the cause. */
export function responseError(
  validators: Validators,
  operationId: string,
  status: number,
  body: unknown,
): string | undefined {
  const byStatus = validators.responses[operationId] ?? {};
  const validate = byStatus[String(status)] ?? byStatus.default;
  if (validate === undefined || validate(body)) return undefined;
  const { errors } = validate as Validate & { errors?: readonly ValidationError[] };
  const texts = (errors ?? []).map(
    ({ instancePath, keyword, params }) =>
      `${instancePath || '/'} ${keyword} ${JSON.stringify(params)}`,
  );
  return texts.join('; ') || 'does not fit its schema';
}
