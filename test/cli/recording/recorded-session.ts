/** A session of a client with the world of scenarios/welcome.yaml, recorded by `canticle record` as its users would. */
import { resolve } from 'node:path';
import { startCanticle, type Canticle, type StartOptions } from '../../../src/index.js';
import { StreamClient } from '../../support/stream-client.js';
import { CommandHere } from '../in-process.js';

export const SCENARIO = resolve('scenarios', 'welcome.yaml');
const IOU = '#canticle-quickstart:Quickstart.Iou:Iou';

/** As a client draws them. */
export const DRAWN = '6f1ed002-ab5c-4f4e-9b2a-1f1ed002ab5c';

/** Asks the Ledger API, Scan, the registry and the validator for this and that, and changes something in between. */
async function session([ledger, scan, registry, validator]: readonly string[]): Promise<void> {
  const request = async (url: string, body?: unknown) => {
    const headers = { 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) };
    const text = await (await fetch(url, sent)).text();
    return text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text;
  };
  const { partyDetails } = await request(`${ledger}/v2/parties`);
  const party = (hint: string) =>
    partyDetails.find((each: any) => each.party.startsWith(`${hint}::`)).party;
  const [bank, alice] = [party('bank'), party('alice')];
  const { connectedSynchronizers } = await request(`${ledger}/v2/state/connected-synchronizers`);
  const { synchronizerId } = connectedSynchronizers[0];
  const allocation = { partyIdHint: 'dora', synchronizerId };
  const { party: dora } = (await request(`${ledger}/v2/parties`, allocation)).partyDetails;
  const metadata = { annotations: { ticket: DRAWN } };
  const user = { id: 'dora', primaryParty: dora, metadata };
  await request(`${ledger}/v2/users`, { user, rights: [] });
  const { offset } = await request(`${ledger}/v2/state/ledger-end`);
  const submit = (commandId: string, command: unknown) =>
    request(`${ledger}/v2/commands/submit-and-wait-for-transaction`, {
      commands: {
        commandId,
        userId: 'dora',
        actAs: [bank, alice],
        synchronizerId,
        commands: [command],
      },
    });
  const createArguments = {
    issuer: bank,
    owner: alice,
    currency: 'EUR',
    amount: '7.0',
    observers: [dora],
  };
  const create = { CreateCommand: { templateId: IOU, createArguments } };
  const { transaction } = await submit('c-1', create);
  const [{ CreatedEvent }] = transaction.events;
  await submit('c-1', create);
  const { contractId } = CreatedEvent;
  const argument = { newOwner: dora };
  const exercise = { templateId: IOU, contractId, choice: 'Archive', choiceArgument: {} };
  await submit('c-2', { ExerciseCommand: { ...exercise, choiceArgument: argument } });
  await submit('c-3', { ExerciseCommand: exercise });
  await submit('c-4', { ExerciseCommand: exercise });
  const wildcard = {
    identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: true } } },
  };
  const eventFormat = {
    filtersByParty: { [alice]: { cumulative: [wildcard] } },
    verbose: true,
  };
  const end = await request(`${ledger}/v2/state/ledger-end`);
  await request(`${ledger}/v2/state/active-contracts`, { activeAtOffset: end.offset, eventFormat });
  await request(`${ledger}/v2/state/active-contracts`, { activeAtOffset: 99_999, eventFormat });
  const updates = {
    beginExclusive: offset,
    endInclusive: end.offset,
    updateFormat: {
      includeTransactions: { eventFormat, transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS' },
    },
  };
  const stream = new StreamClient(`${ledger}/v2/updates`);
  await stream.send(updates);
  await stream.all();
  await request(`${ledger}/v2/users/${encodeURIComponent('dora')}/rights`);
  await request(`${ledger}/v2/parties/${encodeURIComponent(dora)}`);
  await request(`${scan}/v0/dso-party-id`);
  await request(`${scan}/v0/state/acs`, {
    migration_id: 0,
    record_time: '2026-01-01T00:00:00Z',
    page_size: 5,
  });
  await fetch(`${ledger}/v2/version`, { method: 'OPTIONS' });
  await fetch(`${ledger}/favicon.ico`);
  await request(`${registry}/registry/metadata/v1/info`);
  const { instruments } = await request(`${registry}/registry/metadata/v1/instruments`);
  for (const id of [instruments[0].id, 'None'])
    await request(`${registry}/registry/metadata/v1/instruments/${id}`);
  await request(`${validator}/v0/scan-proxy/dso-party-id`);
  await request(`${validator}/v0/scan-proxy/open-and-issuing-mining-rounds`);
}

