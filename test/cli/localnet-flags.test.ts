/** Flags of `canticle localnet` without a visible effect without Splice's DARs. */
import { Command } from 'commander';
import { addLocalnetFlags, readLocalnetFlags } from '../../src/cli/localnet/localnet-flags.js';

const optionsOf = (...flags: string[]) => {
  const command = addLocalnetFlags(new Command());
  command.parse(flags, { from: 'user' });
  return readLocalnetFlags(undefined, command.opts()).options;
};

it('--expiry starts the expiry automation, which is off by default', () => {
  expect(optionsOf('--expiry').amulet).toEqual({ expiry: true });
  expect(optionsOf().amulet).toBeUndefined();
});
