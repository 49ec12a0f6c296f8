/** The releases that a flag names: `3.6` is one of Canton, `splice-0.9` one of Splice. */
import {
  API_VERSIONS,
  SPLICE_VERSIONS,
  type ApiVersion,
  type SpliceVersion,
} from '../../spec/versions.js';

export type Target = { readonly canton: ApiVersion } | { readonly splice: SpliceVersion };

const SPLICE_PREFIX = 'splice-';

const TARGETS: ReadonlyMap<string, Target> = new Map<string, Target>([
  ...API_VERSIONS.map((canton) => [canton, { canton }] as const),
  ...SPLICE_VERSIONS.map((splice) => [`${SPLICE_PREFIX}${splice}`, { splice }] as const),
]);

export const RELEASE_WORDS = `releases with commas between them, of ${[...TARGETS.keys()].join(', ')}`;

/** Undefined if the text names an unknown release. */
export function releasesIn(text: string): readonly Target[] | undefined {
  const names = new Set(text.split(',').map((name) => name.trim()));
  const found = [...names].map((name) => TARGETS.get(name));
  const known = found.filter((each) => each !== undefined);
  return known.length === found.length ? known : undefined;
}

/** Such as `Canton 3.6`. */
export const targetName = (target: Target): string =>
  'canton' in target ? `Canton ${target.canton}` : `Splice ${target.splice}`;
