/**
 * Parties and nodes that a recording names before any answer does: they are looked up in the system by the part of their names that
 * people choose.
 */
import type { Identities } from '../recording/identities.js';
import type { System } from './system.js';

const NAME = /([\w.@:-]+?)::(1220[0-9a-f]{64})/g;
const MAX_PAGES = 100;

export class PartyNames {
  /** Names that there are, by their hints; a hint of several stands for none. */
  private known: ReadonlyMap<string, string | undefined> | undefined;
  private readonly missing = new Set<string>();

  constructor(
    private readonly identities: Identities,
    private readonly system: System,
  ) {}

  /** Matches what a request names with what there is. @param text the request's path and body */
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
    const add = (text: string) => {
      for (const [, hint, hash] of text.matchAll(NAME))
        known.set(hint!, known.has(hint!) && known.get(hint!) !== hash ? undefined : hash);
    };
    let page = '';
    for (let i = 0; i < MAX_PAGES; i++) {
      const text = await this.ask(`/v2/parties?pageToken=${encodeURIComponent(page)}`, token);
      add(text);
      page = /"nextPageToken":"([^"]+)"/.exec(text)?.[1] ?? '';
      if (page === '') break;
    }
    add(await this.ask('/v2/parties/participant-id', token));
    add(await this.ask('/v2/state/connected-synchronizers', token));
    return known;
  }

  private async ask(target: string, token: string | undefined): Promise<string> {
    const headers: Record<string, string> =
      token === undefined ? {} : { authorization: `Bearer ${token}` };
    const { body } = await this.system.ask({ method: 'GET', target, headers });
    return body.toString();
  }
}
