/** Names of Daml as names of TypeScript: words that the language keeps for itself get an underscore, and so does the second of two. */

/** What no type or constant of a module may be called: keywords, types of the language, what CommonJS puts around a module. */
const RESERVED = new Set(
  [
    'abstract any arguments as async await bigint boolean break case catch class const continue debugger declare default delete do',
    'else enum eval export exports extends false finally for function get global globalThis if implements import in infer instanceof',
    'interface intrinsic is keyof let module namespace never new null number object of out package private protected public readonly',
    'require return satisfies set static string super switch symbol this throw true try type typeof undefined unique unknown using',
    'var void while with yield __dirname __esModule __filename Infinity NaN Object Promise Reflect Symbol',
  ].flatMap((line) => line.split(' ')),
);

/** Names of one scope. The same requests in the same order give the same names. */
export class Scope {
  private readonly taken: Set<string>;

  /** @param outer a scope whose names are seen from this one */
  constructor(outer?: Scope) {
    this.taken = new Set(outer?.taken);
  }

  /** A name that is free here: the one that is wished for, or it and underscores. */
  name(wished: string): string {
    let name = wished;
    while (RESERVED.has(name) || this.taken.has(name)) name += '_';
    this.taken.add(name);
    return name;
  }
}

/** A member of an object literal or of a type, and what a choice may not be called as one. */
export const memberName = (name: string, taken: readonly string[] = []): string =>
  taken.includes(name) ? `${name}_` : name;
