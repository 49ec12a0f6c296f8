/** The flags of `canticle localnet`, and the options that they set. */
import type { Command } from 'commander';
import type { LocalnetOptions } from '../../assembly/localnet/localnet-options.js';
import { LOCALNET } from '../../options/localnet.js';
import { addOptionFlags, optionsGiven } from '../flags/option-flags.js';
import { addRunningFlags, readRunningFlags, type RunningFlags } from '../flags/running-flags.js';

export interface LocalnetFlags extends RunningFlags {
  readonly options: LocalnetOptions;
}

export function addLocalnetFlags(command: Command): Command {
  command.argument(
    '[file]',
    'file of further options: validators, parties, users, packages, holdings',
  );
  return addRunningFlags(addOptionFlags(command, 'localnet', LOCALNET));
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
    ...readRunningFlags(flags),
  };
}
