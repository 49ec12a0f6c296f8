const HOLDING = '#splice-api-token-holding-v1:Splice.Api.Token.HoldingV1:Holding';
const OFFER =
  '#splice-api-token-transfer-instruction-v1:Splice.Api.Token.TransferInstructionV1:TransferInstruction';

/** The payloads of a party's active contracts that implement an interface. */
async function views(fetch, party, interfaceId) {
  const send = (path, body) =>
    fetch(
      new Request(`http://ledger${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    ).then(async (answer) => {
      if (!answer.ok) throw new Error(`The ledger answered ${answer.status}.`);
      return answer.json();
    });
  const { offset } = await send('/v2/state/ledger-end');
  const InterfaceFilter = { value: { interfaceId, includeInterfaceView: true } };
  const cumulative = [{ identifierFilter: { InterfaceFilter } }];
  const contracts = await send('/v2/state/active-contracts', {
    activeAtOffset: offset,
    eventFormat: { filtersByParty: { [party]: { cumulative } }, verbose: false },
  });
  return contracts.map(
    ({ contractEntry }) => contractEntry.JsActiveContract.createdEvent.interfaceViews[0].viewValue,
  );
}

const textOf = (party) => party.split('::')[0];

/** Shows the holdings of a party, and the transfers that wait for it. @param fetch of the ledger */
export function holdingsOf({ fetch, party }) {
  const section = document.createElement('section');
  section.textContent = 'Loading…';
  const show = async () => {
    const holdings = await views(fetch, party, HOLDING);
    const offers = await views(fetch, party, OFFER);
    const total = holdings.reduce((sum, { amount }) => sum + Number(amount), 0);
    const line = (text) => Object.assign(document.createElement('li'), { textContent: text });
    const list = document.createElement('ul');
    list.append(
      ...holdings.map(({ amount }) => line(`${Number(amount)} tokens`)),
      ...offers.map(({ transfer }) =>
        line(`${textOf(transfer.sender)} offers ${Number(transfer.amount)} tokens`),
      ),
    );
    const heading = document.createElement('h2');
    heading.textContent = `${textOf(party)} has ${total} tokens`;
    section.replaceChildren(heading, list);
  };
  show().catch((error) => {
    section.textContent = error.message;
  });
  return section;
}
