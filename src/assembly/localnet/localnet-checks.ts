/** Checks the options of a LocalNet, and the file of options, before the start. */
import { TextDecoder } from 'node:util';
import { LOCALNET } from '../../options/localnet.js';
import { members } from '../../options/kinds.js';
import { yaml } from '../../spec/loading/yaml.js';
import { ScenarioError } from '../../wallet/scenario-error.js';
import { readBoundedFile } from '../bounded-file.js';
import { unreadable } from '../file-errors.js';
import type { LocalnetOptions } from './localnet-options.js';

/**
 * The options together with the options of the file that `config` names.
 * @throws TypeError for unknown options, ScenarioError for a file with such options, the system's error with its `code`
 * for an unreadable file
 */
export function completeOptions(options: LocalnetOptions): LocalnetOptions {
  checkLocalnetOptions(options);
  const { config, ...given } = options;
  const said = Object.entries(given).filter(([, value]) => value !== undefined);
  const read = config === undefined ? {} : readLocalnetFile(config);
  const amulet = (read.amulet ?? given.amulet) && { ...read.amulet, ...given.amulet };
  return { ...read, ...Object.fromEntries(said), ...(amulet && { amulet }) };
}

/** @throws TypeError for an unknown option, or an invalid value */
const checkLocalnetOptions = (options: LocalnetOptions): void =>
  members('option', LOCALNET).check(options, 'the options');

/** Bytes. */
const MAX_FILE_SIZE = 1024 * 1024;

function readLocalnetFile(path: string): LocalnetOptions {
  let source: string;
  try {
    source = new TextDecoder('utf-8', { fatal: true }).decode(readBoundedFile(path, MAX_FILE_SIZE));
  } catch (cause) {
    throw unreadable(`the LocalNet's file '${path}'`, cause);
  }
  try {
    const options = (yaml().parse(source) ?? {}) as LocalnetOptions;
    checkLocalnetOptions(options);
    return options;
  } catch (error) {
    const why = (error as Error).message.replace(/^Failed to create a Canticle: /, '');
    throw new ScenarioError(`Failed to read the LocalNet's file '${path}': ${why}`);
  }
}
