/** `canticle releases`: the parts of each release that are complete, and those that are not. */
import { completenessOf, type Completeness } from '../spec/releases/completeness.js';
import { previewsOfRegistry } from '../spec/releases/previews.js';
import type { ReleaseFact } from '../spec/releases/release-facts.js';
import {
  spliceCompletenessOf,
  spliceReleaseNamed,
  type SpliceCompleteness,
} from '../spec/releases/splice-completeness.js';
import {
  API_VERSIONS,
  DEFAULT_API_VERSION,
  DEFAULT_SPLICE_VERSION,
  SPLICE_VERSIONS,
} from '../spec/versions.js';
import { CommandFailed, type Terminal } from './terminal.js';

export interface ReleasesFlags {
  readonly json?: boolean;
}

const STATES = { holds: 'shown by a test', note: 'explained', open: 'open' } as const;

const count = (facts: readonly ReleaseFact[], state: ReleaseFact['state']): number =>
  facts.filter((fact) => fact.state === state).length;

const markOf = (release: string): string =>
  release === DEFAULT_API_VERSION || release === DEFAULT_SPLICE_VERSION ? ', the default' : '';

function differences(facts: readonly ReleaseFact[]): string {
  const states = (['holds', 'note', 'open'] as const).map(
    (state) => `${count(facts, state)} ${STATES[state]}`,
  );
  return `  differences from its neighbours: ${states.join(', ')}`;
}

/** The incomplete parts of a release. */
type Incomplete = Pick<SpliceCompleteness, 'missing' | 'undecided' | 'facts'>;

const incomplete = ({ missing, undecided, facts }: Incomplete): readonly string[] => [
  ...missing.map(({ operation, reason }) => `  not served: ${operation}. ${reason}`),
  ...undecided.map((each) => `  undecided: ${each}`),
  ...facts
    .filter(({ state }) => state !== 'holds')
    .map(
      ({ id, state, text, note }) =>
        `  ${STATES[state]}: ${[id, text, note].filter(Boolean).join(' ')}`,
    ),
];

function cantonLines(all: Completeness, withDetails: boolean): readonly string[] {
  const { release, version, document, operations, facts } = all;
  const { served, documented, missing } = operations;
  return [
    `Canton ${release} (answers as ${version}${markOf(release)})`,
    `  operations: ${served} of ${documented}`,
    differences(facts),
    ...(withDetails ? [`  document: ${document}`, ...incomplete({ ...all, missing })] : []),
  ];
}

function spliceLines(all: SpliceCompleteness, withDetails: boolean): readonly string[] {
  const { release, version, canton, apis, packages, facts } = all;
  const served = apis.map((each) => `${each.api} ${each.served} of ${each.documented}`);
  const { 'splice-amulet': amulet, 'splice-dso-governance': governance } = packages.versions;
  return [
    `Splice ${release} (answers as ${version}${markOf(release)}, runs on Canton ${canton})`,
    `  operations: ${served.join(', ')}`,
    differences(facts),
    ...(withDetails
      ? [
          `  documents: ${apis.map(({ api, document }) => `${api} ${document}`).join(', ')}`,
          `  packages: splice-amulet ${amulet}, splice-dso-governance ${governance}` +
            `${packages.orLater ? ', or later' : ''}. canticle dars --splice ${release} lists all.`,
          ...incomplete(all),
        ]
      : []),
  ];
}

const previews = (): readonly string[] =>
  previewsOfRegistry().map(
    ({ preview, document, operations }) =>
      `Preview of the registry, with --registry-preview ${preview}\n` +
      `  operations: ${operations.length}, from the draft ${document}`,
  );

/** @param name of one release, as for `--canton`, `--splice` or `rehearse --to`; all releases without it */
export function showReleases(
  name: string | undefined,
  { json = false }: ReleasesFlags,
  terminal: Terminal,
): void {
  const chosen = name === undefined ? undefined : named(name);
  const canton = API_VERSIONS.filter((each) => (chosen ?? each) === each).map(completenessOf);
  const splice = SPLICE_VERSIONS.filter((each) => (chosen ?? each) === each).map(
    spliceCompletenessOf,
  );
  const { stdout } = terminal;
  if (json) {
    const all = [...canton, ...splice];
    stdout.write(`${JSON.stringify(chosen === undefined ? all : all[0], null, 2)}\n`);
    return;
  }
  const lines = [
    ...canton.flatMap((each) => cantonLines(each, chosen !== undefined)),
    ...splice.flatMap((each) => spliceLines(each, chosen !== undefined)),
    ...(chosen === undefined ? [...previews(), 'Details: canticle releases NAME'] : []),
  ];
  stdout.write(`${lines.join('\n')}\n`);
}

/** @throws CommandFailed for an unknown name */
function named(name: string): string {
  const found = API_VERSIONS.find((each) => each === name) ?? spliceReleaseNamed(name);
  if (found !== undefined) return found;
  const known = [...API_VERSIONS, ...SPLICE_VERSIONS].join(', ');
  throw new CommandFailed(`No release is named ${name}. The releases are ${known}.`);
}
