/**
 * An expression of Daml-LF as its archive has it: the tree that the type checker and the compiler walk. Nothing of it is read
 * before it is looked at; looking at a form leaves the expressions inside it as they are. A form is of the language: it names
 * what its version has, its tables have what it refers to, and it has no fewer parts than it must.
 */
import { illegalInterning, parseError } from '../dar-refusals.js';
import type { LfPackage } from '../lf-package.js';
import { Message } from '../wire/message.js';
import type { Form } from './form.js';
import { FORMS } from './read-form.js';

const [LOCATION, INTERNED] = [1, 44];

/** What reads the expressions of a package. Entries of its table that were read stay as long as it does. */
export class LfCode {
  private readonly entries = new Map<number, LfExpression>();

  constructor(readonly lf: LfPackage) {}

  /** Of a definition; what is absent is no expression, and has no form. */
  expression(bytes: Uint8Array | undefined): LfExpression {
    return new LfExpression(this, bytes === undefined ? Message.NONE : Message.of(bytes), Infinity);
  }

  entry(index: number): LfExpression {
    let entry = this.entries.get(index);
    if (entry === undefined) {
      entry = new LfExpression(this, Message.of(this.lf.expression(index)), index);
      this.entries.set(index, entry);
    }
    return entry;
  }
}

export class LfExpression {
  private known: Form | undefined;
  private place: Message | undefined;

  constructor(
    readonly code: LfCode,
    private readonly message: Message,
    /** Entries of the table may only refer to those before them. */
    private readonly below: number,
  ) {}

  /**
   * Its form; that of an entry of the table where it is nothing but a reference to one.
   * @throws LedgerError DAR_PARSE_ERROR where it is none
   */
  get form(): Form {
    this.known ??= this.read();
    return this.known;
  }

  /** The innermost `Location` that it stands at; one without lines and columns counts as none. */
  get location(): Message | undefined {
    this.known ??= this.read();
    return this.place;
  }

  private read(): Form {
    const { message } = this;
    let form: Form | undefined;
    // Of several the last counts.
    for (message.rewind(); message.next();) {
      const { field } = message;
      if (field === LOCATION) {
        const location = message.message();
        if (location.has(2)) this.place = location;
      } else if (field === INTERNED) form = this.resolved(message.int());
      else {
        const read = FORMS[field];
        if (read === undefined) throw parseError(`Expr: unexpected field ${field}`);
        form = read(this, message);
      }
    }
    if (form === undefined) throw parseError('Expr.SUM_NOT_SET');
    return form;
  }

  private resolved(index: number): Form {
    const { lf } = this.code;
    if (!lf.version.flatArchive) throw lf.tables.notSupported('Flat Archive (case INTERNED_EXPR)');
    if (index >= this.below)
      throw parseError(
        'Interned expression indexes not monotonic (interned expressions may only refer to interned expressions of smaller index)',
      );
    const entry = this.code.entry(index);
    if (entry.isReference) throw illegalInterning('InternedExpr');
    const { form } = entry;
    this.place = entry.location ?? this.place;
    return form;
  }

  private get isReference(): boolean {
    return this.message.has(INTERNED);
  }

  /** The expression that a message has as this field. */
  part(message: Message, field: number): LfExpression {
    return this.inside(message.messageAt(field));
  }

  /** Those of a repeated field. */
  parts(message: Message, field: number): readonly LfExpression[] {
    const parts: LfExpression[] = [];
    for (message.rewind(); message.next();)
      if (message.field === field) parts.push(this.inside(message.message()));
      else message.skip();
    return parts;
  }

  inside(message: Message): LfExpression {
    return new LfExpression(this.code, message, this.below);
  }
}
