/** DARs for tests: encoded packages in a zip with a manifest, or any entries at all. */
import { strToU8, zipSync } from 'fflate';
import type { EncodedPackage } from './lf-encoder.js';

export function entryName({ name, version, id }: EncodedPackage): string {
  return `${name}-${version}-${id}.dalf`;
}

/** Lines of at most 72 bytes, continued with a space, as jar tools write them. */
export function manifestOf(attributes: Readonly<Record<string, string>>): string {
  const lines = Object.entries(attributes).flatMap(([name, value]) => {
    const line = `${name}: ${value}`;
    const rest = line.slice(72).match(/.{1,71}/g) ?? [];
    return [line.slice(0, 72), ...rest.map((chunk) => ` ${chunk}`)];
  });
  return [...lines, '', ''].join('\r\n');
}

export function zipOf(entries: Readonly<Record<string, Uint8Array | string>>): Uint8Array {
  const files = Object.entries(entries).map(([name, content]) => [
    name,
    typeof content === 'string' ? strToU8(content) : content,
  ]);
  return zipSync(Object.fromEntries(files) as Record<string, Uint8Array>);
}

export function manifestFor(
  main: EncodedPackage,
  dependencies: readonly EncodedPackage[] = [],
): string {
  return manifestOf({
    'Manifest-Version': '1.0',
    'Created-By': 'canticle tests',
    'Main-Dalf': entryName(main),
    Dalfs: [main, ...dependencies].map(entryName).join(', '),
    Format: 'daml-lf',
    Encryption: 'non-encrypted',
  });
}

export function buildDar(main: EncodedPackage, ...dependencies: EncodedPackage[]): Uint8Array {
  return zipOf({
    'META-INF/MANIFEST.MF': manifestFor(main, dependencies),
    ...Object.fromEntries([main, ...dependencies].map((one) => [entryName(one), one.dalf])),
  });
}
