/** Turns Daml names into TypeScript names. Reserved words and duplicate names get an underscore. */

/**
 * Invalid names for a type or constant of a module: keywords, built-in types, and the variables of a CommonJS
 * module.
 */
const RESERVED = new Set(
  [
    'abstract any arguments as async await bigint boolean break case catch class const continue debugger declare default delete do',
    'else enum eval export exports extends false finally for function get global globalThis if implements import in infer instanceof',
    'interface intrinsic is keyof let module namespace never new null number object of out package private protected public readonly',
    'require return satisfies set static string super switch symbol this throw true try type typeof undefined unique unknown using',
    'var void while with yield __dirname __esModule __filename Infinity NaN Object Promise Reflect Symbol',
  ].flatMap((line) => line.split(' ')),
);

/** The names of one scope. The same requests in the same order give the same names. */
export class Scope {
  private readonly taken: Set<string>;

  /** @param outer a scope whose names are visible in this scope */
  constructor(outer?: Scope) {
    this.taken = new Set(outer?.taken);
  }

  /** A free name: the wished name, or that name with underscores. */
  name(wished: string): string {
    let name = wished;
    while (RESERVED.has(name) || this.taken.has(name)) name += '_';
    this.taken.add(name);
    return name;
  }
}

/** The name of a member of an object literal or type. `taken` has names that a choice cannot use. */
export const memberName = (name: string, taken: readonly string[] = []): string =>
  taken.includes(name) ? `${name}_` : name;
