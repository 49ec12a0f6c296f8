/** Bodies under another name than that of JSON, which a page may send without asking: the simple requests of CORS. */
import type { SentBody } from '../../services/calls/call.js';
import type { Operation } from '../../spec/operations.js';

export const DISGUISED =
  'Controls take JSON as application/json alone: say so in the header Content-Type.';

/**
 * Whether a body of a control has another media type than JSON. The real APIs accept such a body; our controls do not.
 */
export function isDisguised(
  header: (name: string) => string | undefined,
  { api, request }: Operation,
  sent: SentBody | undefined,
): boolean {
  if (api !== 'control' || !sent?.length) return false;
  if (request?.contentType !== 'application/json') return false;
  const type = header('content-type') ?? '';
  return !/^\s*application\/(?:[\w.-]{1,100}\+)?json\s*(?:;|$)/i.test(type);
}
