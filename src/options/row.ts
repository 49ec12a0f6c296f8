/** An option as data: its row in the tables of this folder has all facts about it. */

export type JsonSchema = Readonly<Record<string, unknown>>;

/** @param name of the option, for the message @throws TypeError */
export type Check = (value: unknown, name: string) => void;

/** `T` is the type of the values, which only the compiler uses. */
export interface Kind<out T = unknown> {
  /** As in `Expected a string.` */
  readonly words: string;
  readonly check: Check;
  /** The value of the text of a flag, undefined for an invalid text. Without it, the text is the value. */
  readonly read?: (text: string) => T | undefined;
  /** All values, if there are only a few. */
  readonly values?: readonly T[];
  /** The kind of the elements of a list. */
  readonly each?: Kind | undefined;
  /** The kind of the values of an object with any names. A flag gives one as `name=value`. */
  readonly named?: Kind | undefined;
  /** The members of an object, and the required ones. */
  readonly rows?: Rows;
  readonly required?: readonly string[];
  readonly schema?: JsonSchema;
  readonly type?: T;
}

/** The commands that take options of a Canticle. */
export type CommandName =
  | 'codegen'
  | 'fuzz'
  | 'inspect'
  | 'localnet'
  | 'mutate'
  | 'run'
  | 'sandbox'
  | 'script'
  | 'simulate'
  | 'test'
  | 'verify';

/** Origins of a world. Each sets some options itself. */
export type Origin = 'contracts' | 'localnet' | 'participant' | 'scan' | 'world';

export interface Flag {
  /** As in `--help`: `--seed <n>`. A flag without a value sets a boolean, or `value`. */
  readonly name: string;
  readonly of: readonly CommandName[];
  /** The value of the option, if the flag takes none. */
  readonly value?: string;
  /** `content`: the flag names a file, and its text is the value. `service`: the value has the format of `--auth`. */
  readonly takes?: 'content' | 'service';
  /** The flag has a `--no-` form with this effect. */
  readonly no?: string;
  /** Its help text, if that is not the row's `doc`: for all commands, or by command. */
  readonly doc?: string | { readonly [C in CommandName]?: string };
  /** A flag that excludes it. */
  readonly conflicts?: string;
}

export interface Row<T = unknown> {
  /**
   * The kind of the values. It checks values of programs and LocalNet files, reads flags, and makes the schema of
   * headers.
   */
  readonly kind: Kind<T>;
  /** Its help text, for rows with a flag, a header or a variable: without a capital and a full stop. */
  readonly doc?: string;
  /** The default. */
  readonly default?: string | number | boolean;
  readonly flag?: Flag | readonly Flag[];
  /** Whether the head of a scenario may set it, and under which name. */
  readonly header?: true | { readonly key?: string; readonly doc?: string };
  /** The environment variable that sets the option if no flag or file does. */
  readonly variable?: string;
  /** The origins of a world that set this option. */
  readonly saidBy?: readonly Origin[];
  /** False if a LocalNet sets it: neither its options nor its file have it. */
  readonly localnet?: false;
}

export const option = <T, const More extends Omit<Row, 'kind'>>(kind: Kind<T>, more: More) => ({
  kind,
  ...more,
});

/** A kind without a row is an option of programs and LocalNet files only. The docstring of its type describes it. */
export type Rows = Readonly<Record<string, Row | Kind>>;

export const rowOf = (row: Row | Kind): Row => ('kind' in row ? row : { kind: row });

export const rowsIn = (rows: Rows = {}): readonly (readonly [name: string, row: Row])[] =>
  Object.entries(rows).map(([name, row]) => [name, rowOf(row)]);

export const flagsOf = ({ flag }: Row): readonly Flag[] =>
  flag === undefined ? [] : 'of' in flag ? [flag] : flag;

/** The members of a table that the head of a scenario may have, as a type. */
export type HeaderOf<R> = {
  readonly [K in keyof R as R[K] extends { readonly header: unknown } ? K : never]?: R[K] extends {
    readonly kind: Kind<infer T>;
  }
    ? T
    : never;
};

/** The rows that the head of a scenario may have, with their names there. */
export const headers = (rows: Rows): readonly (readonly [key: string, row: Row, name: string])[] =>
  rowsIn(rows).flatMap(([name, row]) => {
    const { header } = row;
    if (header === undefined) return [];
    return [[(header !== true && header.key) || name, row, name] as const];
  });

/** The help text of a row, with its default. */
export function described({ doc = '', default: value, variable }: Row): string {
  const otherwise = [variable, value].filter((each) => each !== undefined).join(' or ');
  return otherwise === '' ? doc : `${doc}; ${otherwise} by default`;
}

/** The same as a sentence. */
export const sentence = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}.`;