/** The world of a LocalNet as it starts on the model alone, whose SV has a wallet. */
export const LOCALNET = resolve('fixtures', 'saved', 'localnet.world');

/** Taps, offers what was tapped, and takes the offer back; looks at names and at the SV's votes. */
async function walletSession([ledger, validator, sv]: readonly string[]): Promise<void> {
  const request = async (url: string, method = 'GET', body?: unknown) => {
    const headers = { 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) };
    const text = await (await fetch(url, { method, ...sent })).text();
    return text === '' ? undefined : JSON.parse(text);
  };
  const { partyDetails } = await request(`${ledger}/v2/parties`);
  const { party: receiver } = partyDetails.find((each: any) => each.party.startsWith('app_user'));
  const wallet = `${validator}/v0/wallet`;
  await request(`${wallet}/user-status`);
  await request(`${wallet}/tap`, 'POST', { amount: '10.0', command_id: 'breakfast' });
  await request(`${wallet}/amulets`);
  const offer = {
    receiver_party_id: receiver,
    amount: '2.5',
    description: 'rent',
    expires_at: Date.UTC(2026, 0, 2) * 1_000,
    tracking_id: 'rent',
  };
  await request(`${wallet}/transfer-offers`, 'POST', offer);
  await request(`${wallet}/transfer-offers`, 'POST', offer);
  const { offers } = await request(`${wallet}/transfer-offers`);
  await request(`${wallet}/transfer-offers/${offers[0].contract_id}/withdraw`, 'POST');
  await request(`${wallet}/transfer-offers/rent/status`, 'POST');
  await request(`${wallet}/balance`);
  await request(`${validator}/v0/entry/all`);
  await request(`${sv}/v0/admin/sv/voterequests`);
  await request(`${sv}/v0/dso`);
}

/** @param file gets the recording */
export async function recordSession(file: string, options: StartOptions = {}): Promise<void> {
  const canticle = await startCanticle({ scenario: SCENARIO, ...options });
  const { ledgerApi, scan, registry, validator } = canticle.urls;
  const systems = { 'ledger-api': ledgerApi, scan, registry, validator };
  await recordedOn(canticle, systems, file, session);
}

/** The wallet's, of the SV of a LocalNet. @param file gets the recording */
export async function recordWallet(file: string): Promise<void> {
  const canticle = await startCanticle({ load: LOCALNET });
  const { ledgerApi, validator } = canticle.urls;
  const systems = { 'ledger-api': ledgerApi, validator, sv: `${ledgerApi}/api/sv` };
  await recordedOn(canticle, systems, file, walletSession);
}

async function recordedOn(
  canticle: Canticle,
  systems: Readonly<Record<string, string>>,
  file: string,
  sendRequests: (urls: readonly string[]) => Promise<void>,
): Promise<void> {
  const flags = Object.entries(systems).flatMap(([name, url]) => [`--${name}`, url]);
  const command = new CommandHere('record', ...flags, '--out', file);
  await command.until('Canticle records.');
  await sendRequests([...command.stdout.matchAll(/ (http:\S+)  to/g)].map(([, url]) => url!));
  command.stop();
  await command.ended();
  await canticle.close();
}
