/** A contract as the model keeps it, and how the model refuses. */
import type { Alias } from './world.js';

export interface Contract {
  readonly name: number;
  readonly template: string;
  readonly signatories: readonly string[];
  readonly observers: readonly string[];
  readonly data: Readonly<Record<string, unknown>>;
  place: Alias | 'archived' | { readonly from: Alias; readonly to: Alias };
  /** How often it has left a synchronizer. */
  counter: number;
}

export const stakeholders = ({
  signatories,
  observers,
}: Pick<Contract, 'signatories' | 'observers'>) => [...new Set([...signatories, ...observers])];

export class Refusal extends Error {
  constructor(readonly code: string) {
    super(code);
  }
}
