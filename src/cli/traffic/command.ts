/** The command `canticle traffic`. */
import { InvalidArgumentError, type Command } from 'commander';
import { whole } from '../../options/kinds.js';
import { parsed } from '../flags/flag-values.js';
import type { Terminal } from '../terminal.js';
import type { TrafficFlags } from './traffic.js';

/** Seconds that the command may take. */
const LONGEST_RUN = 1800;

/** @param ended receives the exit status */
export function addTrafficCommand(
  program: Command,
  terminal: Terminal,
  ended: (status: number) => void,
): void {
  program
    .command('traffic')
    .argument('<command...>', 'command to run, after --, such as npx jest')
    .description(
      'Run tests, record the traffic of each command and flow, and compare it with a snapshot. Exits with 0 if no cost grows beyond the tolerance, with 1 if one does, and with 2 if the command fails.',
    )
    .option('--snapshot <file>', 'snapshot file; the first run creates it', 'traffic.snap')
    .option('--update', 'write the costs of this run to the snapshot')
    .option('--check', 'fail without a snapshot, instead of writing one')
    .option('--tolerance <percent>', 'change that counts as none, such as 5%', share, 0.01)
    .option('--traffic-price <usd>', 'price of a million bytes of traffic', price, 16.67)
    .option('--coin-price <usd>', 'price of one Canton Coin: adds costs in Canton Coin', price)
    .option('--summary <file>', 'write a table for a pull request to this file, as Markdown')
    .option('--json', 'print the costs and the changes as JSON')
    .option('--timeout <seconds>', 'longest time of the command', parsed(whole(1)), LONGEST_RUN)
    .action(async (command: readonly string[], flags: TrafficFlags) => {
      const { compareTrafficOf } = await import('./traffic.js');
      ended(await compareTrafficOf(command, flags, terminal));
    });
}

function share(text: string): number {
  const [, digits] = /^(\d+(?:\.\d+)?)%?$/.exec(text) ?? [];
  if (digits === undefined) throw new InvalidArgumentError('Expected a percentage, such as 5%.');
  return Number(digits) / 100;
}

function price(text: string): number {
  const amount = Number(text);
  if (!(amount > 0 && amount < Infinity))
    throw new InvalidArgumentError('Expected a positive price in USD, such as 0.15.');
  return amount;
}
