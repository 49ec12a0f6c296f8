/**
 * Documentation comments of Daml sources: `-- |` and `{-|` precede the documented item, `-- ^` follows it. The
 * reader uses lines and indentation, and parses only as much of the language as names need. Items that it cannot
 * parse have no comment.
 */

/** By name: '' is the module, `Iou` a declaration or choice, `Iou.owner` a field, `Shape.Circle` a constructor. */
export type Documentation = ReadonlyMap<string, string>;

const NO_DOCUMENTATION: Documentation = new Map();

const DECLARATION = /^(template|interface|data|newtype|exception)\s+(?:instance\s+)?([A-Z]\w*)/;
const MODULE = /^module\s+([A-Z][\w.]*)/;
const CHOICE = /^\s*(?:(?:non|pre|post)?consuming\s+)?choice\s+([A-Z]\w*)/;
const CONSTRUCTOR = /(?:^|[=|])\s*([A-Z]\w*)/g;
const FIELD = /(?:^|\bwith\b|[;,{])\s*([a-z_][\w']*(?:\s*,\s*[a-z_][\w']*)*)\s*:(?!:)/g;

/** The module name in the header of a source. */
export const moduleNameOf = (source: string): string | undefined =>
  source.match(new RegExp(MODULE, 'm'))?.[1];

export function documentationOf(source: string | undefined): Documentation {
  return source === undefined ? NO_DOCUMENTATION : new Reader().read(source);
}

class Reader {
  private readonly found = new Map<string, string>();
  /** The comment for the next item. */
  private pending: string[] | undefined;
  /** The comment that the current lines continue, and its items if they are known. */
  private open:
    | { readonly lines: string[]; readonly about: readonly string[] | undefined }
    | undefined;
  /** The names in the last line of code. */
  private last: readonly string[] = [];
  private data: string | undefined;
  /** Whether its last line ended before a constructor. */
  private isHanging = false;
  /** The owners of the fields that follow. */
  private owners: readonly string[] = [];

  read(source: string): Documentation {
    const lines = source.split(/\r?\n/);
    for (let at = 0; at < lines.length; at += 1) {
      const line = lines[at]!;
      const block = /^\s*\{-\s*\|(.*)$/.exec(line);
      if (block !== null || /^\s*\{-/.test(line)) {
        const from = at;
        while (at < lines.length && !lines[at]!.includes('-}')) at += 1;
        if (block !== null) this.pending = blockText(lines.slice(from, at + 1));
        this.close();
      } else this.line(line);
    }
    this.close();
    return this.found;
  }

  private line(line: string): void {
    const [, code = '', comment] = /^((?:[^"-]|"(?:[^"\\]|\\.)*"|-(?!-))*)(?:--+(.*))?$/.exec(
      line,
    ) ?? [, line];
    if (code.trim() !== '') {
      this.close();
      this.last = this.code(code.trimEnd());
      if (this.last.length > 0) this.pending = undefined;
    }
    if (comment === undefined) {
      if (code.trim() === '') this.close();
      return;
    }
    const [, mark, text = ''] = /^\s*([|^])?\s?(.*)$/.exec(comment)!;
    if (mark === '|') {
      this.close();
      this.open = { lines: [text], about: undefined };
    } else if (mark === '^') {
      this.close();
      this.open = { lines: [text], about: this.last };
    } else this.open?.lines.push(text);
  }

  private close(): void {
    if (this.open === undefined) return;
    const { lines, about } = this.open;
    this.open = undefined;
    if (about === undefined) this.pending = lines;
    else for (const name of about) this.addText(name, lines);
  }

  private addText(name: string, lines: readonly string[]): void {
    const text = lines.join('\n').trim();
    if (text !== '' && !this.found.has(name)) this.found.set(name, text);
  }

  /** @returns the names in the line. A preceding comment documents the first. */
  private code(code: string): readonly string[] {
    const named = [...this.names(code)];
    const [first] = named;
    if (first !== undefined && this.pending !== undefined)
      for (const name of first) this.addText(name, this.pending);
    return named.at(-1) ?? [];
  }

  private *names(code: string): Iterable<readonly string[]> {
    if (MODULE.test(code)) return yield [''];
    let rest = code;
    const declaration = DECLARATION.exec(code);
    const choice = CHOICE.exec(code);
    if (declaration !== null) {
      const [whole, kind, name] = declaration;
      this.isHanging = false;
      this.data = kind === 'data' || kind === 'newtype' ? name! : undefined;
      this.owners = [name!];
      yield [name!];
      rest = code.slice(whole.length);
    } else if (choice !== null) {
      this.data = undefined;
      this.owners = [choice[1]!];
      yield [choice[1]!];
      rest = code.slice(choice[0].length);
    } else if (/^\S/.test(code)) {
      // A function, an instance or an import: the generated code does not contain it.
      this.data = undefined;
      this.owners = [];
      return;
    }
    if (this.data !== undefined) rest = yield* this.constructors(rest, this.data);
    for (const [, fields = ''] of rest.trimStart().matchAll(FIELD))
      yield fields
        .split(',')
        .flatMap((field) => this.owners.map((owner) => `${owner}.${field.trim()}`));
  }

  /** The constructors in a line of a data type, before their fields. */
  private *constructors(code: string, data: string): Generator<readonly string[], string> {
    const text = (this.isHanging ? '| ' : '') + code.trimStart();
    this.isHanging = /[=|]\s*$/.test(text);
    if (!/[=|]/.test(text.split(/\bwith\b|:/)[0]!)) return code;
    let rest = code;
    for (const found of text.split(/\bwith\b|\bderiving\b/)[0]!.matchAll(CONSTRUCTOR)) {
      const name = found[1]!;
      const constructor = `${data}.${name}`;
      this.owners = name === data ? [data] : [constructor, data];
      yield [constructor];
      rest = text.slice(found.index + found[0].length);
    }
    return rest;
  }
}

function blockText(lines: readonly string[]): string[] {
  const text = lines
    .join('\n')
    .replace(/^\s*\{-\s*\|/, '')
    .replace(/-\}[^]*$/, '');
  return text.split('\n').map((line) => line.trim());
}
