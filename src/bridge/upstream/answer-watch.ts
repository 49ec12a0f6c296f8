/** Checks answers of a live participant against the schema as they arrive. */
import { routerOf, type Router } from '../../http/routing/router.js';
import { isWebSocket, type HarEntry } from '../../recording/har.js';
import type { HttpAnswer } from '../../client/http-side.js';
import type { ApiVersion } from '../../spec/versions.js';
import { callOf, type KnownCall } from '../operation-of.js';
import { answerFault, schemaFault } from '../schema-fault.js';

export class AnswerWatch {
  private looking: Promise<string | undefined>[] = [];

  /** @param apiVersion the participant's version, if it is known yet */
  constructor(private readonly apiVersion: () => ApiVersion | undefined) {}

  entry(entry: HarEntry): void {
    const { method, url } = entry.request;
    const look = (routed: KnownCall, router: Router) => schemaFault(routed, entry, router);
    this.looking.push(this.fault(method, url, look, isWebSocket(entry)));
  }

  answer(method: string, path: string, answer: HttpAnswer): void {
    const look = (routed: KnownCall, router: Router) => answerFault(routed, answer, router);
    this.looking.push(this.fault(method, `http://upstream${path}`, look));
  }

  /** The faults since the last call, a sentence each. */
  async faults(): Promise<readonly string[]> {
    const found = await Promise.all(this.looking.splice(0));
    return found.filter((each) => each !== undefined);
  }

  private async fault(
    method: string,
    url: string,
    look: (routed: KnownCall, router: Router) => Promise<string | undefined>,
    isStream = false,
  ): Promise<string | undefined> {
    const apiVersion = this.apiVersion();
    const router = routerOf(apiVersion && { apiVersion });
    const routed = callOf(router, method, url, isStream);
    const fault = routed && (await look(routed, router));
    return fault && `${method} ${new URL(url).pathname}: ${fault}`;
  }
}
