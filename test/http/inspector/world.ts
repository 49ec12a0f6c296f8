/**
 * The data for the inspector's tests: real Amulet transactions at two participants, an immediate refusal and one after sequencing, a
 * reassignment, and texts that no page may run.
 */
import { createCanticle, d, definePackage, defineTemplate, type Canticle } from 'canticle';

const IOU = '#canticle-quickstart:Quickstart.Iou:Iou';

/** It would run as markup, and turns around what follows it. */
export const HOSTILE =
  '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>\u202e"\'&';

/** A package in two versions, of which the second says more. */
export const upgraded = (['1.0.0', '1.1.0'] as const).map((version) =>
  definePackage({
    name: 'upgraded',
    version,
    templates: [
      defineTemplate({
        name: 'Main:Note',
        fields: { owner: d.party, ...(version === '1.1.0' && { memo: d.optional(d.text) }) },
        signatories: ({ owner }) => [owner],
      }),
    ],
  }),
);

export interface InspectedWorld {
  readonly canticle: Canticle;
  readonly alice: string;
  readonly bob: string;
  /** Is a stakeholder of nothing. */
  readonly mallory: string;
  /** Of a transfer of amulet that its receiver accepted. */
  readonly transfer: string;
  /** Was moved to the other synchronizer. */
  readonly moved: string;
  /** Has hostile texts in its payload. */
  readonly hostile: string;
}

export async function inspectedWorld(dar: Uint8Array): Promise<InspectedWorld> {
  const canticle = createCanticle({
    seed: 1,
    participants: [{ name: 'one' }, { name: 'two' }],
    synchronizers: [{ alias: 'global' }, { alias: 'app' }],
    amulet: { dar },
    packages: upgraded,
  });
  await canticle.listen();
  const { amulet, participants } = canticle;
  const [one, two] = participants;
  const [alice, bob] = [one!.allocateParty('alice'), two!.allocateParty('bob')];
  const mallory = one!.allocateParty('mallory');
  amulet.tap(alice, '100.0');
  const offer = amulet.transfer({ from: alice, to: bob, amount: '42.0', reason: HOSTILE });
  amulet.accept(offer.instruction, bob);
  const { updates } = canticle.network;
  const transfer = updates.at(updates.length - 1)!.updateId;
  amulet.transfer({ from: alice, to: bob, amount: '7.5' });
  const iou = (currency: string) =>
    one!.create(
      IOU,
      { issuer: alice, owner: alice, currency, amount: '1.0', observers: [bob] },
      { actAs: [alice], synchronizer: 'global' },
    );
  const moved = iou('EUR');
  one!.assign(one!.unassign(moved, { to: 'app' }));
  const hostile = iou(HOSTILE + 'x'.repeat(5_000));
  const transferTo = { choice: 'Iou_Transfer', choiceArgument: { newOwner: alice } };
  await refuse(canticle, mallory, { contractId: moved, ...transferTo });
  const archive = { choice: 'Archive', choiceArgument: {} };
  await refuse(canticle, alice, { contractId: hostile, ...archive }, ALL_TOO_LATE);
  return { canticle, alice, bob, mallory, transfer, moved, hostile };
}

/** A day ahead of the ledger's time. */
const ALL_TOO_LATE = {
  minLedgerTimeRel: { seconds: 86_400, nanos: 0, unknownFields: { fields: {} } },
};

/** Over the API, so that the journal has it. */
async function refuse({ url }: Canticle, party: string, exercise: object, more: object = {}) {
  const answer = await fetch(`${url}/v2/commands/submit-and-wait`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      commandId: 'to-be-refused',
      userId: 'participant_admin',
      actAs: [party],
      commands: [{ ExerciseCommand: { templateId: IOU, ...exercise } }],
      ...more,
    }),
  });
  if (answer.ok) throw new Error('It was to be refused.');
}
