/** The code under test: it gets the URL of its participant, and does not know Canticle. */
interface Balance {
  readonly owner: string;
  readonly amount: string;
}

/** As much of an answer as is read here. */
interface ActiveContract {
  contractEntry: {
    JsActiveContract: { createdEvent: { interfaceViews: { viewValue: Balance }[] } };
  };
}

const HOLDING = '#splice-api-token-holding-v1:Splice.Api.Token.HoldingV1:Holding';

/** The holdings of a party in any token, through the interface of the token standard. */
export async function balances(ledgerApi: string, party: string): Promise<Balance[]> {
  const { offset } = await call<{ offset: number }>(`${ledgerApi}/v2/state/ledger-end`);
  const identifierFilter = {
    InterfaceFilter: {
      value: { interfaceId: HOLDING, includeInterfaceView: true, includeCreatedEventBlob: false },
    },
  };
  const entries = await call<ActiveContract[]>(`${ledgerApi}/v2/state/active-contracts`, {
    activeAtOffset: offset,
    eventFormat: {
      filtersByParty: { [party]: { cumulative: [{ identifierFilter }] } },
      verbose: false,
    },
  });
  return entries.map(({ contractEntry }) => {
    const [view] = contractEntry.JsActiveContract.createdEvent.interfaceViews;
    const { owner, amount } = view!.viewValue;
    return { owner, amount };
  });
}

async function call<Answer>(url: string, body?: object): Promise<Answer> {
  const answer = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error('The ledger refused', { cause: await answer.json() });
  return (await answer.json()) as Answer;
}
