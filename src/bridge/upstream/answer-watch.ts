/** Checks answers of a live participant against the schema as they arrive. */
import { routerOf, type Router } from '../../http/routing/router.js';
import { isWebSocket, type HarEntry } from '../../recording/har.js';
import type { HttpAnswer } from '../../client/http-side.js';
import type { ApiVersion } from '../../spec/versions.js';
import { callOf, type KnownCall } from '../operation-of.js';
import { answerError, schemaError } from '../schema-error.js';

export class AnswerWatch {
  private looking: Promise<string | undefined>[] = [];

  /** @param apiVersion the participant's version, if it is known yet */
  constructor(private readonly apiVersion: () => ApiVersion | undefined) {}

  entry(entry: HarEntry): void {
    const { method, url } = entry.request;
    const look = (routed: KnownCall, router: Router) => schemaError(routed, entry, router);
    this.looking.push(this.error(method, url, look, isWebSocket(entry)));
  }

  answer(method: string, path: string, answer: HttpAnswer): void {
    const look = (routed: KnownCall, router: Router) => answerError(routed, answer, router);
    this.looking.push(this.error(method, `http://upstream${path}`, look));
  }

  /** The faults since the last call, a sentence each. */
  async errors(): Promise<readonly string[]> {
    const found = await Promise.all(this.looking.splice(0));
    return found.filter((each) => each !== undefined);
  }

  private async error(
    method: string,
    url: string,
    look: (routed: KnownCall, router: Router) => Promise<string | undefined>,
    isStream = false,
  ): Promise<string | undefined> {
    const apiVersion = this.apiVersion();
    const router = routerOf(apiVersion && { apiVersion });
    const routed = callOf(router, method, url, isStream);
    const error = routed && (await look(routed, router));
    return error && `${method} ${new URL(url).pathname}: ${error}`;
  }
}
