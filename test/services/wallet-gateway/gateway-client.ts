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

/** Reads the stream of events of a session. */
export async function subscribed({ urls }: Canticle, token: string) {
  const response = await fetch(`${urls.dappApi}/events?token=${token}`);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const seen: { name: string; args: any[] }[] = [];
  let text = '';
  const read = async (): Promise<boolean> => {
    const { value, done } = await reader.read();
    if (done) return false;
    text += value;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const [, name = '', data = ''] = /^event: (.*)\ndata: (.*)$/.exec(text.slice(0, end)) ?? [];
      seen.push({ name, args: JSON.parse(data) as unknown[] });
      text = text.slice(end + 2);
    }
    return true;
  };
  return {
    response,
    seen,
    /** The changes of transactions until one has the property. */
    async until(isLast: (change: TxChanged) => boolean): Promise<TxChanged[]> {
      for (;;) {
        const changes = seen.filter(({ name }) => name === 'txChanged').map(({ args }) => args[0]);
        if (changes.some(isLast) || !(await read())) return changes as TxChanged[];
      }
    },
    close: () => reader.cancel(),
  };
}
