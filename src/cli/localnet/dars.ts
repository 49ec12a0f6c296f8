/** `canticle dars`: lists Splice's packages in the folder of DARs with their versions, and where to get the missing ones. */
import { darFolder } from '../../assembly/dar-files.js';
import { spliceDars, type SpliceDar } from '../../assembly/localnet/splice-dars.js';
import type { Terminal } from '../terminal.js';

/** Public URL of all released versions. */
const PUBLIC_HOME = 'https://github.com/canton-network/splice, folder daml/dars';

interface DarFlags {
  readonly folder?: string;
  readonly json?: true;
}

/** @returns the exit status: 1 if a DAR is missing or too old, else 0 */
export function showDars(flags: DarFlags, { stdout }: Terminal): number {
  const folder = flags.folder ?? darFolder();
  const dars = spliceDars(folder);
  const isComplete = dars.every(
    ({ version, least }) => version !== undefined && least === undefined,
  );
  if (flags.json) stdout.write(`${JSON.stringify({ folder, dars }, undefined, 2)}\n`);
  else stdout.write(`${[...listing(folder, dars), ...advice(isComplete)].join('\n')}\n`);
  return isComplete ? 0 : 1;
}

function listing(folder: string, dars: readonly SpliceDar[]): readonly string[] {
  return [
    `Splice's packages in ${folder}:`,
    ...dars.map((dar) => `  ${dar.name.padEnd(46)}${stateOf(dar)}`),
  ];
}

function stateOf({ version, least, isOfSv }: SpliceDar): string {
  const whose = isOfSv ? ', for sv alone' : '';
  if (version === undefined) return `missing${whose}`;
  return least === undefined
    ? version + whose
    : `${version}: too old, a new network takes ${least} or later`;
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
