/** The output of each benchmark: the machine, then one line per figure. Each ratio is next to its base. */
import { availableParallelism, totalmem } from 'node:os';

export function machine(): void {
  const memory = Math.round(totalmem() / 2 ** 30);
  console.log(`  machine: ${availableParallelism()} cores, ${memory} GiB, Node ${process.version}`);
}

export function figure(name: string, value: number, unit: string): void {
  console.log(`  ${name}: ${format(value)} ${unit}`);
}

/** The median of several runs, with the minimum and the maximum. */
export function spread(name: string, values: readonly number[], unit: string): void {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  console.log(`  ${name}: ${format(middle(values))} ${unit} (${format(least)} to ${format(most)})`);
}

/** @param goal the limit of the figure: maximum (`max`) or minimum (`min`) */
export function ratio(name: string, value: number, goal?: { min: number } | { max: number }): void {
  const wanted =
    goal === undefined
      ? ''
      : 'min' in goal
        ? ` (goal: at least ${goal.min})`
        : ` (goal: at most ${goal.max})`;
  console.log(`  ${name}: ${format(value)} times${wanted}`);
}

function format(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(2) : value.toPrecision(2);
}

/** Milliseconds that an action takes. */
export async function milliseconds(action: () => unknown): Promise<number> {
  const start = process.hrtime.bigint();
  await action();
  return Number(process.hrtime.bigint() - start) / 1e6;
}

/** The median of figures. */
export function middle(figures: readonly number[]): number {
  return [...figures].sort((a, b) => a - b)[Math.floor(figures.length / 2)]!;
}

/** The median of several runs, in milliseconds. */
export async function median(runs: number, action: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < runs; run++) times.push(await milliseconds(action));
  return middle(times);
}
