/** Faults that a published client does not survive, as scenarios that come with Canticle. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Canticle, FaultRule, OperationId } from 'canticle';
import { parse } from 'yaml';

export const NOT_SURVIVED = join(__dirname, '../../../scenarios/faults');

/** From now on what a scenario says goes wrong. */
export function replay({ faults }: Canticle, name: string): void {
  const { steps } = parse(readFileSync(join(NOT_SURVIVED, `${name}.yaml`), 'utf8')) as {
    steps: ({ fault: OperationId } & Omit<FaultRule, 'on'>)[];
  };
  for (const { fault: on, ...rule } of steps) faults.add({ on, ...rule });
}
