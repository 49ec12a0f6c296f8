/**
 * The hashing details of a prepared transaction in Canton's format: a line for each hashed part, with its bytes in
 * hexadecimal and their meaning. Indented lines show the parts of a nested hash (B-INT-009).
 */
import { toHex } from '../../../daml/model/hash.js';

const INDENT = '  ';

export class HashTrace {
  private constructor(
    private readonly lines: string[],
    private readonly indent: string,
  ) {}

  static begin(): HashTrace {
    return new HashTrace([], '');
  }

  part(bytes: Uint8Array, meaning: string): void {
    this.write(`'${toHex(bytes)}' # ${meaning}`);
  }

  heading(text: string): void {
    this.write(`# ${text}`);
  }

  /** The trace for the parts of a nested hash. */
  get inside(): HashTrace {
    return new HashTrace(this.lines, this.indent + INDENT);
  }

  /** Each line ends with a line feed. */
  get text(): string {
    return this.lines.map((line) => `${line}\n`).join('');
  }

  /** Texts of contracts can contain line breaks. */
  private write(text: string): void {
    for (const line of text.split(/\r\n|\r|\n/)) this.lines.push(this.indent + line);
  }
}
