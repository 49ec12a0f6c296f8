import { expect, test } from 'canticle/playwright';

const connect = async (page) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Connect wallet' }).click();
};
const issue = async (page, amount) => {
  await page.getByLabel('Amount').fill(amount);
  await page.getByRole('button', { name: 'Issue' }).click();
};

test('issues an IOU when the user approves', async ({ page, wallet, canticle }) => {
  const { partyId } = await wallet.as('alice');
  await connect(page);
  await expect(page.locator('#account')).toHaveText('alice');
  await issue(page, '12.5');
  await expect(page.getByRole('status')).toHaveText('Waiting for the wallet');
  await wallet.expects('Iou');
  const { updateId } = await wallet.approve();
  await expect(page.getByRole('listitem')).toHaveText(['12.5 USD']);
  expect(updateId).toMatch(/^1220/);
  expect(canticle.participant.activeContracts({ party: partyId })).toHaveLength(1);
});

test('issues nothing when the user rejects', async ({ page, wallet }) => {
  await wallet.as('alice');
  await connect(page);
  await issue(page, '1.0');
  await wallet.reject();
  await expect(page.getByRole('status')).toHaveText('You rejected the request');
  await expect(page.getByRole('listitem')).toHaveCount(0);
});

test('shows what the participant rejects', async ({ page, wallet }) => {
  await wallet.as('alice');
  wallet.control.mode = 'approve';
  await connect(page);
  await issue(page, '-1.0');
  await expect(page.getByRole('status')).toContainText('Failed: ');
});

test('follows the account', async ({ page, wallet }) => {
  await wallet.as('alice');
  await connect(page);
  await expect(page.locator('#account')).toHaveText('alice');
  await wallet.as('bob');
  await expect(page.locator('#account')).toHaveText('bob');
});

test('works without a wallet', async ({ page }) => {
  await connect(page);
  await expect(page.getByRole('status')).toHaveText('No wallet found');
});
