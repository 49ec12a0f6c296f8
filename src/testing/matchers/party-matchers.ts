/** Matchers on holdings and visibility, for a party by its id or a participant by its view. */
import type { Canticle } from '../../assembly/canticle.js';
import { Numeric } from '../../daml/model/numeric.js';
import { stakeholdersOf } from '../../daml/model/transaction.js';
import type { Party } from '../../daml/model/values.js';
import { ParticipantView } from '../../wallet/participant-view.js';
import { locate } from './contract-matchers.js';
import { contractReport } from './contract-report.js';
import { holdingsOf, type Held } from '../../wallet/holdings.js';
import { findParty, type LocatedContract } from './instances.js';
import { isObject, shown, verdict, type MatcherState, type Verdict } from './matcher.js';
import { shortened, shortList } from './shortened.js';

/** The id of the instrument; with its admin if two registries use the same id. */
export type Instrument = string | { readonly admin?: Party; readonly id: string };

/** @param amount a decimal, as a string or a number. Locked holdings count. */
export function toHold(
  this: MatcherState,
  subject: unknown,
  amount: string | number,
  instrument?: Instrument,
): Verdict {
  const what = instrument === undefined ? '' : `, ${shortened(shown(instrument))}`;
  const call = { subject: 'party', text: `toHold(${shown(amount)}${what})` };
  const fail = (...lines: string[]): Verdict =>
    verdict(this, call, this.isNot === true, () => lines);
  const canticle = typeof subject === 'string' ? findParty(subject) : undefined;
  if (canticle === undefined) return fail(noParty(subject));
  const all = holdingsOf(canticle.network.participants, subject as Party);
  const counted = all.filter(isOf(instrument));
  const kinds = new Set(counted.map(({ instrument: { admin, id } }) => `${id} of ${admin}`));
  if (kinds.size > 1)
    return fail(
      'The party holds several instruments: say which one is meant.',
      '',
      ...holdingLines(all),
    );
  const total = counted.reduce((sum, held) => sum.add(held.amount), Numeric.of('0', 10));
  return verdict(this, call, total.equals(Numeric.of(String(amount), 10)), () => [
    `${shortened(subject as Party)} holds ${total.toCompact()}${what === '' ? '' : ' of it'}.`,
    '',
    ...holdingLines(all),
  ]);
}

function isOf(instrument: Instrument | undefined): (held: Held) => boolean {
  if (instrument === undefined) return () => true;
  const { admin, id } =
    typeof instrument === 'string' ? { id: instrument, admin: undefined } : instrument;
  return (held) =>
    held.instrument.id === id && (admin === undefined || held.instrument.admin === admin);
}

function holdingLines(all: readonly Held[]): string[] {
  if (all.length === 0) return ['It has no active holding.'];
  const rows = all.map(({ contractId, amount, instrument: { id, admin }, locked }) => {
    return `  ${amount.toCompact()} ${id} of ${shortened(admin)}${locked ? ', locked' : ''} (${shortened(contractId)})`;
  });
  return ['Its holdings:', ...rows];
}

function noParty(subject: unknown): string {
  if (typeof subject !== 'string') return `Not a party: ${shown(subject)}.`;
  return `No participant hosts ${subject}. A revert forgets the parties that were allocated since its snapshot.`;
}

/** Whether the ledger shows the contract's creation to the party, or a later event to it as a stakeholder. */
export function toSee(this: MatcherState, subject: unknown, contract: unknown): Verdict {
  const call = {
    subject: isParticipant(subject) ? 'participant' : 'party',
    text: 'toSee(contract)',
  };
  const fail = (...lines: string[]): Verdict =>
    verdict(this, call, this.isNot === true, () => lines);
  const located = locate(contract);
  if (typeof located === 'string') return fail(located);
  const viewers = viewersOf(located);
  const { network } = located.canticle;
  let pass: boolean;
  let name: string;
  if (isParticipant(subject)) {
    const participant = network.participants.find(({ id }) => id === subject.id);
    if (participant === undefined)
      return fail(`The participant ${subject.name} is not on the ledger of this contract.`);
    pass = viewers.some((party) => participant.hosts(party));
    name = `participant ${subject.name}`;
  } else {
    if (typeof subject !== 'string' || !network.topology.knows(subject))
      return fail(noParty(subject));
    pass = viewers.includes(subject);
    name = shortened(subject);
  }
  return verdict(this, call, pass, () => [
    `${name} ${pass ? 'sees' : 'does not see'} the contract.`,
    '',
    contractReport(located),
    `  seen by     ${shortList(viewers)}`,
    `  on          ${hostsOf(located.canticle, viewers).join(', ')}`,
  ]);
}

export function isParticipant(subject: unknown): subject is ParticipantView {
  return (
    subject instanceof ParticipantView ||
    (isObject(subject) && isObject(subject.engine) && 'name' in subject)
  );
}

/** Stakeholders and witnesses of the creation, sorted. */
function viewersOf({
  stored: { instance, createdIn, createdNode },
}: LocatedContract): readonly Party[] {
  return [...new Set([...stakeholdersOf(instance), ...createdIn.witnesses[createdNode]!])].sort();
}

function hostsOf({ network }: Canticle, parties: readonly Party[]): string[] {
  return network.participants
    .filter((participant) => parties.some((party) => participant.hosts(party)))
    .map(({ name }) => name);
}
