/**
 * Finds parties and nodes that requests of a recording name before an answer does. It searches the system for the
 * hint in their names.
 */
import { call, ClientError, drive, type Requests } from '../client/requests.js';
import type { HttpSide } from '../client/http-side.js';
import { OPERATIONS } from '../client/operations.js';
import { eachPage } from '../client/paging.js';
import { LedgerError } from '../daml/errors/ledger-error.js';
import type { Identities } from '../recording/identities.js';

/** The most pages of parties to read. */
const MAX_PAGES = 100;
const NAME = /([\w.@:-]+?)::(1220[0-9a-f]{64})/g;

export class PartyNames {
  /** The existing names by hint; undefined for a hint with several names. */
  private known: ReadonlyMap<string, string | undefined> | undefined;
  private readonly missing = new Set<string>();

  constructor(
    private readonly identities: Identities,
    private readonly system: HttpSide,
  ) {}

  /** Matches the names in a request with existing names. @param text the request's path and body */
  async learn(text: string, token: string | undefined): Promise<void> {
    const plain = text.includes('%') ? text.replace(/%3A/gi, ':') : text;
    for (const [, hint, hash] of plain.matchAll(NAME)) {
      const recorded = { kind: 'hash', text: hash! } as const;
      if (this.identities.knows(recorded)) continue;
      const now = await this.find(hint!, token);
      if (now !== undefined) this.identities.pair(recorded, { kind: 'hash', text: now });
    }
  }

  private async find(hint: string, token: string | undefined): Promise<string | undefined> {
    if (this.missing.has(hint)) return undefined;
    if (!this.known?.has(hint)) this.known = await this.read(token);
    if (!this.known.has(hint)) this.missing.add(hint);
    return this.known.get(hint);
  }

  private async read(token: string | undefined): Promise<ReadonlyMap<string, string | undefined>> {
    const known = new Map<string, string | undefined>();
    const add = (answer: unknown) => {
      for (const [, hint, hash] of JSON.stringify(answer).matchAll(NAME))
        known.set(hint!, known.has(hint!) && known.get(hint!) !== hash ? undefined : hash);
    };
    let pages = 0;
    const { parties, participantId, synchronizers } = OPERATIONS;
    await this.answerOf(
      eachPage(parties, {}, ({ items }) => {
        add(items);
        return (pages += 1) === MAX_PAGES;
      }),
      token,
    );
    for (const operation of [participantId, synchronizers])
      add(await this.answerOf(call(operation), token));
    return known;
  }

  /** The answer; an empty object if the system refuses. */
  private async answerOf(requests: Requests<unknown>, token: string | undefined): Promise<unknown> {
    try {
      return await drive(requests, (request) => this.system.send(request, token));
    } catch (error) {
      if (error instanceof ClientError || error instanceof LedgerError) return {};
      throw error;
    }
  }
}
