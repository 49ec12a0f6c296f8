/** The upcoming APIs of the registry, which no release has yet: an option switches each of them on. */
import { carried, type Service } from '../api.js';

export const REGISTRY_PREVIEWS = ['traffic-purchase', 'conditional-lock'] as const;

export type RegistryPreview = (typeof REGISTRY_PREVIEWS)[number];

/** The service of a preview, from its draft. */
export const previewService = (preview: RegistryPreview): Service & { readonly source?: string } =>
  carried(require('../facts/registry/previews.json') as object)[preview]!;
