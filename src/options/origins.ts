/** The options of origins of a world: a live participant or a Scan, or a file. */
import { isJsonObject } from '../daml/model/own-members.js';
import * as a from './kinds.js';
import { option, type Rows, type Kind } from './row.js';

export const FORK = {
  url: option(a.text, {
    doc: 'start from the parties, users, packages and contracts of a live participant, read from its JSON Ledger API; nothing is submitted to it',
    flag: { name: '--fork <url>', of: ['sandbox', 'simulate'] },
  }),
  scan: option(a.text, {
    doc: "start from the DSO's contracts that a Scan shows; with --fork, in addition to those of the participant",
    flag: { name: '--fork-scan <url>', of: ['sandbox', 'simulate'] },
  }),
  token: option(a.text, {
    doc: 'with --fork: a token that may read',
    flag: { name: '--token <jwt>', of: ['sandbox', 'simulate'] },
    variable: 'CANTICLE_FORK_TOKEN',
  }),
  parties: option(a.listOf(a.text, { least: 1 }), {
    doc: 'with --fork: read the contracts of this party, not of all; with --load of active contracts: host this party too',
    flag: { name: '--party <id>', of: ['sandbox', 'simulate'] },
  }),
  at: option(a.whole(0), {
    doc: 'with --fork: the offset to read at; the ledger end by default',
    flag: { name: '--at <offset>', of: ['sandbox', 'simulate'] },
  }),
  impersonate: option(a.yesOrNo, {
    doc: 'with --fork: let callers act as parties hosted elsewhere, which is the default',
    flag: {
      name: '--impersonate',
      no: 'with --fork: do not act as parties hosted elsewhere',
      of: ['sandbox', 'simulate'],
    },
  }),
  cache: option(a.folderOrOff, {
    doc: 'with --fork: keep what was read in this folder, off for none',
    default: '~/.canticle/forks',
    flag: { name: '--fork-cache <folder>', of: ['sandbox', 'simulate'] },
    variable: 'CANTICLE_FORKS',
  }),
  refresh: option(a.yesOrNo, {
    doc: 'with --fork: read everything again, and ignore the folder',
    flag: { name: '--refresh', of: ['sandbox', 'simulate'] },
  }),
  maxContracts: a.whole(1),
  timeout: a.whole(1),
  signal: a.is<AbortSignal>('an AbortSignal', (value) => isJsonObject(value) && 'aborted' in value),
  onProgress: a.aFunction,
} as const satisfies Rows;

const forkMembers = a.members('option of fork', FORK);
export const fork: Kind<never> = {
  ...forkMembers,
  check(value, name) {
    forkMembers.check(value, name);
    const { url, scan } = value as Record<string, unknown>;
    if (url === undefined && scan === undefined) a.text.check(url, `${name}.url without scan`);
  },
};

const savedFile = a.is<string | Uint8Array>(
  'the path of a world that was saved, or its bytes',
  a.isPathOrBytes,
);

export const LOAD = {
  file: savedFile,
  parties: a.listOf(a.text, { least: 1 }),
} as const satisfies Rows;

export const load = a.either(a.isPathOrBytes, savedFile, a.members('option of load', LOAD, 'file'));
