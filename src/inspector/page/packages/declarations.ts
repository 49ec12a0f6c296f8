/** The declarations of packages as lines with keys, so that the page can show two versions side by side. */
import type { InspectedField, InspectedPackage } from '../../../spec/generated/control.js';

interface Line {
  /** Identifies the line: the same key in both versions means the same declaration. */
  readonly key: string;
  readonly text: string;
}

/** The lines by keys such as `template Module:Name`. */
type Declarations = ReadonlyMap<string, readonly Line[]>;

export interface AlignedDeclaration {
  readonly name: string;
  readonly lines: readonly {
    readonly left?: string;
    readonly right?: string;
    readonly change: 'same' | 'changed' | 'added' | 'removed';
  }[];
}

const fieldLines = (fields: readonly InspectedField[], within = '', indent = '  '): Line[] =>
  fields.map(({ name, type }) => ({
    key: `${within}.${name}`,
    text: `${indent}${name}${type == null ? '' : ` : ${type}`}`,
  }));

export function declarationsOf({ modules }: InspectedPackage): Declarations {
  const found = new Map<string, Line[]>();
  for (const module of modules) {
    const choices = (all: (typeof module.interfaces)[number]['choices']): Line[] =>
      all.flatMap(({ name, consuming, fields, result }) => [
        {
          key: `choice ${name}`,
          text: `  ${consuming ? '' : 'nonconsuming '}choice ${name} : ${result}`,
        },
        ...fieldLines(fields, `choice ${name}`, '    '),
      ]);
    for (const { name, fields, key, implements: all, choices: own } of module.templates)
      found.set(`template ${module.name}:${name}`, [
        ...fieldLines(fields),
        ...(key == null ? [] : [{ key: 'key', text: `  key ${key}` }]),
        ...all.map((each) => ({ key: `implements ${each}`, text: `  implements ${each}` })),
        ...choices(own),
      ]);
    for (const { name, view, requires, choices: own } of module.interfaces)
      found.set(`interface ${module.name}:${name}`, [
        { key: 'view', text: `  view ${view}` },
        ...requires.map((each) => ({ key: `requires ${each}`, text: `  requires ${each}` })),
        ...choices(own),
      ]);
    for (const { name, params, kind, fields } of module.types)
      found.set(`${kind} ${module.name}:${name}`, [
        ...(params.length === 0 ? [] : [{ key: 'params', text: `  of ${params.join(' ')}` }]),
        ...fieldLines(fields),
      ]);
  }
  return found;
}

export function aligned(older: Declarations, newer: Declarations): AlignedDeclaration[] {
  const names = [...new Set([...older.keys(), ...newer.keys()])].sort();
  return names.map((name) => {
    const [left, right] = [older.get(name), newer.get(name)];
    const before = new Map(left?.map(({ key, text }) => [key, text]));
    const after = new Map(right?.map(({ key, text }) => [key, text]));
    const keys = inOrder(left ?? [], right ?? []);
    const lines = keys.map((key) => sides(before.get(key), after.get(key)));
    const whole = sides(left && name, right && name);
    return {
      name,
      lines: lines.length === 0 || whole.change !== 'same' ? [whole, ...lines] : lines,
    };
  });
}

function sides(left: string | undefined, right: string | undefined) {
  if (left === undefined) return { right: right!, change: 'added' as const };
  if (right === undefined) return { left, change: 'removed' as const };
  return { left, right, change: left === right ? ('same' as const) : ('changed' as const) };
}

/** In the order of the newer version. A removed line follows its old predecessor. */
function inOrder(left: readonly Line[], right: readonly Line[]): string[] {
  const keys = right.map(({ key }) => key);
  left.forEach(({ key }, index) => {
    if (keys.includes(key)) return;
    const before = left[index - 1]?.key;
    keys.splice(before === undefined ? 0 : keys.indexOf(before) + 1, 0, key);
  });
  return keys;
}
