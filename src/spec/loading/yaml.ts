/** YAML, loaded on first use, because it takes a large part of the start-up time. */
import type * as Yaml from 'yaml';
import { packageOf } from './node-realm.js';

let loaded: typeof Yaml | undefined;

export function yaml(): typeof Yaml {
  return (loaded ??= packageOf<typeof Yaml>('yaml'));
}

/** A document in the format of a participant: without references and line wraps. */
export function yamlText(document: unknown): string {
  return yaml().stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 });
}
