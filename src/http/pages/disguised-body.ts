/** Bodies under another name than that of JSON, which a page may send without asking: the simple requests of CORS. */
import type { Operation } from '../../spec/operations.js';

export const DISGUISED =
  'Controls take JSON as application/json alone: say so in the header Content-Type.';

/**
 * Whether a body of a control has another media type than JSON. The real APIs accept such a body; our controls do not.
 */
export function isDisguised(
  header: (name: string) => string | undefined,
  { api, request }: Operation,
  bytes: Buffer | undefined,
): boolean {
  if (api !== 'control' || !bytes?.length) return false;
  if (request?.contentType !== 'application/json') return false;
  const type = header('content-type') ?? '';
  return !/^\s*application\/(?:[\w.-]{1,100}\+)?json\s*(?:;|$)/i.test(type);
}
