/**
 * Runs a scenario as a recording in progress. Each request goes to a Canticle first. The exchange is then compared
 * with the answer of a live participant, before the next request.
 */
import { LedgerError } from '../../daml/errors/ledger-error.js';
import type { HarEntry } from '../../recording/har.js';
import type { ScenarioDocument, ScenarioStep } from '../../scenario/document.js';
import {
  call,
  ClientError,
  sentBody,
  type ApiRequest,
  type Requests,
} from '../../client/requests.js';
import type { HttpAnswer, HttpSide } from '../../client/http-side.js';
import { OPERATIONS } from '../../client/operations.js';
import { ledgerEnd } from '../../client/verbs.js';
import type { Verifiable } from '../verify.js';
import { UnsupportedStep } from './unsupported-steps.js';
import type { ParticipantClient } from './participant-client.js';
import type { RemoteSteps } from './remote-steps.js';
import { isBytes } from '../../daml/errors/realms.js';

export interface ScenarioSide {
  /** The Canticle that answers first. */
  readonly system: HttpSide;
  readonly client: ParticipantClient;
  readonly steps: RemoteSteps;
}

/** @param dars the archives to upload before the first step */
export async function* scenarioExchanges(
  document: ScenarioDocument,
  side: ScenarioSide,
  dars: readonly Uint8Array[],
): AsyncGenerator<Verifiable> {
  const run = new ScenarioRun(document, side);
  yield* run.begin(dars);
  yield* run.all(document.steps);
  yield* run.end();
}

class ScenarioRun {
  constructor(
    private readonly document: ScenarioDocument,
    private readonly side: ScenarioSide,
  ) {}

  /** Reads the basic facts of both sides, to match their names first. */
  async *begin(dars: readonly Uint8Array[]): AsyncGenerator<Verifiable> {
    const { steps } = this.side;
    yield* this.exchanges('the start', [
      call(OPERATIONS.participantId),
      call(OPERATIONS.synchronizers),
    ]);
    yield* this.exchanges('the start', [
      (function* () {
        steps.begin = yield* ledgerEnd();
      })(),
    ]);
    for (const body of dars)
      yield* this.exchanges('the start', [call(OPERATIONS.uploadDar, { body })]);
  }

  async *all(steps: readonly ScenarioStep[]): AsyncGenerator<Verifiable> {
    for (const step of steps) {
      if (step.kind === 'repeat')
        for (let round = 1; round <= step.times; round++) {
          this.side.steps.names.set(step.index, round);
          yield* this.all(step.steps);
        }
      else if (step.kind === 'attempt') yield* this.all(step.steps);
      else if (step.kind === 'verb')
        yield* this.step(step, step.verb, this.side.steps.step(step.verb, step.step));
      else
        for (const { step: expectation } of step.expectations)
          yield* this.step(step, 'expect', this.side.steps.expectation(expectation));
    }
  }

  /** Reads all updates of the parties, and the active contracts. */
  async *end(): AsyncGenerator<Verifiable> {
    const { client, steps } = this.side;
    const { lastOffset } = client;
    if (lastOffset === undefined || steps.parties.length === 0) return;
    yield* this.exchanges('the end', [
      client.activeContracts(steps.parties, undefined, lastOffset),
    ]);
    for (const party of steps.parties)
      yield* this.exchanges('the end', [client.updatesSince(steps.begin, [party])]);
  }

  private async *step(
    { number, path }: ScenarioStep,
    verb: string,
    requests: Requests<unknown>,
  ): AsyncGenerator<Verifiable> {
    const { line } = this.document.placeOf(path);
    const of = `step ${number} (${verb}), line ${line}`;
    try {
      yield* this.exchanges(of, [requests]);
    } catch (error) {
      if (!(error instanceof UnsupportedStep)) throw error;
      yield { operation: `scenario ${verb}`, request: of, why: error.message };
    }
  }

  /** Sends a request. An error of the Canticle is a normal answer, and dependent requests are skipped. */
  private async *exchanges(
    of: string,
    sequences: readonly Requests<unknown>[],
  ): AsyncGenerator<Verifiable> {
    for (const requests of sequences)
      try {
        let next = requests.next();
        while (next.done !== true) {
          const answer = await this.side.system.send(next.value);
          yield { entry: entryOf(next.value, answer), of };
          next = requests.next(answer);
        }
      } catch (error) {
        if (!(error instanceof LedgerError) && !(error instanceof ClientError)) throw error;
      }
  }
}

function entryOf(request: ApiRequest, answered: HttpAnswer): HarEntry {
  const { method, path } = request;
  const sent = sentBody(request);
  const areBytes = isBytes(request.body);
  const url = `http://canticle${path}`;
  return {
    startedDateTime: '',
    time: 0,
    request: {
      method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: sent === undefined ? [] : [{ name: 'content-type', value: sent.contentType }],
      queryString: [],
      ...(sent && {
        postData: {
          mimeType: sent.contentType,
          text: sent.bytes.toString(areBytes ? 'base64' : 'utf8'),
          ...(areBytes && { _encoding: 'base64' }),
        },
      }),
      headersSize: -1,
      bodySize: sent?.bytes.length ?? 0,
    },
    response: {
      status: answered.status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: [{ name: 'content-type', value: answered.mediaType }],
      content: {
        size: answered.bytes.length,
        mimeType: answered.mediaType,
        text: answered.bytes.toString(),
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: answered.bytes.length,
    },
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 },
  };
}
