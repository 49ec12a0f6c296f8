/** The releases of the APIs at one place: of a participant's Ledger API, of its validator app, and of the network's Scan. */
import type { Api } from '../api.js';
import { REGISTRY_PREVIEWS, type RegistryPreview } from './registry-previews.js';
import {
  DEFAULT_API_VERSION,
  DEFAULT_SPLICE_VERSION,
  type ApiVersion,
  type SpliceVersion,
} from '../versions.js';

export interface SpokenReleases {
  readonly apiVersion?: ApiVersion | undefined;
  /** The release of Scan, the SV app and the registry. */
  readonly spliceVersion?: SpliceVersion | undefined;
  /** The release of the validator app with its wallet and names. */
  readonly validatorVersion?: SpliceVersion | undefined;
  /** The upcoming APIs of the registry that it serves too: none by default. */
  readonly registryPreviews?: readonly RegistryPreview[] | undefined;
}

/** A release of Canton alone means the default release of Splice, too. */
export type Spoken = ApiVersion | SpokenReleases;

/** The release of Canton; by default, the default one. */
export const cantonIn = (spoken: Spoken = {}): ApiVersion =>
  (typeof spoken === 'string' ? spoken : spoken.apiVersion) ?? DEFAULT_API_VERSION;

/** The release of Splice; by default, the default one. @param api not the Ledger API */
export function spliceIn(api: Api, spoken: Spoken = {}): SpliceVersion {
  if (typeof spoken === 'string') return DEFAULT_SPLICE_VERSION;
  const { spliceVersion = DEFAULT_SPLICE_VERSION, validatorVersion = spliceVersion } = spoken;
  return api === 'validator' || api === 'wallet' || api === 'names'
    ? validatorVersion
    : spliceVersion;
}

/** The release of an API. */
export const releaseIn = (api: Api, spoken?: Spoken): ApiVersion | SpliceVersion =>
  api === 'ledger' ? cantonIn(spoken) : spliceIn(api, spoken);

/** The previews in an API, in a fixed order. Only the registry has some. */
export function previewsIn(api: Api, spoken: Spoken = {}): readonly RegistryPreview[] {
  if (api !== 'registry' || typeof spoken === 'string') return [];
  const { registryPreviews: enabled } = spoken;
  return enabled ? REGISTRY_PREVIEWS.filter((preview) => enabled.includes(preview)) : [];
}
