/** The process id of a LocalNet by each of its ports, in a folder of the user, while it runs. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const folder = (): string => join(homedir(), '.canticle', 'running');
const fileOf = (port: number): string => join(folder(), `localnet-${port}.pid`);

/** If the file cannot be written, the LocalNet still runs, and a signal stops it. */
export function writePids(ports: readonly number[], pid: number): void {
  try {
    mkdirSync(folder(), { recursive: true, mode: 0o700 });
    for (const port of ports) writeFileSync(fileOf(port), `${pid}\n`, { mode: 0o600 });
  } catch {
    // `canticle localnet stop` reads it.
  }
}

/** Removes only files of this process, because another LocalNet may use the ports already. */
export function removePids(ports: readonly number[], pid: number): void {
  for (const port of ports) if (pidAt(port) === pid) rmSync(fileOf(port), { force: true });
}

/** Undefined if no process is known. */
export function pidAt(port: number): number | undefined {
  try {
    const pid = Number(readFileSync(fileOf(port), 'utf8'));
    return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined;
  } catch {
    return undefined;
  }
}
