/** Extracts the Daml sources of DARs for a debugger: `<folder>/<package>-<version>/Main/Types.daml`. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { darSources } from '../../daml/archive/zip/dar-sources.js';
import type { SourceLocation } from '../../daml/errors/source-location.js';
import { choiceSpans, type ChoiceSpan } from '../../daml/lf/counting/choice-spans.js';
import type { DamlSources } from '../../daml/lf/debugging.js';
import type { PackageId } from '../../daml/model/types.js';

/** A path in a DAR: the folder of the package, and the path of the module. */
const MODULE_PATH = /^[^/]+\/(.+)\.daml$/;

/** The target folder, and source folders of packages: `.daml,my-package=daml`. */
const FOLDERS = /^(?:([^=,]+)=)?([^=,]+)$/;

interface SourceFile {
  readonly path: string;
  readonly text: string;
}

export class DamlSourceFiles implements DamlSources {
  /** By package and module. */
  private readonly files = new Map<string, SourceFile>();
  /** By package and module. */
  private readonly choices = new Map<string, readonly ChoiceSpan[]>();
  private readonly folder: string;
  /** By the name of the package. */
  private readonly own = new Map<string, string>();

  /** @param folders the target folder; a package with a source folder of equal content uses that instead */
  constructor(folders: string) {
    let folder = '.';
    for (const each of folders.split(',')) {
      const [, name, path = each] = FOLDERS.exec(each.trim()) ?? [];
      if (name === undefined) folder = path;
      else this.own.set(name, resolve(path));
    }
    this.folder = resolve(folder);
  }

  add(main: PackageId, packageName: string, dar: Uint8Array): void {
    const folder = join(this.folder, packageName);
    const own = this.own.get(packageName.replace(/-[^-]*$/, ''));
    for (const { path, text } of darSources(dar)) {
      const within = MODULE_PATH.exec(path)?.[1];
      if (within === undefined) continue;
      const key = `${main}:${within.replaceAll('/', '.')}`;
      if (this.files.has(key)) continue;
      const file = join(folder, `${within}.daml`);
      if (!file.startsWith(folder + sep)) continue;
      const there = own && join(own, `${within}.daml`);
      if (there !== undefined && isThere(there, text)) this.files.set(key, { path: there, text });
      else {
        write(file, text);
        this.files.set(key, { path: file, text });
      }
    }
  }

  urlOf(id: PackageId, module: string): string | undefined {
    const file = this.fileOf(id, module);
    return file && pathToFileURL(file.path).href;
  }

  textOf(id: PackageId, module: string): string | undefined {
    return this.fileOf(id, module)?.text;
  }

  choiceAt(id: PackageId, module: string, choice: string): SourceLocation | undefined {
    const key = `${id}:${module}`;
    let spans = this.choices.get(key);
    if (spans === undefined) {
      spans = choiceSpans(this.files.get(key)?.text ?? '');
      this.choices.set(key, spans);
    }
    const found = spans.find(({ owner, name }) => `${owner} ${name}` === choice);
    return found && { module, line: found.line, column: found.column + 1 };
  }

  fileOf(id: PackageId, module: string): SourceFile | undefined {
    return this.files.get(`${id}:${module}`);
  }
}

function isThere(file: string, text: string): boolean {
  try {
    return readFileSync(file, 'utf8') === text;
  } catch {
    return false;
  }
}

/** Does not touch an equal file, because an editor may show it. */
function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  if (!isThere(file, text)) writeFileSync(file, text);
}
