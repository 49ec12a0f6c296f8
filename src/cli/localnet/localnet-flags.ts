/** The flags of `canticle localnet`, and the options that they set. */
import type { Command } from 'commander';
import type { LocalnetOptions } from '../../assembly/localnet/localnet-options.js';
import { LOCALNET } from '../../options/localnet.js';
import { addOptionFlags, optionsGiven } from '../flags/option-flags.js';
import { ENV_FILE } from './quickstart-file.js';
import { addRunningFlags, readRunningFlags, type RunningFlags } from '../flags/running-flags.js';

export interface LocalnetFlags extends RunningFlags {
  readonly options: LocalnetOptions;
  /** The file for the variables of cn-quickstart's back end; undefined without `--quickstart`. */
  readonly envFile: string | undefined;
}

export function addLocalnetFlags(command: Command): Command {
  command.argument(
    '[file]',
    'file of further options: validators, parties, users, packages, holdings',
  );
  const withOptions = addOptionFlags(command, 'localnet', LOCALNET);
  return addRunningFlags(withOptions).option(
    '--env-file <file>',
    `with --quickstart, write the variables of its back end to this file; ${ENV_FILE} by default`,
  );
}

/**
 * @param config an options file
 * @param flags the options that commander parsed for a command made by {@link addLocalnetFlags}
 */
export function readLocalnetFlags(config: string | undefined, flags: object): LocalnetFlags {
  const given: LocalnetOptions = optionsGiven(flags, 'localnet', LOCALNET);
  const clock = given.time === undefined ? given.clock : 'virtual';
  return {
    options: {
      ...given,
      ...(clock !== undefined && { clock }),
      ...(config !== undefined && { config }),
    },
    envFile: given.quickstart ? ((flags as { envFile?: string }).envFile ?? ENV_FILE) : undefined,
    ...readRunningFlags(flags),
  };
}
