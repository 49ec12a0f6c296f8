// `npm run pictures`: updates the pictures of the inspector in docs/pictures, from a small network and a browser of
// this machine
// (`CANTICLE_BROWSER`, or chromium on the PATH). Needs `npm run build` and Splice's DAR of Amulet. Pictures of
// Chrome's own tools are
// made by hand.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright';
import { root } from './steps.mjs';

const AMULET = 'splice-amulet-0.1.14.dar';
const IOU = '#canticle-quickstart:Quickstart.Iou:Iou';
/** Largest picture: all of them are in the package. */
const LARGEST = 150_000;

const { createCanticle } = await import(join(root, 'dist', 'esm', 'index.js'));
const dars = process.env.CANTICLE_DARS ?? join(homedir(), '.canticle', 'dars');
const canticle = createCanticle({
  seed: 1,
  participants: [{ name: 'one' }, { name: 'two' }],
  synchronizers: [{ alias: 'global' }, { alias: 'app' }],
  amulet: { dar: readFileSync(join(dars, AMULET)) },
});
await canticle.listen();

/** Submits over the API. A refusal is not printed: it is in the picture. */
const submit = (party, ExerciseCommand, more) =>
  fetch(`${canticle.url}/v2/commands/submit-and-wait`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      commandId: 'too-late',
      userId: 'participant_admin',
      actAs: [party],
      commands: [{ ExerciseCommand }],
      ...more,
    }),
  });

const { amulet } = canticle;
const [one, two] = canticle.participants;
const [alice, bob] = [one.allocateParty('alice'), two.allocateParty('bob')];
amulet.tap(alice, '100.0');
const offer = amulet.transfer({ from: alice, to: bob, amount: '42.0', reason: 'Rent' });
amulet.accept(offer.instruction, bob);
const { updates } = canticle.network;
const { updateId: accepted } = updates.at(updates.length - 1);
amulet.transfer({ from: alice, to: bob, amount: '7.5' });
const iou = (currency) =>
  one.create(
    IOU,
    { issuer: alice, owner: alice, currency, amount: '1.0', observers: [bob] },
    { actAs: [alice], synchronizer: 'global' },
  );
one.assign(one.unassign(iou('EUR'), { to: 'app' }));
const archive = {
  templateId: IOU,
  contractId: iou('USD'),
  choice: 'Archive',
  choiceArgument: {},
};
const late = { seconds: 86_400, nanos: 0, unknownFields: { fields: {} } };
await submit(alice, archive, { minLedgerTimeRel: late });

const PICTURES = [
  {
    name: 'inspector-sees.png',
    at: `#/updates/${accepted}?tab=matrix`,
    colorScheme: 'light',
    shows: 'choice observer',
  },
  { name: 'inspector-time.png', at: '#/time', colorScheme: 'dark', shows: 'To come', width: 1400 },
];

const executablePath =
  process.env.CANTICLE_BROWSER ??
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'chromium'))
    .find(existsSync);
const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'];
const browser = await chromium.launch({ executablePath, args });
for (const { name, at, colorScheme, shows, width = 1120 } of PICTURES) {
  const page = await browser.newPage({ viewport: { width, height: 560 }, colorScheme });
  await page.goto(`${canticle.url}/canticle/${at}`);
  await page.getByText(shows).first().waitFor();
  await page.locator('.clock .dot:not(.lost)').waitFor();
  const path = join(root, 'docs', 'pictures', name);
  await page.screenshot({ path });
  const { size } = statSync(path);
  console.log(`pictures: ${name}, ${size} bytes`);
  if (size > LARGEST) throw new Error(`${name} has more than ${LARGEST} bytes.`);
  await page.close();
}
await browser.close();
await canticle.close();
