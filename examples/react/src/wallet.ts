/** The wallet of the user, as CIP-0103 describes it. */
import type { Provider } from 'canticle/wallet';

declare global {
  interface Window {
    canton?: Record<string, Provider>;
  }
}

/** The first wallet in the page. A dApp with several wallets shows a list. */
export const findWallet = (): Provider | undefined => Object.values(window.canton ?? {})[0];

interface ActiveContract {
  readonly contractEntry: {
    readonly JsActiveContract: {
      readonly createdEvent: {
        readonly contractId: string;
        readonly interfaceViews: readonly { readonly viewValue: HoldingView }[];
      };
    };
  };
}

interface HoldingView {
  readonly amount: string;
  readonly instrumentId: { readonly admin: string; readonly id: string };
  readonly lock: object | null;
}

/** A part of what a party holds of a token. */
export interface Holding extends HoldingView {
  readonly contractId: string;
}

const HOLDING = '#splice-api-token-holding-v1:Splice.Api.Token.HoldingV1:Holding';
const FACTORY =
  '#splice-api-token-transfer-instruction-v1:Splice.Api.Token.TransferInstructionV1:TransferFactory';

/** The holdings that a party can spend. The wallet sends these requests to its participant. */
export async function holdingsOf(wallet: Provider, party: string): Promise<Holding[]> {
  const { offset } = (await wallet.request({
    method: 'ledgerApi',
    params: { requestMethod: 'get', resource: '/v2/state/ledger-end' },
  })) as { offset: number };
  const value = { interfaceId: HOLDING, includeInterfaceView: true };
  const cumulative = [{ identifierFilter: { InterfaceFilter: { value } } }];
  const contracts = (await wallet.request({
    method: 'ledgerApi',
    params: {
      requestMethod: 'post',
      resource: '/v2/state/active-contracts',
      body: {
        activeAtOffset: offset,
        eventFormat: { filtersByParty: { [party]: { cumulative } }, verbose: false },
      },
    },
  })) as unknown as ActiveContract[];
  return contracts
    .map(({ contractEntry }) => contractEntry.JsActiveContract.createdEvent)
    .map(({ contractId, interfaceViews }) => ({ contractId, ...interfaceViews[0]!.viewValue }))
    .filter(({ lock }) => lock === null);
}

/** Asks the registry of the token for the choice that transfers it, and the wallet to exercise that. */
export async function transfer(
  wallet: Provider,
  registry: string,
  holdings: readonly Holding[],
  { sender, receiver, amount }: { sender: string; receiver: string; amount: string },
): Promise<void> {
  const { instrumentId } = holdings[0]!;
  const now = Date.now();
  const choiceArgument = {
    expectedAdmin: instrumentId.admin,
    transfer: {
      sender,
      receiver,
      amount,
      instrumentId,
      requestedAt: new Date(now).toISOString(),
      executeBefore: new Date(now + 86_400_000).toISOString(),
      inputHoldingCids: holdings.map(({ contractId }) => contractId),
      meta: { values: {} },
    },
    extraArgs: { context: { values: {} }, meta: { values: {} } },
  };
  const answer = await fetch(`${registry}/registry/transfer-instruction/v1/transfer-factory`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ choiceArguments: choiceArgument }),
  });
  if (!answer.ok) throw new Error(`The registry answered ${answer.status}`);
  const { factoryId, choiceContext } = await answer.json();
  choiceArgument.extraArgs.context = choiceContext.choiceContextData;
  const exercise = { templateId: FACTORY, contractId: factoryId, choiceArgument };
  await wallet.request({
    method: 'prepareExecuteAndWait',
    params: {
      commands: [{ ExerciseCommand: { ...exercise, choice: 'TransferFactory_Transfer' } }],
      disclosedContracts: choiceContext.disclosedContracts,
    },
  });
}
