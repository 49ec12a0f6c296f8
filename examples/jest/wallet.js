/** The code under test: a wallet that gets the URL of its participant, and does not know Canticle. */
export class Wallet {
  constructor(ledgerApi, party) {
    this.ledgerApi = ledgerApi;
    this.party = party;
  }

  /** Contracts of a template that the party sees. */
  async contracts(templateId) {
    const { offset } = await this.call('/v2/state/ledger-end');
    const identifierFilter = {
      TemplateFilter: { value: { templateId, includeCreatedEventBlob: false } },
    };
    const entries = await this.call('/v2/state/active-contracts', {
      activeAtOffset: offset,
      eventFormat: {
        filtersByParty: { [this.party]: { cumulative: [{ identifierFilter }] } },
        verbose: false,
      },
    });
    return entries.map(({ contractEntry }) => contractEntry.JsActiveContract.createdEvent);
  }

  async call(path, body) {
    const answer = await fetch(this.ledgerApi + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error('The ledger refused', { cause: await answer.json() });
    return answer.json();
  }
}
