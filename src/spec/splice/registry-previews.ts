/** The upcoming APIs of the registry, which no release has yet: an option switches each of them on. */
export const REGISTRY_PREVIEWS = ['traffic-purchase', 'conditional-lock'] as const;

export type RegistryPreview = (typeof REGISTRY_PREVIEWS)[number];
