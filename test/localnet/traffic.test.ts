/**
 * Metered traffic. Submissions use first the free base traffic, then the traffic that validators bought. Wallets keep the amulets for
 * purchases, and without traffic nothing is sequenced (WA-GEN-007, A-TRF-001, A-TRF-005 to A-TRF-007).
 */
import { createHash } from 'node:crypto';
import { d, definePackage, defineTemplate, type LedgerError } from 'canticle';
import { useLocalnet } from '../../src/testing/jest.js';
import { describeWithDars } from '../support/foreign-files.js';
import { DSO_DARS } from '../support/splice/founded-world.js';

const Note = defineTemplate({
  name: 'Notes:Note',
  fields: { owner: d.party, text: d.text },
  signatories: (note) => [note.owner],
});
const packages = [definePackage({ name: 'notes', version: '1.0.0', templates: [Note] })];

/** Base64 carries six bits a letter. */
function incompressible(bytes: number): string {
  const parts: string[] = [];
  for (let length = 0; length * 6 < bytes * 8; length += 44)
    parts.push(createHash('sha256').update(String(length)).digest('base64'));
  return parts.join('');
}

describeWithDars('a LocalNet with metered traffic', DSO_DARS, () => {
  const localnet = useLocalnet({ seed: 7, packages, traffic: 'metered', clock: 'virtual' });
  const { sv, appUser } = localnet;
  const { splice } = localnet;
  const { network } = splice;
  const synchronizer = network.synchronizers[0]!.id;
  const task = 'TopupMemberTraffic';

  const request = async (url: string, token: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(url, { headers, ...init });
    return { status: answer.status, body: (await answer.json()) as any };
  };
  const status = async (node: typeof appUser) => {
    const member = `PAR::${node.participant.id}`;
    const path = `/v0/domains/${synchronizer}/members/${member}/traffic-status`;
    const { body } = await request(`${localnet.urls.scan}${path}`, '');
    const { actual, target } = body.traffic_status;
    return [actual.total_consumed, actual.total_limit, target.total_purchased] as number[];
  };
  const tap = (node = appUser) =>
    request(`${node.validator}/v0/wallet/tap`, node.token(node.walletUser), { amount: '1' });
  const state = () => network.traffic.state(synchronizer, appUser.participant.id)!;
  /** Sequences slightly more than this number of bytes: text that cannot be compressed. */
  const send = ({ participant, party }: typeof appUser, bytes: number) =>
    participant.create(Note, { owner: party, text: incompressible(bytes) }, { actAs: party });

  it('charges members, first from their free base traffic, and reports it in Scan', async () => {
    expect(await status(appUser)).toEqual([0, 1_200_000, 1_200_000]);
    const before = state().baseRemainder;
    expect((await tap()).status).toBe(200);
    // Its request; confirmations are for nothing (A-TRF-008).
    const paid = before - state().baseRemainder;
    const { participant, party } = appUser;
    const completions = await request(
      `${appUser.ledgerApi}/v2/commands/completions`,
      appUser.token(),
      {
        userId: 'ledger-api-user',
        parties: [party],
        beginExclusive: 0,
      },
    );
    const { value: completed } = completions.body.at(-1).completionResponse.Completion;
    expect(completed.paidTrafficCost).toBe(paid);
    expect(state().lastCost).toBe(paid);
    expect(paid).toBeGreaterThan(5_000);
    expect(paid).toBeLessThan(12_000);
    const create = { templateId: '#notes:Notes:Note', createArguments: { owner: party, text: '' } };
    const prepared = await request(
      `${appUser.ledgerApi}/v2/interactive-submission/prepare`,
      appUser.token(),
      {
        commandId: 'note',
        actAs: [party],
        commands: [{ CreateCommand: create }],
        packageIdSelectionPreference: [],
        verboseHashing: false,
        synchronizerId: synchronizer,
      },
    );
    const cost = prepared.body.costEstimation;
    expect(cost.confirmationResponseTrafficCostEstimation).toBe(0);
    expect(cost.totalTrafficCostEstimation).toBeGreaterThan(1_000);
    // A new party is sent to the synchronizer.
    const rest = state().baseRemainder;
    participant.allocateParty('newcomer');
    expect(rest - state().baseRemainder).toBeGreaterThan(400);
    send(appUser, 500_000);
    const [consumed] = await status(appUser);
    expect(consumed).toBe(state().consumed);
    expect(consumed).toBeGreaterThan(100_000);
    // All of it is back after twenty minutes.
    expect(state().baseRemainder).toBe(0);
    network.clock.advance(3_000_000n);
    expect(state().baseRemainder).toBe(1_000);
    // The same applies to packages, with all vetted ones (A-TRF-008).
    const vetted = network.topology.vetting(participant.id, synchronizer).packages.size;
    const value = { packages: [{ packageName: 'notes' }] };
    const unvetted = await request(
      `${appUser.ledgerApi}/v2/package-vetting/update`,
      appUser.token(),
      {
        changes: [{ operation: { Unvet: { value } } }],
      },
    );
    expect(unvetted.status).toBe(200);
    expect(state().lastCost).toBeGreaterThan(60 * vetted);
  });

  it('has its initial traffic after a revert', async () => {
    expect(await status(appUser)).toEqual([0, 1_200_000, 1_200_000]);
  });

  it('a validator buys more traffic, at most once a minute', async () => {
    send(appUser, 500_000);
    expect((await status(appUser))[1]).toBe(1_200_000);
    localnet.advanceTime({ seconds: 60 });
    expect((await status(appUser)).slice(1)).toEqual([2_400_000, 2_400_000]);
  });

  it('reserves traffic for purchases, and wallets answer with 429', async () => {
    splice.automation.pause(task);
    send(appUser, 1_400_000);
    const left = 1_200_000 - state().consumed;
    const refused = [
      429,
      { error: `Traffic balance below reserved traffic amount (${left} < 200000)` },
    ];
    const tapOutcome = async () => {
      const { status, body } = await tap();
      return [status, body];
    };
    expect(left).toBeGreaterThan(0);
    expect(await tapOutcome()).toEqual(refused);
    const register = `${appUser.validator}/v0/register`;
    expect((await request(register, appUser.token('newcomer'), {})).status).toBe(429);
    expect((await request(register, appUser.token(appUser.walletUser), {})).status).toBe(200);
    // Other validators are not concerned, and it is over with the next purchase.
    expect((await tap(localnet.appProvider)).status).toBe(200);
    localnet.advanceTime({ seconds: 60 });
    expect(await tapOutcome()).toEqual(refused);
    splice.automation.resume(task);
    expect((await tap()).status).toBe(200);
  });

  it("rejects a submission without enough traffic, with the sequencer's error", async () => {
    splice.automation.pause(task);
    let refusal: unknown;
    try {
      send(appUser, 3_000_000);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toMatchObject({ code: 'SEQUENCER_REQUEST_FAILED', grpcCode: 10 });
    const { cause, context } = (refusal as LedgerError).details;
    expect(cause).toBe('Failed to send command');
    expect(context!.sendError).toMatch(
      /SEQUENCER_NOT_ENOUGH_TRAFFIC_CREDIT\(9,0\): .*member = PAR::participant::1220\w{8}\.\.\., trafficCost = 3\d{6}, .*extraTrafficLimit = 1200000, extraTrafficConsumed = 0,/,
    );
    // It costs nothing, and the SV has no end of it.
    expect(state()).toMatchObject({ consumed: 0 });
    send(sv, 3_000_000);
    expect(await status(sv)).toEqual([expect.any(Number), Number.MAX_SAFE_INTEGER, 0]);
  });
});
