/** The current state of the ledger, from the model and from the API, in one form for comparison. */
import { eventFormat, wildcard, type JsonAnswer } from '../support/ledger-api.js';
import { stakeholders, type Contract } from './model/contract.js';
import type { ModelLedger } from './model/ledger.js';
import type { Token } from './model/token.js';
import { EVERYONE, homeOf, type Host } from './model/world.js';
import { timeText, USER, type RealLedger } from './real-ledger.js';

/** By the model's number: what it is, where it is, how often it moved, and which parties of the participant see it. */
export type Picture = Readonly<Record<string, string>>;

export function predictedPicture(ledger: ModelLedger, host: Host): Picture {
  return Object.fromEntries(
    ledger.contracts.flatMap((contract) => {
      const seenBy = stakeholders(contract).filter((party) => homeOf(party) === host);
      if (contract.place === 'archived' || seenBy.length === 0) return [];
      const place =
        typeof contract.place === 'string'
          ? contract.place
          : `${contract.place.from}→${contract.place.to}`;
      return [[contract.name, line(predictedData(contract), place, contract.counter, seenBy)]];
    }),
  );
}

export async function realPicture(real: RealLedger, host: Host): Promise<Picture> {
  const parties = EVERYONE.filter((party) => homeOf(party) === host);
  const entries: JsonAnswer[] = await real.on(host, '/v2/state/active-contracts', {
    eventFormat: eventFormat(parties.map(real.party), wildcard()),
    activeAtOffset: real.host(host).ledgerEnd,
  });
  return Object.fromEntries(
    entries.flatMap(({ contractEntry }: JsonAnswer) => {
      const { createdEvent, ...where } = Object.values<JsonAnswer>(contractEntry)[0];
      const data = realData(real, createdEvent);
      if (data === undefined) return [];
      const moving = where.unassignedEvent;
      const place = moving
        ? `${real.aliasOf(moving.source)}→${real.aliasOf(moving.target)}`
        : real.aliasOf(where.synchronizerId);
      const seenBy = createdEvent.witnessParties.map(real.nameOf);
      const counter = (moving ?? where).reassignmentCounter;
      const name = real.contracts.lastIndexOf(createdEvent.contractId);
      return [[name, line(data, place, counter, seenBy)]];
    }),
  );
}

/** Of the participant's completions: where, of which command, for whom, and what became of it. */
export function predictedCompletions(ledger: ModelLedger, host: Host): readonly string[] {
  return ledger.completions
    .filter(({ at }) => at === host)
    .map(({ offset, commandId, actAs, code }) => {
      const outcome = code === 'accepted' || code === 'moved' ? 'OK' : code;
      const isMove = code === 'moved' || code === 'REASSIGNMENT_VALIDATION_FAILED';
      return completion(offset, commandId, actAs, outcome, isMove);
    });
}

/** @param before ledger end of the participant before the first command */
export async function realCompletions(real: RealLedger, host: Host, before: number) {
  const entries: JsonAnswer[] = await real.on(
    host,
    '/v2/commands/completions?limit=200&stream_idle_timeout_ms=1',
    {
      userId: USER,
      parties: EVERYONE.filter((party) => homeOf(party) === host).map(real.party),
      beginExclusive: before,
    },
  );
  return entries.flatMap(({ completionResponse: { Completion } }) => {
    if (Completion === undefined) return [];
    const { offset, commandId, actAs, status, deduplicationPeriod } = Completion.value;
    const outcome = status.code === 0 ? 'OK' : status.message.split('(')[0];
    const isMove = 'Empty' in deduplicationPeriod;
    return [completion(offset - before, commandId, actAs.map(real.nameOf), outcome, isMove)];
  });
}

function completion(
  offset: number,
  commandId: string,
  actAs: readonly string[],
  outcome: string,
  isMove: boolean,
): string {
  const who = [...actAs].sort().join(', ');
  return `${offset}: ${commandId} for ${who} → ${outcome}${isMove ? ', without a deduplication period' : ''}`;
}

const line = (data: object, place: string, counter: number, seenBy: readonly string[]): string =>
  `${JSON.stringify(data)} on ${place}, moved ${counter} times, seen by ${[...seenBy].sort().join(', ')}`;

function predictedData({ template, data }: Contract): object {
  switch (template) {
    case 'Iou':
      return {
        issuer: data.issuer,
        owner: data.owner,
        observers: data.observers,
        amount: data.amount,
      };
    case 'Token': {
      const { owner, amount, lockedUntil } = data as unknown as Token;
      return { owner, amount, lockedUntil: lockedUntil === null ? null : timeText(lockedUntil) };
    }
    case 'TransferOffer':
      return {
        sender: data.sender,
        receiver: data.receiver,
        amount: data.amount,
        lockedToken: data.lockedToken,
      };
    default:
      return {};
  }
}

/** Undefined for templates that the model does not know. */
function realData(
  real: RealLedger,
  { templateId, createArgument }: JsonAnswer,
): object | undefined {
  const { nameOf } = real;
  switch (templateId.split(':')[2]) {
    case 'Iou': {
      const { issuer, owner, observers, amount } = createArgument;
      return {
        issuer: nameOf(issuer),
        owner: nameOf(owner),
        observers: observers.map(nameOf),
        amount: amount * 4,
      };
    }
    case 'Token': {
      const { owner, amount, lock } = createArgument;
      return {
        owner: nameOf(owner),
        amount: amount * 4,
        lockedUntil: lock && timeText(microsOf(lock.expiresAt)),
      };
    }
    case 'TransferOffer': {
      const { sender, receiver, amount } = createArgument.transfer;
      const lockedToken = real.contracts.lastIndexOf(createArgument.lockedToken);
      return {
        sender: nameOf(sender.owner),
        receiver: nameOf(receiver.owner),
        amount: amount * 4,
        lockedToken,
      };
    }
    case 'TokenRules':
      return {};
    default:
      return undefined;
  }
}

/** Of RFC 3339 with any number of decimals. */
export function microsOf(text: string): bigint {
  const [, whole, decimals = ''] = /^(.*?)(?:\.(\d+))?Z$/.exec(text)!;
  return BigInt(Date.parse(`${whole}Z`)) * 1000n + BigInt(decimals.padEnd(6, '0'));
}
