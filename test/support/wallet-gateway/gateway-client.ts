/** Parts that suites of the Wallet Gateway share: calls, streams of events, and a command. */
import type { Canticle } from 'canticle';

/** A transaction's change, as the gateway sends it. */
export interface TxChanged {
  readonly status: string;
  readonly commandId: string;
  readonly payload?: unknown;
}

/** Creates a promise of a party to itself. */
export const quickstartCommand = (party: string, amount = '10.0'): unknown[] => [
  {
    CreateCommand: {
      templateId: '#canticle-quickstart:Quickstart.Iou:Iou',
      createArguments: { issuer: party, owner: party, currency: 'EUR', amount, observers: [] },
    },
  },
];

/** Calls a method in this process, as a page of the origin does. */
export async function rpc(
  canticle: Canticle,
  path: 'dapp' | 'user',
  method: string,
  params?: unknown,
  { token, id = 1 }: { readonly token?: string; readonly id?: unknown } = {},
) {
  const answer = await canticle.handle({
    path: `/api/v0/${path}`,
    headers: {
      'content-type': 'application/json',
      origin: 'https://app.example',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: { jsonrpc: '2.0', id, method, params },
  });
  const isJson = answer.headers['content-type']?.startsWith('application/json') === true;
  const body = isJson ? (answer.json() as any) : answer.body.toString();
  return { status: answer.status, headers: answer.headers, body, result: body.result as any };
}

/** A wallet that is connected: its session's token, calls with it, and its events. */
export async function connected(canticle: Canticle) {
  const { token } = await canticle.walletGateway.connect();
  const party = canticle.walletGateway.wallets.find(({ primary }) => primary)?.partyId ?? '';
  return {
    token,
    party,
    dapp: (method: string, params?: unknown) => rpc(canticle, 'dapp', method, params, { token }),
    user: (method: string, params?: unknown) => rpc(canticle, 'user', method, params, { token }),
    /** Asks for a transaction. @returns the query of the page that it opens */
    async prepare(commandId = 'c1', commands = quickstartCommand(party)) {
      const { result, body } = await rpc(
        canticle,
        'dapp',
        'prepareExecute',
        { commandId, commands },
        { token },
      );
      if (result === undefined) throw new Error(JSON.stringify(body));
      return new URL(result.userUrl).searchParams;
    },
    events: () => subscribed(canticle, token),
  };
}

/** Reads the stream of events of a session, in this process. */
export async function subscribed(canticle: Canticle, token: string) {
  const url = `http://localhost/api/v0/dapp/events?token=${token}`;
  const response = await canticle.fetch(new Request(url));
  const seen: { name: string; args: any[] }[] = [];
  const reader = response.body!.getReader();
  let text = '';
  const read = async (): Promise<boolean> => {
    const { value, done } = await reader.read();
    if (done) return false;
    text += Buffer.from(value).toString();
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const [, name = '', data = ''] = /^event: (.*)\ndata: (.*)$/.exec(text.slice(0, end)) ?? [];
      seen.push({ name, args: JSON.parse(data) as unknown[] });
      text = text.slice(end + 2);
    }
    return true;
  };
  const changes = () =>
    seen.filter(({ name }) => name === 'txChanged').map(({ args }) => args[0] as TxChanged);
  return {
    response,
    seen,
    changes,
    /** Reads until an event has the property. @returns whether one had it before the stream ended */
    async until(isLast: (event: { name: string; args: any[] }) => boolean): Promise<boolean> {
      for (;;) {
        if (seen.some(isLast)) return true;
        if (!(await read())) return false;
      }
    },
    /** Reads until a transaction has a status. @returns all statuses in order */
    async untilStatus(status: string): Promise<string[]> {
      await this.until(({ name, args }) => name === 'txChanged' && args[0].status === status);
      return changes().map((each) => each.status);
    },
    close: () => reader.cancel(),
  };
}
