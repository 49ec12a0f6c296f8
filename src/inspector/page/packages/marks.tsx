/** The lines of templates and choices in the Daml source of a module, with the number of uses. */
import type { ComponentChildren } from 'preact';
import type { InspectedModule } from '../../../spec/generated/control.js';
import { Badge } from '../parts/frames.js';
import type { Counts } from './coverage.js';

export interface Marked {
  /** Lines, from 1, by the name of the template, interface or choice. */
  readonly places: ReadonlyMap<string, number>;
  readonly marks: ReadonlyMap<number, 'hit' | 'missed'>;
  readonly notes: ReadonlyMap<number, ComponentChildren>;
}

const DECLARED =
  /^(\s*)(template|interface|(?:(?:non|pre|post)consuming\s+)?choice)\s+([A-Z][\w']*)/;

export function marksIn(
  text: string,
  module: InspectedModule | undefined,
  counts: Counts | undefined,
): Marked {
  const places = new Map<string, number>();
  const marks = new Map<number, 'hit' | 'missed'>();
  const notes = new Map<number, ComponentChildren>();
  const lines = text.split('\n');
  let template = '';
  /** The choice that contains a line: it ends at a line with less or equal indentation. */
  let open: { readonly indent: number; readonly mark: 'hit' | 'missed' } | undefined;
  lines.forEach((line, index) => {
    const number = index + 1;
    const indent = line.search(/\S/);
    if (open !== undefined && indent >= 0 && indent <= open.indent) open = undefined;
    const [, , kind = '', name = ''] = DECLARED.exec(line) ?? [];
    if (kind !== '' && !places.has(name)) places.set(name, number);
    if (kind === 'template') template = name;
    if (counts !== undefined && (kind === 'template' || kind.endsWith('choice'))) {
      const owner = `${module?.name}:${template}`;
      const count = counts.get(kind === 'template' ? owner : `${owner} ${name}`);
      if (count !== undefined) {
        const mark = count > 0 ? 'hit' : 'missed';
        notes.set(number, <Badge kind={count > 0 ? 'create' : 'refused'}>{count} ×</Badge>);
        marks.set(number, mark);
        if (kind !== 'template') open = { indent, mark };
      }
    } else if (open !== undefined && indent > open.indent) marks.set(number, open.mark);
  });
  return { places, marks, notes };
}
