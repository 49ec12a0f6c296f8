/**
 * The examples of a document from an operation's fixture: bodies that are JSON or text, and the path and query of
 * the request.
 */
import type { Operation } from '../operations.js';
import type { MessageFixture, RecordedBody } from '../message-fixture.js';
import type { JsonSchema } from '../schema.js';

export interface Examples {
  readonly request?: unknown;
  /** By the status in the document. */
  readonly responses: Readonly<Record<string, unknown>>;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** @param basePath the prefix of the operation's path */
export function examplesOf(
  { path, parameters = [], responses: stated }: Operation,
  basePath: string,
  fixture: MessageFixture | undefined,
): Examples {
  if (fixture === undefined) return { responses: {}, parameters: {} };
  const { exchanges } = fixture;
  const responses = Object.entries(exchanges).map(([status, { response }]) => [
    status,
    // A server rejects unreadable requests as text, unlike its document.
    isOfType(response, stated[status]?.contentType) ? shown(response) : undefined,
  ]);
  const good = exchanges['200']?.request;
  const given = good === undefined ? {} : valuesIn(good.path, basePath + path);
  const named = parameters.flatMap(({ name, schema }) =>
    given[name] === undefined ? [] : [[name, typed(given[name], schema)]],
  );
  return {
    request: good && shown(good),
    responses: Object.fromEntries(responses) as Record<string, unknown>,
    parameters: Object.fromEntries(named) as Record<string, unknown>,
  };
}

function isOfType({ contentType = '' }: RecordedBody, stated: string | undefined): boolean {
  return stated === undefined || contentType.startsWith(stated);
}

/** Bytes are not a useful example. */
const shown = ({ body, bytes }: RecordedBody): unknown => (bytes === undefined ? body : undefined);

/** The values of a target's path parameters and of its query. */
function valuesIn(target: string, template: string): Record<string, string> {
  const [pathname, query] = target.split('?') as [string, string?];
  const segments = pathname.split('/');
  const values = Object.fromEntries(new URLSearchParams(query));
  for (const [index, name] of template.split('/').entries())
    if (name.startsWith('{')) values[name.slice(1, -1)] = decodeURIComponent(segments[index] ?? '');
  return values;
}

function typed(text: string, { type }: JsonSchema): unknown {
  if (type === 'array') return [text];
  if (type === 'boolean') return text === 'true';
  return type === 'integer' || type === 'number' ? Number(text) : text;
}
