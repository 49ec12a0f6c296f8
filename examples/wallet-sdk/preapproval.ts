/** A preapproval: asked for, given by the validator, used, renewed and cancelled. */
import { amounts, connect, newParty, send, submit, tap } from './wallet.ts';

const DAYS = 24 * 60 * 60 * 1000;

export default async function preapproval() {
  const sdk = await connect();
  await sdk.amulet.tapInternal('1000');
  const [alice, bob] = await Promise.all([
    newParty(sdk, 'preapproval-alice'),
    newParty(sdk, 'preapproval-bob'),
  ]);
  const receiver = bob.partyId;
  const { command, fetchStatus, renew } = {
    command: sdk.amulet.preapproval.command,
    fetchStatus: sdk.amulet.preapproval.fetchStatus.bind(sdk.amulet.preapproval),
    renew: sdk.amulet.preapproval.renew.bind(sdk.amulet.preapproval),
  };

  await submit(sdk, bob, await command.create({ parties: { receiver } }));
  const given = (await fetchStatus(receiver, { intervalMs: 100 }))!;

  await tap(sdk, alice, '10000');
  await send(sdk, alice, bob, '2000');
  const held = [await amounts(sdk, alice), await amounts(sdk, bob)];

  const expiresAt = new Date(given.expiresAt.getTime() + 2 * DAYS);
  await renew({ parties: { receiver }, expiresAt });
  const renewed = (await fetchStatus(receiver, { oldCid: given.contractId, intervalMs: 100 }))!;

  const [cancel, disclosed] = await command.cancel({ parties: { receiver } });
  await submit(sdk, bob, cancel, disclosed);
  const left = await fetchStatus(receiver, { cancelled: true, intervalMs: 100 });
  return {
    held,
    renewedByDays: (renewed.expiresAt.getTime() - given.expiresAt.getTime()) / DAYS,
    left,
  };
}
