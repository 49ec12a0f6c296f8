/** The Daml files that DARs carry, laid where a debugger finds them: `<folder>/<package>-<version>/Main/Types.daml`. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { darSources } from '../../daml/archive/zip/dar-sources.js';
import type { DamlSources } from '../../daml/lf/debugging.js';
import type { PackageId } from '../../daml/model/types.js';
import type { CodeStore } from '../../daml/lf/kept-code.js';

/** A path in a DAR: the folder of the package, and where its module is. */
const MODULE_PATH = /^[^/]+\/(.+)\.daml$/;

class DamlSourceFiles implements DamlSources {
  /** By package and module. */
  private readonly urls = new Map<string, string>();

  constructor(private readonly folder: string) {}

  add(main: PackageId, packageName: string, dar: Uint8Array): void {
    const folder = join(this.folder, packageName);
    for (const { path, text } of darSources(dar)) {
      const within = MODULE_PATH.exec(path)?.[1];
      if (within === undefined) continue;
      const file = join(folder, `${within}.daml`);
      if (!file.startsWith(folder + sep)) continue;
      write(file, text);
      this.urls.set(`${main}:${within.replaceAll('/', '.')}`, pathToFileURL(file).href);
    }
  }

  urlOf(id: PackageId, module: string): string | undefined {
    return this.urls.get(`${id}:${module}`);
  }
}

/** A file that is the same stays as it is, as somebody may look at it. */
function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  try {
    if (readFileSync(file, 'utf8') === text) return;
  } catch {
    // It is not there.
  }
  writeFileSync(file, text);
}

/** Keeps no compiled code: it is compiled to be debugged, with the sources in that folder. */
export const debuggedCode = (folder: string): CodeStore => ({
  of: () => undefined,
  sources: new DamlSourceFiles(resolve(folder)),
});
