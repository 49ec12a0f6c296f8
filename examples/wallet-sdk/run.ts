/** Runs a flow by its name against the LocalNet on this machine, and prints its result. */
import { readFileSync } from 'node:fs';

// Where a flow needs a DAR that a LocalNet has not, its file and the id of its package.
const [name, dar, packageId] = process.argv.slice(2);
const { default: flow } = (await import(`./${name}.ts`)) as {
  default: (dar?: Uint8Array, packageId?: string) => Promise<unknown>;
};
console.log(await flow(dar === undefined ? undefined : readFileSync(dar), packageId));
process.exit(0);
