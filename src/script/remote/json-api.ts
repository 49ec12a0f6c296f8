/** A JSON Ledger API as scripts ask it. Whoever starts a script hands in how a request travels. */
import { decodeValue, encodeValue } from '../../daml/codec/json/codec.js';
import { CATALOGUE, type ErrorCode } from '../../daml/errors/error-catalogue.js';
import { LedgerError } from '../../daml/errors/ledger-error.js';
import { isJsonObject } from '../../daml/model/own-members.js';
import type { PackageLookup } from '../../daml/model/package.js';
import type { DamlType } from '../../daml/model/types.js';
import type { DamlValue } from '../../daml/model/values.js';
import { ScriptRefusal } from '../failures.js';

export interface JsonAnswer {
  readonly status: number;
  /** Parsed; undefined where it was no JSON. */
  readonly body: unknown;
}

/** Sends a request: a path behind the API's own, and a body that is JSON unless it is bytes. */
export type Send = (
  method: string,
  path: string,
  body?: object | Uint8Array,
) => Promise<JsonAnswer>;

/** How Daml values stand in what is sent, and in what comes back. */
export interface RemoteValues {
  readonly write: (packages: PackageLookup, type: DamlType, value: DamlValue) => unknown;
  /** Of a record where there is room for nothing else: payloads. */
  readonly record: (packages: PackageLookup, type: DamlType, value: DamlValue) => unknown;
  readonly read: (packages: PackageLookup, type: DamlType, given: unknown) => DamlValue;
}

export const JSON_VALUES: RemoteValues = {
  write: encodeValue,
  record: encodeValue,
  read: decodeValue,
};

export type Json = Readonly<Record<string, unknown>>;

export class JsonApi {
  constructor(private readonly send: Send) {}

  /** @throws LedgerError for what the ledger refuses, ScriptRefusal for what is no answer of one */
  async ask(method: string, path: string, body?: object | Uint8Array): Promise<Json> {
    const answer = await this.send(method, path, body);
    if (answer.status < 400) return (answer.body ?? {}) as Json;
    throw refusalOf(`${method} ${path}`, answer);
  }

  /** @throws LedgerError, ScriptRefusal */
  async list(method: string, path: string, body: object): Promise<readonly Json[]> {
    return (await this.ask(method, path, body)) as unknown as readonly Json[];
  }

  /** The same for what may be refused with one of the codes: undefined then. @throws ScriptRefusal for all else */
  async unless(
    codes: readonly string[],
    method: string,
    path: string,
    body?: object,
  ): Promise<Json | undefined> {
    try {
      return await this.ask(method, path, body);
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error;
      if (codes.includes(error.code)) return undefined;
      throw new ScriptRefusal(error.message, 'StatusRuntimeException', error);
    }
  }
}

/** Pages of a list. @throws ScriptRefusal for a list that has no end, as {@link JsonApi.ask} else */
export async function* pagesAt(api: JsonApi, path: string): AsyncGenerator<Json> {
  const seen = new Set<string>();
  for (let token = ''; ;) {
    const page = await api.ask('GET', `${path}?pageToken=${encodeURIComponent(token)}`);
    yield page;
    seen.add(token);
    token = String(page['nextPageToken'] ?? '');
    if (token === '') return;
    if (seen.has(token) || seen.size === MAX_PAGES)
      throw new ScriptRefusal(`${path} has no end: it repeats a page, or has too many`);
  }
}

/** Of one list. */
const MAX_PAGES = 20_000;

/** What an answer of 400 and above says: a LedgerError where it is one of the catalogue, a ScriptRefusal otherwise. */
export function refusalOf(request: string, { status, body }: JsonAnswer): Error {
  const told = isJsonObject(body) ? body : {};
  const code = String(told['code']);
  const cause = String(told['cause'] ?? `${request} was answered with ${status}`);
  if (!Object.hasOwn(CATALOGUE, code))
    return new ScriptRefusal(`${request} was answered with ${status}: ${cause}`);
  const resources = Array.isArray(told['resources'])
    ? (told['resources'] as (readonly [string, string])[])
    : [];
  const context = told['context'] as Record<string, string> | undefined;
  const category = Number(told['errorCategory']);
  return new LedgerError(code as ErrorCode, {
    cause,
    resources,
    ...(context && { context }),
    ...(Number.isInteger(category) && code === 'DAML_FAILURE' && { category }),
  });
}
