/**
 * The hashing details of a prepared transaction, written as Canton writes them: a line for each part that is hashed, its bytes in
 * hexadecimal before what they mean, and indented lines for what a hash among them is made of (B-INT-009).
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

  /** Where the parts of a hash are written that is a part here. */
  get inside(): HashTrace {
    return new HashTrace(this.lines, this.indent + INDENT);
  }

  /** Each line ends with a line feed. */
  get text(): string {
    return this.lines.map((line) => `${line}\n`).join('');
  }

  /** Texts of contracts may have lines of their own. */
  private write(text: string): void {
    for (const line of text.split(/\r\n|\r|\n/)) this.lines.push(this.indent + line);
  }
}
