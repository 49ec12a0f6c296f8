/** Sets the machine up for one transaction, or for one computation outside of any; those may nest. */
import type { PackageLookup } from '../../model/package.js';
import { machine } from './machine.js';

export function interpreting<T>(packages: PackageLookup, code: () => T): T {
  const { steps, packages: outer, actions, base, traces } = machine;
  machine.packages = packages;
  machine.actions = undefined;
  machine.steps = 0;
  if (outer === undefined) machine.traces = [];
  try {
    return code();
  } finally {
    machine.packages = outer;
    machine.actions = actions;
    machine.base = base;
    machine.steps = outer === undefined ? 0 : steps + machine.steps;
    if (outer !== undefined) machine.traces = traces;
  }
}
