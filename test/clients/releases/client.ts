/** A client of the JSON Ledger API whose requests and answers have the types of an OpenAPI document. */
import type { paths } from './client-types.js';

type Method = 'get' | 'post';
type Json<T> = T extends { content: { 'application/json': infer Body } } ? Body : never;
type Paths<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, { responses: unknown }> ? P : never;
}[keyof paths];
type Operation<P extends keyof paths, M extends Method> =
  paths[P] extends Record<M, infer O> ? O : never;
type Request<O> = O extends { requestBody?: infer Body } ? Json<NonNullable<Body>> : never;
type Answer<O> = O extends { responses: { 200: infer Body } } ? Json<Body> : never;

/** An error of the participant. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string | undefined,
  ) {
    super(`${status} ${code}`);
  }
}

export class Client {
  constructor(private readonly url: string) {}

  get<P extends Paths<'get'>>(
    path: P,
    parameters: Readonly<Record<string, string>> = {},
    query: Readonly<Record<string, string>> = {},
  ): Promise<Answer<Operation<P, 'get'>>> {
    const asked = new URLSearchParams(query).toString();
    return this.send('GET', asked === '' ? path : `${path}?${asked}`, parameters);
  }

  post<P extends Paths<'post'>>(
    path: P,
    body: Request<Operation<P, 'post'>>,
  ): Promise<Answer<Operation<P, 'post'>>> {
    return this.send('POST', path, {}, JSON.stringify(body), 'application/json');
  }

  /** For a request without members that its document requires, and that the participant does not. */
  postPart<P extends Paths<'post'>>(
    path: P,
    body: Partial<Request<Operation<P, 'post'>>>,
  ): Promise<Answer<Operation<P, 'post'>>> {
    return this.post(path, body as Request<Operation<P, 'post'>>);
  }

  upload(dar: Uint8Array<ArrayBuffer>): Promise<Answer<Operation<'/v2/dars', 'post'>>> {
    return this.send('POST', '/v2/dars', {}, dar, 'application/octet-stream');
  }

  private async send<A>(
    method: string,
    path: string,
    parameters: Readonly<Record<string, string>>,
    body?: string | Uint8Array<ArrayBuffer>,
    type = 'application/json',
  ): Promise<A> {
    const filled = path.replace(/\{([^}]+)\}/g, (_, name: string) =>
      encodeURIComponent(parameters[name] ?? ''),
    );
    const headers = { 'content-type': type };
    const answer = await fetch(this.url + filled, {
      method,
      headers,
      ...(body !== undefined && { body }),
    });
    const text = await answer.text();
    if (answer.status === 200) return JSON.parse(text) as A;
    throw new Refusal(answer.status, (JSON.parse(text) as { code?: string }).code);
  }
}
