/** The releases that a flag names. */
import { API_VERSIONS, type ApiVersion } from '../../spec/versions.js';

/** The releases in the text of `--to`; undefined if it names an unknown one. */
export function releasesIn(text: string): readonly ApiVersion[] | undefined {
  const names = text.split(',').map((each) => each.trim());
  const known = names.filter((name): name is ApiVersion =>
    (API_VERSIONS as readonly string[]).includes(name),
  );
  return known.length === names.length ? known : undefined;
}

export const RELEASE_WORDS = `releases with commas between them, of ${API_VERSIONS.join(', ')}`;
