// Source maps of the built code, as far as a stack trace needs them.
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Nobody has the sources of packages that are built in at hand, nor of what stands for code that is loaded late. */
const isOfNobody = (source) => /node_modules\/|\blate-\w+:/.test(source);
/** Lines of sources that are told of one line of the code, if it is not minified: it was joined of hardly more. */
const TOLD = 3;
const MINIFIED = 40;

/** Maps tell the line of the source, not the column: a fifth of the bytes, and all that a stack trace is read for. */
export async function thinMaps(folder) {
  const { decode, encode } = await import('@jridgewell/sourcemap-codec');
  // Declarations are made beside this, in a folder that goes again: it is not looked into.
  const files = await readdir(folder, { recursive: true });
  for (const name of files.filter((each) => each.endsWith('.map'))) {
    const map = JSON.parse(await readFile(join(folder, name), 'utf8'));
    const lines = decode(map.mappings).map((segments) => {
      let last;
      return segments.flatMap(([column, source, line]) => {
        const told = `${source}:${line}`;
        if (source === undefined || isOfNobody(map.sources[source])) return [];
        if (told === last) return [];
        last = told;
        return [[column, source, line, 0]];
      });
    });
    // Sources stand in the repository, by their paths there.
    const sources = map.sources.map((each) =>
      isOfNobody(each) ? '' : each.replace(/^(\.\.\/)+/, ''),
    );
    const told = lines.map((each) => (each.length > MINIFIED ? each : each.slice(0, TOLD)));
    const mappings = encode(told).replace(/;+$/, '');
    const thin = { version: 3, sources, names: [], mappings };
    await writeFile(join(folder, name), JSON.stringify(thin));
  }
}
