/**
 * A verb or an expectation is a row with its name, its fields and its effect. Its JSON schema, its
 * reading, the builder's method and the types of both follow from the row.
 */
import type { ParticipantView } from '../wallet/participant-view.js';
import type { Names } from './names.js';
import type { World } from './world.js';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Resolves names of fields: in a world, or with the known data of another participant. */
export interface Lookup {
  readonly names: Pick<Names, 'resolve' | 'has'>;
  party(given: string): string;
  synchronizer(given: string): { readonly id: string };
  participant(given: string): ParticipantView;
  /** JSON with names instead of ids. */
  show(json: unknown): string;
}

/** The value of a field (`In`), and the value for the verb after resolving names (`Out`). */
export interface Field<In, Out = In> {
  readonly schema: JsonSchema;
  /** @throws ScenarioError for an unknown name, or a text of the wrong form */
  read(given: In, world: Lookup): Out;
  readonly optional?: boolean;
}

export interface OptionalField<In, Out = In> extends Field<In, Out> {
  readonly optional: true;
}

export type Fields = Readonly<Record<string, Field<unknown, unknown>>>;

type OptionalKeys<F> = {
  [K in keyof F]: F[K] extends { readonly optional: true } ? K : never;
}[keyof F];
export type InOf<F> = F extends Field<infer In, unknown> ? In : never;
export type OutOf<F> = F extends Field<never, infer Out> ? Out : never;

/** The fields before resolving names. */
export type Given<F> = { readonly [K in Exclude<keyof F, OptionalKeys<F>>]: InOf<F[K]> } & {
  readonly [K in OptionalKeys<F>]?: InOf<F[K]>;
};

/** The fields as the row sees them. */
export type Read<F> = { readonly [K in Exclude<keyof F, OptionalKeys<F>>]: OutOf<F[K]> } & {
  readonly [K in OptionalKeys<F>]?: OutOf<F[K]>;
};

interface RowFacts<S, F> {
  /** A sentence, which editors show for completion. */
  readonly summary: string;
  /** The value under the row's own name. */
  readonly subject: S;
  readonly fields: F;
}

export interface Verb<S, F, R> extends RowFacts<S, F> {
  /** A description of the result that `as` names. Absent if the verb has no result. */
  readonly result?: string;
  run(world: World, subject: OutOf<S>, fields: Read<F>): R;
  /** The value of the name. Default: the result. */
  named?(result: R): unknown;
}

/** The violated expectations, one per line, and the state of the ledger. */
export interface Finding {
  readonly errors: readonly string[];
  readonly holds: string;
}

export interface Expectation<S, F> extends RowFacts<S, F> {
  check(world: World, subject: OutOf<S>, fields: Read<F>): Finding;
}

export type SomeField = Field<unknown, unknown>;
export type SomeVerb = Verb<SomeField, Fields, unknown>;
export type SomeExpectation = Expectation<SomeField, Fields>;

/** This function only gives a row its types. */
export const verb = <S extends SomeField, F extends Fields, R>(row: Verb<S, F, R>) => row;
export const expectation = <S extends SomeField, F extends Fields>(row: Expectation<S, F>) => row;

/** Compares the found values with the expected ones. Values without an expectation are ignored. */
export function differences(
  wanted: Readonly<Record<string, unknown>>,
  found: Readonly<Record<string, unknown>>,
): string[] {
  return Object.entries(wanted).flatMap(([name, expected]) => {
    if (expected === undefined || expected === found[name]) return [];
    return [`${name}: expected ${String(expected)}, found ${String(found[name] ?? 'none')}`];
  });
}
