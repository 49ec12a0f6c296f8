/** YAML, loaded when the first text of it is read or written: it is a good part of the time in which all else starts. */
import type * as Yaml from 'yaml';
import { packageOf } from './node-realm.js';

let loaded: typeof Yaml | undefined;

export function yaml(): typeof Yaml {
  return (loaded ??= packageOf<typeof Yaml>('yaml'));
}

/** A document as a participant prints it: nothing by reference, no line broken. */
export function yamlText(document: unknown): string {
  return yaml().stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 });
}
