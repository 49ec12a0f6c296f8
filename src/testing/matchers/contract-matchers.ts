/** Matchers on a contract: by its id, or anything with a `contractId` such as a created event. */
import { noSynchronizer } from '../../network/synchronizer.js';
import { contractReport, counterOf, payloadOf, stateText } from './contract-report.js';
import { findContract, knownInstances, type LocatedContract } from './instances.js';
import { isObject, isSubset, shown, verdict, type MatcherState, type Verdict } from './matcher.js';
import { shortened, shortJson } from './shortened.js';

type Check = (located: LocatedContract) => { readonly pass: boolean; readonly text: string };

function contractIdOf(subject: unknown): string | undefined {
  if (typeof subject === 'string') return subject;
  return isObject(subject) && typeof subject.contractId === 'string'
    ? subject.contractId
    : undefined;
}

/** The contract that the matcher received, or the reason why it was not found. */
export function locate(subject: unknown): LocatedContract | string {
  const contractId = contractIdOf(subject);
  if (contractId === undefined)
    return `Not a contract: ${shown(subject)}. Give its id, or an object with a contractId.`;
  const located = findContract(contractId);
  if (located !== undefined) return located;
  if (!/^00[0-9a-f]{2,}$/.test(contractId)) return `Not a contract id: ${shown(contractId)}.`;
  const instances = knownInstances().length;
  return [
    `No ledger has the contract ${contractId}${instances > 1 ? `; ${instances} instances were asked` : ''}.`,
    'A revert forgets the contracts that were created since its snapshot.',
  ].join('\n');
}

function onContract(state: MatcherState, subject: unknown, text: string, check: Check): Verdict {
  const call = { subject: 'contract', text };
  const located = locate(subject);
  // An unknown contract fails with and without `not`: "not active" means that the contract exists.
  if (typeof located === 'string')
    return verdict(state, call, state.isNot === true, () => [located]);
  const { pass, text: line } = check(located);
  return verdict(state, call, pass, () => [line, '', contractReport(located)]);
}

function stateOf({ canticle, stored }: LocatedContract) {
  return canticle.network.contracts.state(stored.instance.contractId)!;
}

function inState(kind: 'active' | 'inFlight' | 'archived', name: string, words: string) {
  return function (this: MatcherState, subject: unknown): Verdict {
    return onContract(this, subject, `${name}()`, (located) => {
      const pass = stateOf(located).kind === kind;
      return {
        pass,
        text: pass
          ? `The contract is ${words}.`
          : `The contract is not ${words}: it is ${stateText(located)}.`,
      };
    });
  };
}

export const toBeActive = inState('active', 'toBeActive', 'active');
export const toBeInFlight = inState('inFlight', 'toBeInFlight', 'in flight');
export const toBeArchived = inState('archived', 'toBeArchived', 'archived');

export function toBeOn(this: MatcherState, subject: unknown, synchronizer: string): Verdict {
  return onContract(this, subject, `toBeOn(${shown(synchronizer)})`, (located) => {
    const { network } = located.canticle;
    const wanted = network.synchronizer(synchronizer);
    if (wanted === undefined)
      return {
        pass: this.isNot === true,
        text: noSynchronizer(synchronizer, network.synchronizers),
      };
    const state = stateOf(located);
    const pass = state.kind === 'active' && state.synchronizerId === wanted.id;
    return {
      pass,
      text: `The contract is ${pass ? '' : `not active on ${wanted.alias}: it is `}${stateText(located)}.`,
    };
  });
}

export function toHaveReassignmentCounter(
  this: MatcherState,
  subject: unknown,
  counter: number,
): Verdict {
  return onContract(this, subject, `toHaveReassignmentCounter(${counter})`, (located) => {
    const actual = counterOf(located);
    return { pass: actual === counter, text: `The contract's reassignment counter is ${actual}.` };
  });
}

export function toHavePayload(this: MatcherState, subject: unknown, expected: object): Verdict {
  return onContract(
    this,
    subject,
    `toHavePayload(${shortened(shown(expected))})`,
    ({ canticle, stored }) => {
      const payload = payloadOf(canticle, stored.instance);
      const pass = isSubset(this, payload, expected);
      const text = pass
        ? 'The payload has all of it.'
        : differences(this, payload, expected).join('\n');
      return { pass, text };
    },
  );
}

function differences(state: MatcherState, payload: unknown, expected: object): string[] {
  const actual = isObject(payload) ? payload : {};
  return Object.entries(expected)
    .filter(
      ([name, value]) => !Object.hasOwn(actual, name) || !isSubset(state, actual[name], value),
    )
    .map(([name, value]) => {
      if (!Object.hasOwn(actual, name))
        return `The payload has no ${name}. It has: ${Object.keys(actual).join(', ')}.`;
      return `Its ${name} is ${shortJson(actual[name])}, expected ${shortened(shown(value))}.`;
    });
}
