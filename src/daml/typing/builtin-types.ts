/** The types of the builtin functions, read from their rows. */
import type { BuiltinRow } from '../archive/builtin-table.js';
import { STAR, NAT } from '../archive/lf-type.js';
import type { Type, Types } from './type.js';

/** Names as error texts show them, in the order in which a signature binds them. */
const VARIABLES = ['$alpha$', '$beta$', '$gamma$'];

export function builtinFunctionType(types: Types, { signature }: BuiltinRow): Type {
  return new Signature(types, signature).read();
}

class Signature {
  private readonly tokens: readonly string[];
  private readonly variables: readonly string[];
  private at = 0;

  constructor(
    private readonly types: Types,
    signature: string,
  ) {
    const [, bound, body] = /^(?:for ([^.]*)\. )?(.*)$/.exec(signature)!;
    this.variables = bound === undefined ? [] : bound.split(' ');
    this.tokens = body!.match(/[A-Za-z0-9]+|[→()⟨⟩:,]/g)!;
  }

  read(): Type {
    return this.variables.reduceRight(
      (body, variable, index) =>
        this.types.forall(VARIABLES[index]!, 'mno'.includes(variable) ? NAT : STAR, body),
      this.arrow(),
    );
  }

  private arrow(): Type {
    const from = this.application();
    if (this.tokens[this.at] !== '→') return from;
    this.at += 1;
    return this.types.fun(from, this.arrow());
  }

  private application(): Type {
    let type = this.atom();
    while (/^[A-Za-z0-9(⟨]/.test(this.tokens[this.at] ?? '')) {
      type = this.types.app(type, this.atom());
    }
    return type;
  }

  private atom(): Type {
    const token = this.tokens[this.at++]!;
    if (token === '(') return this.closing(this.arrow());
    if (token === '⟨') {
      const names: string[] = [];
      const fields: Type[] = [];
      do {
        names.push(this.tokens[this.at]!);
        this.at += 2;
        fields.push(this.arrow());
      } while (this.tokens[this.at++] === ',');
      return this.types.struct(names, fields);
    }
    const index = this.variables.indexOf(token);
    return index < 0 ? this.types.builtin(token) : this.types.variable(VARIABLES[index]!);
  }

  private closing(type: Type): Type {
    this.at += 1;
    return type;
  }
}
