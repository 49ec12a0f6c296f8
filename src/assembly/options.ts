/**
 * Looks at the options of a Canticle before anything is made of them. Types say the same; tests in JavaScript, and those that are
 * not type-checked, learn it here.
 */
import { nearest } from '../daml/errors/edit-distance.js';
import type { ParticipantOptions } from '../network/participant.js';
import { PROTOCOL_VERSIONS } from '../network/protocol.js';
import type { SynchronizerOptions } from '../network/synchronizer.js';
import { API_VERSIONS } from '../spec/versions.js';
import type { CanticleOptions, StartOptions } from './start.js';

type Kind =
  'text' | 'number' | 'duration' | 'list' | 'yes or no' | 'function' | 'any' | readonly unknown[];

const WORDS: { readonly [K in Kind & string]?: string } = {
  'yes or no': 'true or false',
  number: 'a whole number',
  duration: 'a duration, such as PT1M',
};

/** By name, what it has to be: a kind, or one of some values. */
type Kinds<T> = { readonly [K in keyof Required<T>]: Kind };

const CREATE: Kinds<CanticleOptions> = {
  seed: 'number',
  time: 'text',
  clock: ['virtual', 'wall'],
  dars: 'list',
  cache: 'any',
  amulet: 'any',
  packages: 'list',
  synchronizers: 'list',
  participants: 'list',
  additionalAdminUser: 'any',
  registryPrefixes: 'list',
  scenario: 'text',
  pathPrefix: 'text',
  apiVersion: API_VERSIONS,
  protocolVersion: PROTOCOL_VERSIONS,
  realClock: 'function',
  coverage: 'yes or no',
  enableVerboseHashing: 'yes or no',
  scan: 'any',
  checkpoints: 'any',
  requestTimeout: 'number',
  auth: 'any',
  issuer: 'any',
};
const START: Kinds<StartOptions> = {
  ...CREATE,
  host: 'text',
  port: 'number',
  ports: 'any',
  idleTimeout: 'number',
};
const PARTICIPANT: Kinds<ParticipantOptions> = { name: 'text', synchronizers: 'list' };
const SYNCHRONIZER: Kinds<SynchronizerOptions> = {
  alias: 'text',
  identifier: 'text',
  assignmentExclusivityTimeout: 'duration',
};

/** @throws TypeError for an option that there is not, or a value that cannot be meant */
export function checkStartOptions(options: StartOptions): void {
  checkMembers(options, START, 'option');
}

/** @throws TypeError for an option that there is not, or a value that cannot be meant */
export function checkCreateOptions(options: CanticleOptions): void {
  for (const name of ['host', 'port', 'ports', 'idleTimeout'])
    if (name in options)
      throw new TypeError(
        `Failed to create a Canticle: it opens no port, so that ${name} means nothing. startCanticle opens one.`,
      );
  checkMembers(options, CREATE, 'option');
}

/** Names alone stand for participants that have only a name. */
export function participantsOf(
  given: CanticleOptions['participants'],
): readonly ParticipantOptions[] | undefined {
  const all = given?.map((each) => (typeof each === 'string' ? { name: each } : each));
  all?.forEach((each) => checkMembers(each, PARTICIPANT, 'option of a participant', 'name'));
  requireDifferent(
    'participants',
    all?.map(({ name }) => name),
  );
  return all;
}

/** Names alone stand for synchronizers that have only an alias. */
export function synchronizersOf(
  given: CanticleOptions['synchronizers'],
): readonly SynchronizerOptions[] | undefined {
  const all = given?.map((each) => (typeof each === 'string' ? { alias: each } : each));
  all?.forEach((each) => checkMembers(each, SYNCHRONIZER, 'option of a synchronizer', 'alias'));
  requireDifferent(
    'synchronizers',
    all?.map(({ alias }) => alias),
  );
  return all;
}

/** @param required a member that has to be there */
function checkMembers<T>(given: T, kinds: Kinds<T>, what: string, required?: keyof T): void {
  const known = Object.keys(kinds);
  for (const [name, value] of Object.entries(given as object)) {
    if (!known.includes(name)) {
      const meant = nearest(name, known);
      const help =
        meant === undefined ? `There are: ${known.join(', ')}.` : `Did you mean ${meant}?`;
      throw new TypeError(`Failed to create a Canticle: there is no ${what} ${name}. ${help}`);
    }
    const kind = kinds[name as keyof T];
    if (value !== undefined && !isOf(kind, value))
      throw new TypeError(
        `Failed to create a Canticle: ${name} cannot be ${shown(value)}. It is ${wordsFor(kind)}.`,
      );
  }
  if (required !== undefined && (given as T)[required] === undefined)
    throw new TypeError(
      `Failed to create a Canticle: an ${what}, ${String(required)}, is missing.`,
    );
}

function isOf(kind: Kind, value: unknown): boolean {
  switch (kind) {
    case 'any':
      return true;
    case 'text':
      return typeof value === 'string';
    case 'number':
      return Number.isSafeInteger(value);
    case 'duration':
      return typeof value === 'bigint' || typeof value === 'string' || isObject(value);
    case 'yes or no':
      return typeof value === 'boolean';
    case 'function':
      return typeof value === 'function';
    case 'list':
      return Array.isArray(value);
    default:
      return kind.includes(value);
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function wordsFor(kind: Kind): string {
  if (typeof kind !== 'string') return `one of ${kind.map((each) => shown(each)).join(', ')}`;
  return WORDS[kind] ?? `a ${kind}`;
}

function shown(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : (JSON.stringify(value) ?? String(value));
}

function requireDifferent(what: string, names: readonly string[] = []): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new TypeError(`Failed to create a Canticle: two ${what} are called ${twice}.`);
}
