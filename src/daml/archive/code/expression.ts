/**
 * A Daml-LF expression as its archive encodes it: the tree for the type checker and the compiler. Each form is decoded on first use,
 * without the expressions inside it. Decoding checks that the language version has the form, that tables have its references, and that it
 * has all required parts.
 */
import { illegalInterning, parseError } from '../dar-refusals.js';
import type { LfPackage } from '../lf-package.js';
import { Message } from '../wire/message.js';
import type { Form } from './form.js';
import { FORMS } from './read-form.js';

const [LOCATION, INTERNED] = [1, 44];

/** Decodes the expressions of a package. Decoded entries of the expression table live as long as this object. */
export class LfCode {
  private readonly entries = new Map<number, LfExpression>();

  constructor(readonly lf: LfPackage) {}

  /** The expression of a definition. An absent one has no form. */
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
    /** An entry of the table may only refer to entries before it. */
    private readonly below: number,
  ) {}

  /**
   * The form of the expression, with a reference to the table replaced by the entry's form.
   * @throws LedgerError DAR_PARSE_ERROR for an invalid form
   */
  get form(): Form {
    this.known ??= this.read();
    return this.known;
  }

  /** The innermost `Location` around the expression that has lines and columns. */
  get location(): Message | undefined {
    this.known ??= this.read();
    return this.place;
  }

  private read(): Form {
    const { message } = this;
    let form: Form | undefined;
    // If there are several, the last one counts.
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

  /** The expression in this field of a message. */
  part(message: Message, field: number): LfExpression {
    return this.inside(message.messageAt(field));
  }

  /** The expressions in a repeated field. */
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
