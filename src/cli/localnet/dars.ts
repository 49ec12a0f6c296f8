/** `canticle dars`: lists Splice's packages in the folder of DARs with their versions, and where to get the missing ones. */
import { darFolder } from '../../assembly/dar-files.js';
import {
  isOfOtherRelease,
  spliceDars,
  type SpliceDar,
} from '../../assembly/localnet/splice-dars.js';
import type { SpliceVersion } from '../../spec/versions.js';
import type { Terminal } from '../terminal.js';

/** Public URL of all released versions. */
const PUBLIC_HOME = 'https://github.com/canton-network/splice, folder daml/dars';

export interface DarFlags {
  readonly folder?: string;
  readonly splice: SpliceVersion;
  readonly json?: true;
}

/** @returns the exit status: 1 if a DAR is missing, too old or of another release, else 0 */
export function showDars(flags: DarFlags, { stdout }: Terminal): number {
  const folder = flags.folder ?? darFolder();
  const dars = spliceDars(folder, flags.splice);
  const isComplete = dars.every(
    (dar) => dar.version !== undefined && dar.least === undefined && !isOfOtherRelease(dar),
  );
  if (flags.json)
    stdout.write(`${JSON.stringify({ folder, splice: flags.splice, dars }, undefined, 2)}\n`);
  else stdout.write(`${[...listing(folder, flags, dars), ...advice(isComplete)].join('\n')}\n`);
  return isComplete ? 0 : 1;
}

function listing(
  folder: string,
  { splice }: DarFlags,
  dars: readonly SpliceDar[],
): readonly string[] {
  return [
    `The packages of Splice ${splice} in ${folder}:`,
    ...dars.map((dar) => `  ${dar.name.padEnd(46)}${stateOf(dar)}`),
  ];
}

function stateOf(dar: SpliceDar): string {
  const { version, expected, orLater, least, isOfSv } = dar;
  const whose = isOfSv ? ', for sv alone' : '';
  const wanted = orLater ? `${expected} or later` : expected;
  if (version === undefined) return `missing, ${wanted}${whose}`;
  if (least !== undefined) return `${version}: too old, a new network takes ${least} or later`;
  return isOfOtherRelease(dar)
    ? `${version} instead of ${wanted}, which is missing${whose}`
    : version + whose;
}

function advice(isComplete: boolean): readonly string[] {
  if (isComplete) return [];
  return [
    '',
    'Canticle does not include these packages. Each released version is public:',
    `  - ${PUBLIC_HOME}`,
    '  - splice-node.tar.gz of a release of Splice, folder dars.',
    'Copy the files into the folder above, and keep their names, such as splice-amulet-0.1.22.dar.',
    'For another folder, set CANTICLE_DARS.',
  ];
}
