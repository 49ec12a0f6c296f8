import { useState, type FormEvent } from 'react';
import { findWallet, holdingsOf, transfer, type Holding } from './wallet';

const nameOf = (party: string) => party.split('::')[0];

export function App({ registry }: { registry: string }) {
  const [party, setParty] = useState('');
  const [holdings, setHoldings] = useState<Holding[]>([]);
  const [message, setMessage] = useState('');
  const balance = holdings.reduce((sum, { amount }) => sum + Number(amount), 0);

  const connect = async () => {
    const wallet = findWallet();
    if (!wallet) return setMessage('No wallet found');
    await wallet.request({ method: 'connect' });
    const { partyId } = await wallet.request({ method: 'getPrimaryAccount' });
    setParty(partyId);
    setHoldings(await holdingsOf(wallet, partyId));
  };

  const pay = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [receiver, amount] = ['receiver', 'amount'].map((name) => String(form.get(name)));
    const wallet = findWallet()!;
    setMessage('Waiting for the wallet');
    try {
      await transfer(wallet, registry, holdings, { sender: party, receiver, amount });
      setHoldings(await holdingsOf(wallet, party));
      setMessage(`Offered ${amount} to ${nameOf(receiver)}`);
    } catch (error) {
      const { code, message: reason } = error as { code?: number; message: string };
      setMessage(code === 4001 ? 'You rejected the payment' : `Failed: ${reason}`);
    }
  };

  return (
    <main>
      <h1>Payments</h1>
      {party === '' ? (
        <button onClick={() => void connect()}>Connect wallet</button>
      ) : (
        <>
          <p>
            {nameOf(party)} has <b>{balance}</b> tokens
          </p>
          <form onSubmit={(event) => void pay(event)}>
            <label>
              Receiver <input name="receiver" required />
            </label>
            <label>
              Amount <input name="amount" required />
            </label>
            <button>Pay</button>
          </form>
        </>
      )}
      <p role="status">{message}</p>
    </main>
  );
}
