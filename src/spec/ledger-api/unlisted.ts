/** The operations that participants answer although the document of their release does not list them. */
import type { OperationFacts } from '../schema.js';

const text = { contentType: 'text/plain', schema: { type: 'string' } } as const;
const error = {
  contentType: 'application/json',
  schema: { $ref: '#/components/schemas/JsCantonError' },
} as const;

/** The health checks, which the document of 3.4 does not list (R-34-027). */
const HEALTH: readonly OperationFacts[] = [
  {
    operationId: 'getLivez',
    method: 'get',
    path: '/livez',
    responses: { '200': {}, '400': text, default: error },
  },
  {
    operationId: 'getReadyz',
    method: 'get',
    path: '/readyz',
    responses: { '200': text, '400': text, default: error },
  },
];

/** @param listed the operations of the document */
export function unlistedOperations(listed: readonly OperationFacts[]): readonly OperationFacts[] {
  const paths = new Set(listed.map(({ path }) => path));
  return HEALTH.filter(({ path }) => !paths.has(path)).map((row) => ({ ...row, unlisted: true }));
}
