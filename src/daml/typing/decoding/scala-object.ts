/**
 * Objects of case classes, and their texts: Scala prints a class's name and its parts, `EApp(EVar(f),EVar(x))`, a tuple
 * without a name, and nothing that differs between two runs.
 */
export interface ScalaObject {
  readonly name: string;
  readonly parts: readonly ScalaPart[];
}

/** What has a text of its own has it made when it is printed. */
export type ScalaPart = string | (() => string) | ScalaObject;

/**
 * Where a text is cut off. NOTE: the real one goes on for as long as the expression does, which may be longer than any
 * string where its parts are shared; what is sent to clients ends far before.
 */
const MAX_TEXT = 100_000;

export function scalaObject(name: string, ...parts: ScalaPart[]): ScalaObject {
  return { name, parts };
}

export function scalaTuple(...parts: ScalaPart[]): ScalaObject {
  return { name: '', parts };
}

export function immArray(parts: readonly ScalaPart[]): ScalaObject {
  return { name: 'ImmArray', parts };
}

/** `Some(x)` or `None`. */
export function scalaOption(part: ScalaPart | undefined): ScalaPart {
  return part === undefined ? 'None' : scalaObject('Some', part);
}

/** Nests to any depth: what is still to be printed stands on a stack. */
export function scalaText(whole: ScalaPart): string {
  const rest = [whole];
  let text = '';
  while (rest.length > 0 && text.length <= MAX_TEXT) {
    const part = rest.pop()!;
    if (typeof part === 'string') text += part;
    else if (typeof part === 'function') text += part();
    else {
      text += `${part.name}(`;
      rest.push(')');
      for (let index = part.parts.length - 1; index >= 0; index -= 1) {
        rest.push(part.parts[index]!);
        if (index > 0) rest.push(',');
      }
    }
  }
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
