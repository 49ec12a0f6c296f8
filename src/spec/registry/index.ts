/** The token standard's registry API: a service for each official document; both versions share their messages. */
import { apiOf, carried, type ApiFacts, type Service } from '../api.js';
import { servicesIn } from '../splice/facts.js';
import type { RegistryPreview } from '../splice/registry-previews.js';
import type { SpliceVersion } from '../versions.js';

/** The service of a preview, from its draft. */
export const previewService = (preview: RegistryPreview): Service & { readonly source?: string } =>
  carried(require('../facts/registry/previews.json') as object)[preview]!;

const known = new Map<string, ApiFacts>();

/** @param previews the upcoming APIs that it serves too, in a fixed order */
export function registry(
  version: SpliceVersion,
  previews: readonly RegistryPreview[] = [],
): ApiFacts {
  const key = [version, ...previews].join(' ');
  let facts = known.get(key);
  if (facts === undefined) known.set(key, (facts = build(version, previews)));
  return facts;
}

const build = (version: SpliceVersion, previews: readonly RegistryPreview[]): ApiFacts =>
  apiOf(
    {
      api: 'registry',
      openapi: '3.0.0',
      title: 'Token standard registry API',
      version: '2.0.0',
      basePath: '',
    },
    () => [
      ...servicesIn('registry', version, () => require('../facts/registry.json')),
      ...previews.map(previewService),
    ],
  );
