/**
 * The files that tell a waiting program where the sandbox listens. Each appears whole and only when the sandbox is
 * ready, so that "the file is there" may be taken to mean "it answers".
 */
import { rename, rm, writeFile } from 'node:fs/promises';
import { causeOf, CommandFailed } from './terminal.js';

export interface PortFiles {
  /** `{"sandbox":{"jsonApi":PORT}}`, the form of Canton's ports file. */
  readonly portsFiles: readonly string[];
  /** The number of the first participant alone. */
  readonly jsonApiPortFile?: string;
}

/** What an earlier run left must not be read as this one's. */
export async function removePortFiles(files: PortFiles): Promise<void> {
  for (const path of pathsOf(files)) {
    await rm(path, { force: true }).catch((error: unknown) => fail(path, error));
  }
}

/** @param ports by the participant's name, the first one's first */
export async function writePortFiles(
  files: PortFiles,
  ports: Readonly<Record<string, number>>,
): Promise<void> {
  const nodes = Object.entries(ports).map(([name, port]) => [name, { jsonApi: port }]);
  const json = JSON.stringify(Object.fromEntries(nodes));
  const [first] = Object.values(ports);
  for (const path of files.portsFiles) await writeWhole(path, json);
  if (files.jsonApiPortFile !== undefined) await writeWhole(files.jsonApiPortFile, String(first));
}

async function writeWhole(path: string, text: string): Promise<void> {
  const unfinished = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(unfinished, text);
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    fail(path, error);
  }
}

const pathsOf = (files: PortFiles) =>
  files.jsonApiPortFile === undefined
    ? files.portsFiles
    : [...files.portsFiles, files.jsonApiPortFile];

function fail(path: string, error: unknown): never {
  throw new CommandFailed(`failed to write the port file '${path}': ${causeOf(error)}.`);
}
