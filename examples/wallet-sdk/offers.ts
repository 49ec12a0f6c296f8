/** A transfer in two steps: accepted, rejected, withdrawn, and accepted too late. */
import { setTimeout } from 'node:timers/promises';
import { amounts, connect, newParty, registryUrl, send, submit, tap } from './wallet.ts';

/** @param wait waits this many milliseconds. If you control the network's clock, advance it instead. */
export default async function offers(wait: (ms: number) => unknown = setTimeout) {
  const sdk = await connect();
  const [alice, bob] = await Promise.all([
    newParty(sdk, 'offers-alice'),
    newParty(sdk, 'offers-bob'),
  ]);
  await tap(sdk, alice, '10000');
  const { transfer } = sdk.token;
  /** An offer of 2000, and what a choice of it takes. */
  const offer = async (expirationDate?: Date) => {
    await send(sdk, alice, bob, '2000', expirationDate);
    const [pending] = await transfer.pending(bob.partyId);
    return { transferInstructionCid: pending!.contractId, registryUrl };
  };

  await submit(sdk, bob, ...(await transfer.accept(await offer())));
  const accepted = [await amounts(sdk, alice), await amounts(sdk, bob)];

  await submit(sdk, bob, ...(await transfer.reject(await offer())));
  await submit(sdk, alice, ...(await transfer.withdraw(await offer())));
  const given = (await amounts(sdk, alice)).reduce((sum, each) => sum + each, 0);
  const waiting = await transfer.pending(bob.partyId);

  const end = new Date(Date.now() + 5_000);
  const late = await transfer.accept(await offer(end));
  await wait(end.getTime() + 1 - Date.now());
  const refusal = await submit(sdk, bob, ...late).then(
    () => undefined,
    (error: { code: string }) => error.code,
  );
  return { accepted, givenBack: given, waiting: waiting.length, tooLate: refusal };
}
