/** META-INF/MANIFEST.MF of a DAR: which entry is the main package, which its dependencies. */

export interface DarManifest {
  readonly main: string;
  /** In the manifest's order, without the main package. */
  readonly dependencies: readonly string[];
}

/** The attribute that is missing, or whose value is not understood. */
export class ManifestFault extends Error {
  override readonly name = 'ManifestFault';
}

const FORMAT = 'daml-lf';

export function readManifest(text: string): DarManifest {
  const attributes = mainAttributes(text);
  const attribute = (name: string): string => {
    const value = attributes.get(name.toLowerCase());
    if (value === undefined) throw new ManifestFault(`Cannot find attribute: ${name}`);
    return value.trim();
  };
  const main = attribute('Main-Dalf');
  const all = attribute('Dalfs');
  const format = attribute('Format');
  if (format !== FORMAT) throw new ManifestFault(`Unsupported format: ${format}`);
  const dependencies = all
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== main);
  return { main, dependencies };
}

/** The first section, up to a blank line. A line that begins with a space continues the one before. */
function mainAttributes(text: string): Map<string, string> {
  const attributes = new Map<string, string>();
  let current: string | undefined;
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (line === '') break;
    if (line.startsWith(' ')) {
      if (current === undefined) throw new ManifestFault('misplaced continuation line');
      attributes.set(current, attributes.get(current) + line.slice(1));
      continue;
    }
    const colon = line.indexOf(': ');
    if (colon < 1) throw new ManifestFault('invalid header field');
    // Names compare without case; of two with one name, the last counts.
    current = line.slice(0, colon).toLowerCase();
    attributes.set(current, line.slice(colon + 2));
  }
  return attributes;
}
