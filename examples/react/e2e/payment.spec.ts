import { expect, test } from 'canticle/playwright';

test.use({ canticleOptions: { clock: 'wall' } });

test('pays when the user approves', async ({ page, wallet, canticle }) => {
  const { partyId: alice } = await wallet.as('alice');
  const bob = canticle.participant.allocateParty('bob');
  canticle.token.mint(alice, '100.0');
  // In production, this address is a proxy to the registry.
  await page.route('**/registry/**', async (route) => {
    const { pathname } = new URL(route.request().url());
    await route.fulfill({
      response: await route.fetch({ url: canticle.urls.registry + pathname }),
    });
  });

  await page.goto('/');
  await page.getByRole('button', { name: 'Connect wallet' }).click();
  await page.getByLabel('Receiver').fill(bob);
  await page.getByLabel('Amount').fill('30.0');
  await page.getByRole('button', { name: 'Pay' }).click();

  await wallet.expects('transfer');
  await wallet.approve();
  await expect(page.getByRole('status')).toHaveText('Offered 30.0 to bob');
  await expect(page.getByText('alice has 70 tokens')).toBeVisible();
});
