/**
 * Which of Splice's packages the nodes of a LocalNet have (L-TOP-007 to L-TOP-010, L-ENV-007): the newest of each that is in the folder
 * of DARs. The DARs are other people's: without them a LocalNet goes without Amulet.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compareVersions } from '../../daml/model/versions.js';
import { darFolder } from '../dar-files.js';

/** What of the DSO is in no app's node. */
const GOVERNANCE = 'splice-dso-governance';
export const AMULET = 'splice-amulet';

/** In the order in which they are uploaded: first what others need. */
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
  /** Of the newest; undefined where there is none. */
  readonly version?: string;
  readonly path?: string;
  /** The lowest that a network of this release of Splice may begin with, where the newest is below it. */
  readonly least?: string;
  /** Whether only the super validator has it. */
  readonly isOfSv: boolean;
}

const FILE = /^(.+)-(\d+\.\d+\.\d+)\.dar$/;

/** Each package of a LocalNet with the newest DAR of it in a folder, the environment's by default; false for no folder. */
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
