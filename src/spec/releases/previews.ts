/** The previews of the registry, for lists of releases. */
import { previewService } from '../registry/index.js';
import { REGISTRY_PREVIEWS, type RegistryPreview } from '../splice/registry-previews.js';

/** An upcoming API, which no release has: an option switches it on. */
interface Preview {
  readonly preview: RegistryPreview;
  /** The draft that it follows, such as `traffic purchase off-ledger API 1.0.0`. */
  readonly document: string;
  /** Such as `GET /registry/traffic-purchase/v1/traffic-purchaser`. */
  readonly operations: readonly string[];
}

export const previewsOfRegistry = (): readonly Preview[] =>
  REGISTRY_PREVIEWS.map((preview) => {
    const { source = '', operations = [] } = previewService(preview);
    return {
      preview,
      document: source,
      operations: operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`),
    };
  });
