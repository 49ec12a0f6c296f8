/**
 * Flows that run in Node and, as their source text, in a page or a worker. They use only their arguments and globals. Each returns what a
 * client of the HTTP API sees.
 */
import type * as Canticle from 'canticle';

/** The function of `canticle` and of `canticle/browser`. */
export interface Entrance {
  readonly createCanticle: (options: object) => Canticle.Canticle | Promise<Canticle.Canticle>;
}

/** SHA-256 of the whole update stream as each party sees it, and the number of updates. */
async function digest(canticle: Canticle.Canticle, parties: readonly string[]): Promise<string> {
  const send = (path: string, body: object) =>
    canticle.fetch(
      new Request(`http://localhost${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    );
  const filter = {
    identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: true } } },
  };
  const eventFormat = {
    filtersByParty: Object.fromEntries(parties.map((party) => [party, { cumulative: [filter] }])),
    verbose: true,
  };
  const transactionShape = 'TRANSACTION_SHAPE_LEDGER_EFFECTS';
  const updateFormat = { includeTransactions: { eventFormat, transactionShape } };
  const answer = await send('/v2/updates', {
    beginExclusive: 0,
    endInclusive: canticle.participant.ledgerEnd,
    updateFormat,
  });
  const text = await answer.text();
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  const hex = [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${answer.status} ${text.split('"updateId"').length - 1} ${hex}`;
}

/** A transfer of the test token through its registry, as a wallet makes it. */
export async function tokenFlow({ createCanticle }: Entrance, digestOf: typeof digest) {
  const canticle = await createCanticle({ seed: 11 });
  const [alice, bob] = ['alice', 'bob'].map((name) => canticle.participant.allocateParty(name));
  canticle.token.mint(alice!, '100.0');
  const offer = canticle.token.transfer({ from: alice!, to: bob!, amount: '40.0' });
  canticle.token.accept(offer.instruction!, bob!);
  const before = canticle.participant.ledgerEnd;
  canticle.token.mint(bob!, '1.0');
  const metadata = await canticle.fetch(new Request('http://localhost/registry/metadata/v1/info'));
  return {
    registry: ((await metadata.json()) as { readonly adminId: string }).adminId,
    holdings: canticle.token.holdings(bob!).map(({ contractId }) => contractId),
    digest: await digestOf(canticle, [alice!, bob!]),
    before,
    reverted: (canticle.reset(), canticle.participant.ledgerEnd),
  };
}

/** Amulet from its DAR: taps, a transfer that is accepted, one that is withdrawn, reverted and rejected, and an answer of Scan. */
export async function amuletFlow(
  { createCanticle }: Entrance,
  digestOf: typeof digest,
  dar: Uint8Array,
) {
  const canticle = await createCanticle({ seed: 5, amulet: { dar } });
  const [alice, bob] = ['alice', 'bob'].map((name) => canticle.participant.allocateParty(name));
  canticle.amulet.tap(alice!, '100.0');
  canticle.amulet.tap(bob!, '100.0');
  const offer = canticle.amulet.transfer({ from: alice!, to: bob!, amount: '42.0' });
  canticle.amulet.accept(offer.instruction!, bob!);
  const second = canticle.amulet.transfer({ from: bob!, to: alice!, amount: '1.0' });
  const withdrawn = canticle.snapshot();
  canticle.amulet.withdraw(second.instruction!, bob!);
  const before = canticle.participant.ledgerEnd;
  canticle.revert(withdrawn);
  const reverted = canticle.participant.ledgerEnd;
  canticle.amulet.reject(second.instruction!, alice!);
  const info = await canticle.fetch(new Request('http://localhost/api/scan/v0/dso-party-id'));
  return {
    scan: info.status,
    before,
    reverted,
    holdings: canticle.amulet.holdings(bob!).map(({ contractId }) => contractId),
    digest: await digestOf(canticle, [alice!, bob!]),
  };
}

export { digest };
