/** As many contracts as a page of a live side has, and one more. */
import { join } from 'node:path';
import { startCanticle } from 'canticle';
import { useTemporaryFolder } from '../../support/temporary-folder.js';

const IOU = '#canticle-quickstart:Quickstart.Iou:Iou';
/** Release 3.4 streams its contracts: more than a list of the JSON Ledger API has are enough. */
const COUNTS = [
  ['3.4', 201],
  ['3.5', 2000],
] as const;
const folder = useTemporaryFolder();

it.each(COUNTS)(
  'reads all contracts of release %s',
  async (apiVersion, page) => {
    const live = await startCanticle({ seed: 5, apiVersion });
    const { participant } = live;
    const bank = participant.allocateParty('bank');
    const iou = { issuer: bank, owner: bank, currency: 'EUR', amount: '4.0', observers: [] };
    const begun = participant.activeContracts().length;
    for (let i = begun; i < page; i += 1) participant.create(IOU, iou, { actAs: bank });
    const cache = join(folder(), apiVersion);
    const read = async () => {
      live.requests.clear();
      const here = await startCanticle({ fork: { url: live.url, cache, refresh: true } });
      const count = here.participant.activeContracts().length;
      await here.close();
      const requests = live.requests.list().filter(({ path }) => path.includes('active-contracts'));
      return [count, requests.length];
    };
    const isStream = apiVersion === '3.4';
    expect(await read()).toEqual([page, 1]);
    participant.create(IOU, iou, { actAs: bank });
    expect(await read()).toEqual([page + 1, isStream ? 1 : 2]);
    await live.close();
  },
  120_000,
);
