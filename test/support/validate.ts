/** Checks each answer against its schema: the only place where tests validate the server's answers. */
import {
  type Api,
  operation,
  contentFor,
  loadValidators,
  responseFault,
  type Spoken,
} from '../../src/spec/index.js';

/** The apps of Splice that act on the ledger. */
const APPS: readonly Api[] = ['validator', 'wallet', 'names', 'sv'];

/** Fails unless the body matches the operation's document for the status. Optional members may be null. */
export async function expectValid(
  operationId: string,
  status: number,
  body: unknown,
  api: Api = 'ledger',
  spoken?: Spoken,
) {
  const row = operation(api, operationId, spoken);
  const content = contentFor(row, status);
  // The documents of these apps list few of their errors. They share one form, except if an operation declares its own.
  if (status >= 400 && APPS.includes(api) && (content === undefined || isRefusal(body))) {
    expect(body).toEqual({ error: expect.any(String) as string });
    return;
  }
  if (content === undefined) {
    throw new Error(
      `${operationId} answered ${status}; its document has ${Object.keys(row.responses).join(', ')}.`,
    );
  }
  if (content.contentType !== 'application/json') return;
  const fault = responseFault(
    await loadValidators(api, spoken),
    operationId,
    status,
    documented(body),
  );
  if (fault !== undefined) {
    throw new Error(
      `${operationId} ${status} does not fit its schema: ${fault}\n${JSON.stringify(body, null, 1)}`,
    );
  }
}

const isRefusal = (body: unknown): boolean =>
  body !== null && typeof body === 'object' && Object.keys(body).join() === 'error';

/** Error details are decoded messages, although a participant's document declares a text. */
function documented(body: unknown): unknown {
  if (body === null || typeof body !== 'object' || body instanceof Uint8Array) return body;
  if (Array.isArray(body)) return body.map(documented);
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      name === 'valueDecoded' && typeof value === 'object'
        ? JSON.stringify(value)
        : documented(value),
    ]),
  );
}
