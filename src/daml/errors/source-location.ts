/** A place in a Daml source file, lines and columns from 1. */
export interface SourceLocation {
  readonly module: string;
  readonly line: number;
  readonly column: number;
}
