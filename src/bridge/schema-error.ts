/** Checks whether an answer, of a recording or of a live system, fits the schema of its operation. */
import type { HttpAnswer } from '../client/http-side.js';
import type { Router } from '../http/routing/router.js';
import { answeredBody, isWebSocket, jsonIn, textOf, type HarEntry } from '../recording/har.js';
import { loadValidators, responseError } from '../spec/validators.js';
import type { KnownCall } from './operation-of.js';

/** The place and reason of an error; undefined if it fits, or if there is no schema. */
export async function schemaError(
  { api, operation }: KnownCall,
  entry: HarEntry,
  { spoken }: Router,
): Promise<string | undefined> {
  const { response } = entry;
  if (operation === undefined) return undefined;
  const validators = await loadValidators(api, spoken);
  const id = operation.operationId;
  if (isWebSocket(entry)) {
    const texts = (entry._webSocketMessages ?? [])
      .filter(({ type }) => type === 'receive')
      .map(textOf);
    const json = texts.map((text) => jsonIn(text)?.value).filter((each) => !isRefusal(each));
    return json.length === 0 ? undefined : responseError(validators, id, 200, json);
  }
  const json = jsonIn(answeredBody(response)?.toString() ?? '');
  return json && responseError(validators, id, response.status, json.value);
}

/** The same of an answer that has just come. */
export async function answerError(
  { api, operation }: KnownCall,
  { status, bytes }: HttpAnswer,
  { spoken }: Router,
): Promise<string | undefined> {
  const json = jsonIn(bytes.toString());
  if (operation === undefined || json === undefined) return undefined;
  const validators = await loadValidators(api, spoken);
  return responseError(validators, operation.operationId, status, json.value);
}

const isRefusal = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'errorCategory' in value;
