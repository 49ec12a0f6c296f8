/** An exchange's treasury takes deposits through a proxy, which makes them the activity of a featured app. */
import { amounts, connect, newParty, send, submit, tap } from './wallet.ts';

const PROXY =
  '#splice-util-featured-app-proxies:Splice.Util.FeaturedApp.DelegateProxy:DelegateProxy';

/** @param dar splice-util-featured-app-proxies, which a LocalNet does not include */
export default async function rewardsForDeposits(dar: Uint8Array, packageId: string) {
  const sdk = await connect();
  await sdk.ledger.dar.upload(dar, packageId);
  const [alice, treasury] = await Promise.all([
    newParty(sdk, 'deposits-alice'),
    newParty(sdk, 'deposits-treasury'),
  ]);
  await Promise.all([tap(sdk, alice, '1000'), tap(sdk, treasury, '1000')]);
  const featuredAppRight = (await sdk.amulet.featuredApp.grant())!;

  const { transfer } = sdk.token;
  await transfer.delegatedProxy.create(treasury.partyId);
  const [proxy] = await sdk.ledger.acs.read({
    templateIds: [PROXY],
    parties: [treasury.partyId],
    filterByParty: true,
  });
  const { commands } = transfer.delegatedProxy;
  /** A transfer of 100, and what the proxy's choices take. */
  const offer = async (from: typeof alice, to: typeof alice) => {
    await send(sdk, from, to, '100');
    const [pending] = await transfer.pending(treasury.partyId);
    const transferInstructionCid = pending!.contractId;
    return { proxyCid: proxy!.contractId, transferInstructionCid, featuredAppRight };
  };
  const total = async (party: typeof alice) =>
    (await amounts(sdk, party)).reduce((sum, amount) => sum + amount, 0);
  const totals = async () => [await total(alice), await total(treasury)];

  await submit(sdk, treasury, ...(await commands.withdraw(await offer(treasury, alice))));
  const withdrawn = await totals();
  await submit(sdk, treasury, ...(await commands.reject(await offer(alice, treasury))));
  const rejected = await totals();
  await submit(sdk, treasury, ...(await commands.accept(await offer(alice, treasury))));
  return { withdrawn, rejected, accepted: await totals() };
}
