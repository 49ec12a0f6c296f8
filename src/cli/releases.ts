/** `canticle releases`: the parts of each release that are complete, and those that are not. */
import {
  completenessOf,
  type Completeness,
  type ReleaseFact,
} from '../spec/releases/completeness.js';
import {
  API_VERSIONS,
  DEFAULT_API_VERSION,
  SPLICE_RELEASES,
  type ApiVersion,
} from '../spec/versions.js';
import { CommandFailed, type Terminal } from './terminal.js';

export interface ReleasesFlags {
  readonly json?: boolean;
}

const STATES = { holds: 'shown by a test', note: 'explained', open: 'open' } as const;

const count = (facts: readonly ReleaseFact[], state: ReleaseFact['state']): number =>
  facts.filter((fact) => fact.state === state).length;

function summary({ release, version, operations, facts }: Completeness): string {
  const { served, documented } = operations;
  const states = (['holds', 'note', 'open'] as const).map(
    (state) => `${count(facts, state)} ${STATES[state]}`,
  );
  const mark = release === DEFAULT_API_VERSION ? ', the default' : '';
  return [
    `Canton ${release} (answers as ${version}${mark})`,
    `  operations: ${served} of ${documented}`,
    `  differences from its neighbours: ${states.join(', ')}`,
  ].join('\n');
}

function details({ document, operations, facts, undecided }: Completeness): readonly string[] {
  return [
    `  document: ${document}`,
    ...operations.missing.map(({ operation, reason }) => `  not served: ${operation}. ${reason}`),
    ...undecided.map((each) => `  undecided: ${each}`),
    ...facts
      .filter(({ state }) => state !== 'holds')
      .map(
        ({ id, state, text, note }) =>
          `  ${STATES[state]}: ${[id, text, note].filter(Boolean).join(' ')}`,
      ),
  ];
}

/** @param name of one release, as for `--canton`; all releases without it */
export function showReleases(
  name: string | undefined,
  { json = false }: ReleasesFlags,
  terminal: Terminal,
): void {
  const known = API_VERSIONS as readonly string[];
  if (name !== undefined && !known.includes(name))
    throw new CommandFailed(`No release is named ${name}. The releases are ${known.join(', ')}.`);
  const chosen = name === undefined ? API_VERSIONS : [name as ApiVersion];
  const all = chosen.map(completenessOf);
  if (json) {
    terminal.stdout.write(`${JSON.stringify(name === undefined ? all : all[0], null, 2)}\n`);
    return;
  }
  const blocks = all.map((each) =>
    [summary(each), ...(name === undefined ? [] : details(each))].join('\n'),
  );
  const splice = Object.entries(SPLICE_RELEASES).map(
    ([release, { version, canton }]) =>
      `Splice ${release} (answers as ${version}, runs on Canton ${canton})`,
  );
  const more = name === undefined ? [...splice, 'Details: canticle releases NAME'] : [];
  terminal.stdout.write(`${[...blocks, ...more].join('\n')}\n`);
}
