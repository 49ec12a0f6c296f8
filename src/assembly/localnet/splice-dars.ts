/**
 * Splice's packages on the nodes of a LocalNet (L-TOP-007 to L-TOP-010, L-ENV-007): the newest version of each in the folder of DARs.
 * Canticle does not contain the DARs: without them, a LocalNet has only a simplified Amulet.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compareVersions } from '../../daml/model/versions.js';
import { darFolder } from '../dar-files.js';

/** The package of the DSO that no app's node has. */
const GOVERNANCE = 'splice-dso-governance';
export const AMULET = 'splice-amulet';

/** In the order of upload: dependencies first. */
const EVERYWHERE = [
  'splice-api-token-metadata-v1',
  'splice-api-token-holding-v1',
  'splice-api-token-transfer-instruction-v1',
  'splice-api-token-allocation-v1',
  'splice-api-token-allocation-request-v1',
  'splice-api-token-allocation-instruction-v1',
  'splice-api-token-holding-v2',
  'splice-api-token-transfer-instruction-v2',
  'splice-api-token-allocation-v2',
  'splice-api-token-allocation-request-v2',
  'splice-api-token-allocation-instruction-v2',
  'splice-api-token-transfer-events-v2',
  'splice-api-featured-app-v1',
  'splice-api-featured-app-v2',
  'splice-api-reward-assignment-v1',
  AMULET,
  'splice-wallet-payments',
  'splice-wallet',
  'splice-amulet-name-service',
  'splice-validator-lifecycle',
  'splice-token-standard-utils',
  'splice-util-token-standard-wallet',
  'splice-util-batched-markers',
];

/** The lowest version of each that a network of Splice 0.7.4 may begin with (L-TOP-012). */
const LEAST: Readonly<Record<string, string>> = {
  [AMULET]: '0.1.15',
  'splice-amulet-name-service': '0.1.16',
  [GOVERNANCE]: '0.1.21',
  'splice-validator-lifecycle': '0.1.6',
  'splice-wallet': '0.1.15',
  'splice-wallet-payments': '0.1.15',
};

export interface SpliceDar {
  readonly name: string;
  /** The newest version; undefined if there is none. */
  readonly version?: string;
  readonly path?: string;
  /** The lowest version for a network of this release of Splice, if the newest is below it. */
  readonly least?: string;
  /** Whether only the super validator has it. */
  readonly isOfSv: boolean;
}

const FILE = /^(.+)-(\d+\.\d+\.\d+)\.dar$/;

/** Each package of a LocalNet with the newest DAR in a folder; by default the folder of the environment, false for none. */
export function spliceDars(from: string | false = darFolder()): readonly SpliceDar[] {
  const folder = from === false ? '' : from;
  const newest = newestVersions(folder);
  return [...EVERYWHERE, GOVERNANCE].map((name) => {
    const version = newest.get(name);
    const isOfSv = name === GOVERNANCE;
    if (version === undefined) return { name, isOfSv };
    const least = LEAST[name];
    const isTooOld = least !== undefined && compareVersions(version, least) < 0;
    const path = join(folder, `${name}-${version}.dar`);
    return { name, version, path, isOfSv, ...(isTooOld && { least }) };
  });
}

function newestVersions(folder: string): ReadonlyMap<string, string> {
  const newest = new Map<string, string>();
  if (folder === '' || !existsSync(folder)) return newest;
  for (const file of readdirSync(folder).sort()) {
    const [, name, version] = FILE.exec(file) ?? [];
    if (name === undefined || version === undefined) continue;
    const known = newest.get(name);
    if (known === undefined || compareVersions(version, known) > 0) newest.set(name, version);
  }
  return newest;
}
