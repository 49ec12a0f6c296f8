/**
 * Checks the options of a Canticle before it starts: this finds mistakes in JavaScript, and in TypeScript without a type check.
 * NOTE: the texts are from Canticle, because only Canticle has these options.
 */
import { withCallerStack } from '../daml/errors/own-frames.js';
import { isJsonObject } from '../daml/model/own-members.js';
import type { SynchronizerOptions } from '../network/synchronizer.js';
import type { NodeOptions } from '../spec/releases/node-options.js';
import { CANTICLE, LISTENING, STARTED } from '../options/canticle.js';
import { anything, members, requireDifferent } from '../options/kinds.js';
import { rowOf, type Origin, type Rows } from '../options/row.js';
import type { CanticleOptions, StartOptions } from './canticle-options.js';

const refused = (why: string): TypeError =>
  withCallerStack(new TypeError(`Failed to create a Canticle: ${why}`));

const WHO: Readonly<Record<Origin, string>> = {
  world: 'the saved world',
  localnet: 'the saved world',
  contracts: 'the file of active contracts',
  participant: 'the live participant',
  scan: 'the Scan',
};

/** @throws TypeError for an option that the origin of the world sets */
export function refuseBeside(origin: Origin, options: object, rows: Rows = CANTICLE): void {
  const isSaid = ([name, value]: [string, unknown]) =>
    value !== undefined && rowOf(rows[name] ?? anything).saidBy?.includes(origin);
  const [given] = Object.entries(options).find(isSaid) ?? [];
  if (given === undefined) return;
  const beside = origin === 'participant' || origin === 'scan' ? 'fork' : 'load';
  throw refused(`${given} cannot be used with ${beside}: ${WHO[origin]} sets it.`);
}

const check = (rows: Rows, options: object): void =>
  members('option', rows).check(options, 'the options');

/** @throws TypeError for an unknown option, or an invalid value */
export function checkStartOptions(options: StartOptions): void {
  check(STARTED, options);
  const { fork } = options;
  if (fork !== undefined) refuseBeside(fork.url === undefined ? 'scan' : 'participant', options);
}

/** @throws TypeError for an unknown option, or an invalid value */
export function checkCreateOptions(options: CanticleOptions): void {
  for (const name of Object.keys(LISTENING))
    if (isJsonObject(options) && name in options)
      throw refused(`createCanticle opens no port and cannot use ${name}. Use startCanticle.`);
  check(CANTICLE, options);
  if (options.fork !== undefined)
    throw refused(
      'createCanticle cannot fork, because reading takes time. Use startCanticle; or save its world to a file, and pass that to useCanticle as load.',
    );
}

/** A plain name means an object with only that name. @throws TypeError for duplicate names */
function listed<T extends object, K extends keyof T & string>(
  what: string,
  key: K,
  given: readonly (string | T)[] | undefined,
): readonly T[] | undefined {
  const all = given?.map((each) => (typeof each === 'string' ? ({ [key]: each } as T) : each));
  requireDifferent(
    what,
    all?.map((each) => String(each[key])),
  );
  return all;
}

export const participantsOf = (given: CanticleOptions['participants']) =>
  listed<NodeOptions, 'name'>('participants', 'name', given);

export const synchronizersOf = (given: CanticleOptions['synchronizers']) =>
  listed<SynchronizerOptions, 'alias'>('synchronizers', 'alias', given);
