/**
 * A LocalNet with Splice's real DARs: the DSO, Amulet and the validators' wallets are their code (L-USR-005, L-USR-006, L-TOP-007 to
 * L-TOP-009), at a price and a tick of one's own.
 */
import { useLocalnet } from '../../src/testing/jest.js';
import { describeWithDars } from '../support/foreign-files.js';
import { testGuideOfWalletSdk } from './wallet-sdk-guide.js';

// The boot of all of Splice's packages, unchecked before, on a loaded machine.
jest.setTimeout(60_000);

const DARS = [
  'splice-amulet-0.1.22.dar',
  'splice-amulet-name-service-0.1.23.dar',
  'splice-dso-governance-0.1.28.dar',
  'splice-validator-lifecycle-0.1.8.dar',
  'splice-wallet-0.1.23.dar',
  'splice-wallet-payments-0.1.22.dar',
] as const;

describeWithDars("a LocalNet of Splice's code", DARS, () => {
  // The wallet SDK compares rounds with its own clock.
  const localnet = useLocalnet({
    seed: 6,
    clock: 'wall',
    amulet: { price: '0.25', tick: 'PT2M' },
    validators: ['app-provider', { name: 'app-user', holds: '12.5' }],
  });
  const { sv, appProvider, appUser } = localnet;

  const ask = async (url: string, token?: string) => {
    const headers = new Headers(token === undefined ? {} : { authorization: `Bearer ${token}` });
    const answer = await fetch(url, { headers });
    return { status: answer.status, body: (await answer.json()) as any };
  };

  it('has each newest package where it belongs', () => {
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
      const own = await ask(`${node.wallet}/user-status`, node.token(node.walletUser));
      expect(own.body).toMatchObject({ party_id: node.party, user_wallet_installed: true });
      const { status } = await ask(`${node.wallet}/balance`, node.token());
      expect(status).toBe(404);
    }
  });

  it('begins with what it is told: price, tick, holdings', async () => {
    const { body } = await ask(
      `${appUser.validator}/v0/scan-proxy/open-and-issuing-mining-rounds`,
      appUser.token(),
    );
    const [round] = body.open_mining_rounds;
    expect(round.contract.payload).toMatchObject({
      amuletPrice: '0.25',
      tickDuration: { microseconds: '120000000' },
    });
    const balance = await ask(`${appUser.wallet}/balance`, appUser.token('app-user'));
    expect(balance.body).toMatchObject({ effective_unlocked_qty: '12.5000000000' });
    expect(localnet.hasAmulet).toBe(true);
  });

  testGuideOfWalletSdk(localnet);
});
