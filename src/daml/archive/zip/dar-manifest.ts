/** META-INF/MANIFEST.MF of a DAR: which entry is the main package, which its dependencies. Read as the JVM reads it. */

export interface DarManifest {
  readonly main: string;
  /** In the manifest's order, without the main package. */
  readonly dependencies: readonly string[];
}

/** A required attribute is missing or has an invalid value. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError';
}

/** The JVM's own reader refuses it, in these words. */
export class MalformedManifest extends Error {
  override readonly name = 'MalformedManifest';
}

const FORMAT = 'daml-lf';
const HEADER_NAME = /^[\w-]{1,70}$/;
/** Bytes of a line without its end. */
const LONGEST_LINE = 511;

export function readManifest(text: string): DarManifest {
  const attributes = mainAttributes(text);
  const attribute = (name: string): string => {
    const value = attributes.get(name.toLowerCase());
    if (value === undefined) throw new ManifestError(`Cannot find attribute: ${name}`);
    return value.trim();
  };
  const main = attribute('Main-Dalf');
  const all = attribute('Dalfs');
  const format = attribute('Format');
  if (format !== FORMAT) throw new ManifestError(`Unsupported format: ${format}`);
  const dependencies = parts(all)
    .map((name) => name.trim())
    .filter((name) => name !== main);
  return { main, dependencies };
}

/** As Java splits at commas: empty parts at the end do not count, but an empty text is one part. */
function parts(text: string): readonly string[] {
  if (text === '') return [text];
  const trimmed = text.replace(/,+$/, '');
  return trimmed === '' ? [] : trimmed.split(',');
}

/** The attributes of the first section. Other sections start with their name after an empty line, and are ignored. */
function mainAttributes(text: string): Map<string, string> {
  // A last line without its end is not read.
  const lines = text.split(/\r\n|\r|\n/).slice(0, -1);
  const main = new Map<string, string>();
  let end = readSection(lines, 0, main);
  for (;;) {
    while (lines[end] === '') end += 1;
    if (end >= lines.length) return main;
    if (!/^name: /i.test(lines[end]!)) throw invalid('manifest format', end);
    end = readSection(lines, end, new Map());
  }
}

/** A line that begins with a space continues the one before. @returns the index of the blank line that ends it */
function readSection(
  lines: readonly string[],
  start: number,
  attributes: Map<string, string>,
): number {
  let current: string | undefined;
  let at = start;
  for (; at < lines.length && lines[at] !== ''; at += 1) {
    const line = lines[at]!;
    if (Buffer.byteLength(line) > LONGEST_LINE) throw error('line too long', at);
    if (line.startsWith(' ')) {
      if (current === undefined) throw error('misplaced continuation line', at);
      attributes.set(current, attributes.get(current) + line.slice(1));
      continue;
    }
    const colon = line.indexOf(':');
    if (colon < 0 || line[colon + 1] !== ' ') throw invalid('header field', at);
    const name = line.slice(0, colon);
    if (!HEADER_NAME.test(name)) throw invalid(`header field name: ${name}`, at);
    // Names compare without case; of two with one name, the last counts.
    current = name.toLowerCase();
    attributes.set(current, line.slice(colon + 2));
  }
  return at;
}

const error = (what: string, at: number): MalformedManifest =>
  new MalformedManifest(`${what} (line ${at + 1})`);
const invalid = (what: string, at: number): MalformedManifest => error(`invalid ${what}`, at);
