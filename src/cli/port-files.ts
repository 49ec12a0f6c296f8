/**
 * The files from which a waiting program reads the ports of the sandbox. A complete file appears when the sandbox is
 * ready, so that programs can wait for the file. The sandbox removes it at the end. It replaces only regular files.
 */
import { lstat, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { causeOf, CommandFailed } from './terminal.js';

/** The contents of the files. */
export interface PortTexts {
  readonly json: string;
  readonly first: string;
}

export interface PortFiles {
  /** The format of Canton's ports file, with the served ports: `{"sandbox":{"ledgerApi":PORT,"jsonApi":PORT}}`. */
  readonly portsFiles: readonly string[];
  /** Contains only the port of the first participant. */
  readonly jsonApiPortFile?: string;
}

/** Remove the file of an earlier run: it has other ports. */
export async function removePortFiles(files: PortFiles): Promise<void> {
  for (const path of pathsOf(files)) {
    const found = await lstat(path).catch(() => undefined);
    if (found?.isFile() === false) throw failure(path, 'the path exists and is not a regular file');
    await rm(path, { force: true }).catch((error: unknown) => fail(path, error));
  }
}

/** Called when the sandbox has stopped. Keeps a file that another sandbox has written since. */
export async function withdrawPortFiles(files: PortFiles, texts: PortTexts): Promise<void> {
  const { json, first } = texts;
  for (const path of pathsOf(files)) {
    const text = path === files.jsonApiPortFile ? first : json;
    const found = await readFile(path, 'utf8').catch(() => undefined);
    if (found === text) await rm(path, { force: true }).catch(() => undefined);
  }
}

export async function writePortFiles(files: PortFiles, { json, first }: PortTexts): Promise<void> {
  for (const path of files.portsFiles) await writeWhole(path, json);
  if (files.jsonApiPortFile !== undefined) await writeWhole(files.jsonApiPortFile, first);
}

/** @param nodes ports by service, by the node's name @param first the port without a name */
export const portTexts = (
  nodes: Readonly<Record<string, Readonly<Record<string, number>>>>,
  first: number,
): PortTexts => ({ json: JSON.stringify(nodes), first: String(first) });

async function writeWhole(path: string, text: string): Promise<void> {
  const unfinished = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(unfinished, text, { flag: 'wx' });
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
  throw failure(path, causeOf(error));
}

const failure = (path: string, why: string): CommandFailed =>
  new CommandFailed(`failed to write the port file '${path}': ${why}.`);
