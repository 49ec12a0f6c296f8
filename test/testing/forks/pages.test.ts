/** As many contracts as a page of a live side has, and one more. */
import { join } from 'node:path';
import { startCanticle } from 'canticle';
import { useTemporaryFolder } from '../../support/temporary-folder.js';

const IOU = '#canticle-quickstart:Quickstart.Iou:Iou';
const PAGE = 2000;
const folder = useTemporaryFolder();

it.each(['3.4', '3.5'] as const)(
  'reads all contracts of release %s',
  async (apiVersion) => {
    const live = await startCanticle({ seed: 5, apiVersion });
    const { participant } = live;
    const bank = participant.allocateParty('bank');
    const iou = { issuer: bank, owner: bank, currency: 'EUR', amount: '4.0', observers: [] };
    const begun = participant.activeContracts().length;
    for (let i = begun; i < PAGE; i += 1) participant.create(IOU, iou, { actAs: bank });
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
    expect(await read()).toEqual([PAGE, 1]);
    participant.create(IOU, iou, { actAs: bank });
    expect(await read()).toEqual([PAGE + 1, isStream ? 1 : 2]);
    await live.close();
  },
  120_000,
);
