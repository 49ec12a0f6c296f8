/**
 * A LocalNet with Splice's real DARs: the DSO, Amulet and the validators' wallets are their code (L-USR-005, L-USR-006, L-TOP-007 to
 * L-TOP-009), at a chosen price and tick.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useLocalnet } from '../../src/testing/jest.js';
import { describeWithDars } from '../support/foreign-files.js';
import { useTemporaryFolder } from '../support/temporary-folder.js';
import { testGuideOfWalletSdk } from './wallet-sdk-guide.js';

// The boot of all of Splice's packages, unchecked before, and sixteen clients at once, on a loaded machine.
jest.setTimeout(120_000);

const folder = useTemporaryFolder();
const DARS = [
  'splice-amulet-0.1.22.dar',
  'splice-amulet-name-service-0.1.23.dar',
  'splice-dso-governance-0.1.28.dar',
  'splice-validator-lifecycle-0.1.8.dar',
  'splice-wallet-0.1.23.dar',
  'splice-wallet-payments-0.1.22.dar',
] as const;

describeWithDars("a LocalNet with Splice's DARs", DARS, () => {
  const config = join(folder(), 'network.yaml');
  writeFileSync(config, 'amulet: { tick: PT2M, price: "0.5" }');
  const url = 'https://second.example';
  // The wallet SDK compares rounds with its own clock.
  const localnet = useLocalnet({
    config,
    seed: 6,
    clock: 'wall',
    amulet: { price: '0.25' },
    validators: [
      'app-provider',
      {
        name: 'app-user',
        holds: '12.5',
        names: ['first'],
        users: [{ id: 'carol', wallet: true, names: [{ name: 'second.unverified.ans', url }] }],
      },
    ],
  });
  const { sv, appProvider, appUser } = localnet;

  const get = async (url: string, token?: string) => {
    const headers = new Headers(token === undefined ? {} : { authorization: `Bearer ${token}` });
    const answer = await fetch(url, { headers });
    return { status: answer.status, body: (await answer.json()) as any };
  };

  it('has the newest version of each package on its nodes', () => {
    const versionAt = (node: typeof sv, name: string) => {
      const { packages } = node.participant.engine;
      const id = packages.packageIdForName(name);
      return id === undefined ? undefined : packages.package(id)!.version;
    };
    for (const node of [sv, appProvider, appUser])
      expect(
        DARS.map((dar) => /^(.+)-([\d.]+)\.dar$/.exec(dar)!).map(([, name]) =>
          versionAt(node, name!),
        ),
      ).toEqual([
        '0.1.22',
        '0.1.23',
        node === sv ? '0.1.28' : undefined,
        '0.1.8',
        '0.1.23',
        '0.1.22',
      ]);
  });

  it('has a wallet for each wallet user, and none for the administrator', async () => {
    for (const node of [sv, appProvider, appUser]) {
      const own = await get(`${node.wallet}/user-status`, node.token(node.walletUser));
      expect(own.body).toMatchObject({ party_id: node.party, user_wallet_installed: true });
      const { status } = await get(`${node.wallet}/balance`, node.token());
      expect(status).toBe(404);
    }
  });

  it('starts with the configured price, tick and holdings', async () => {
    const { body } = await get(
      `${appUser.validator}/v0/scan-proxy/open-and-issuing-mining-rounds`,
      appUser.token(),
    );
    const [round] = body.open_mining_rounds;
    expect(round.contract.payload).toMatchObject({
      amuletPrice: '0.25',
      tickDuration: { microseconds: '120000000' },
    });
    const balance = await get(`${appUser.wallet}/balance`, appUser.token('app-user'));
    expect(balance.body).toMatchObject({ effective_unlocked_qty: '12.5000000000' });
    expect(localnet.hasAmulet).toBe(true);
  });

  it('starts with the configured names, whose wallets pay no fees for them', async () => {
    const { body } = await get(`${localnet.urls.scan}/v0/ans-entries?page_size=9`);
    const named = body.entries.filter((each: any) => each.contract_id !== null);
    const carol = (await get(`${appUser.wallet}/user-status`, appUser.token('carol'))).body;
    expect(named).toMatchObject([
      { name: 'first.unverified.ans', user: appUser.party, url: '' },
      { name: 'second.unverified.ans', user: carol.party_id, url },
    ]);
    const ans = appUser.validator.replace('validator', 'validator/v0/entry/all');
    const paid = await get(ans, appUser.token('carol'));
    expect(paid.body.entries).toMatchObject([{ name: 'second.unverified.ans', unit: 'USDUNIT' }]);
    const balance = await get(`${appUser.wallet}/balance`, appUser.token('carol'));
    expect(balance.body.effective_unlocked_qty).toBe('0.0000000000');
  });

  testGuideOfWalletSdk(localnet);
});
