/** The file with the variables of cn-quickstart's back end, and the command that starts it. */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Environment } from '../../assembly/localnet/environment.js';
import { CommandFailed } from '../terminal.js';

/** The file of `--quickstart` without `--env-file`, in the working folder. */
export const ENV_FILE = 'quickstart.env';

/** Characters that need no quotes in a shell or in a `.env` file. */
const PLAIN = /^[\w:/.,=@%+~?&#-]*$/;

/** @returns the command that starts the back end, for the folder `quickstart` of cn-quickstart */
export function writeQuickstartFile(file: string, environment: Environment): string {
  const lines = Object.entries(environment).map(
    ([name, value]) => `${name}=${PLAIN.test(value) ? value : quoted(value)}\n`,
  );
  const path = resolve(file);
  try {
    writeFileSync(path, lines.join(''));
  } catch (cause) {
    throw new CommandFailed(`failed to write ${path}: ${(cause as Error).message}`, { cause });
  }
  return `set -a; . ${PLAIN.test(path) ? path : quoted(path)}; set +a; ./gradlew :backend:bootRun`;
}

const quoted = (value: string): string => `'${value.replaceAll("'", `'\\''`)}'`;

/** @param command that {@link writeQuickstartFile} returned */
export const quickstartLines = (file: string, command: string): string =>
  [
    `The variables of cn-quickstart's back end are in ${file}. Start it in the folder quickstart of cn-quickstart:`,
    command,
    '',
    '',
  ].join('\n');
