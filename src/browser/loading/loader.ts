/**
 * Loads the packs of the build in a page or a worker. The packs are the same files that Node loads (src/assembly/cache/built-code.ts). Here
 * the modules of Node that they require are those of `platform`.
 */
import { bytesIn } from '../platform/bytes.js';
import { missingModule, notInBrowser } from '../platform/missing.js';
import { builtIns, globals, packages, importPackage } from '../platform/modules.js';
import { PartNotLoaded } from './part-not-loaded.js';

type Require = ((id: string) => unknown) & { readonly ready: (id: string) => Promise<void> };

/** The default export of a pack. */
type Pack = (
  exports: object,
  require: Require,
  module: { exports: object },
  importMetaUrl: string,
) => void;

/** The exports of a pack: a function for each of its sources that other packs use. */
type Members = Readonly<Record<string, () => object>>;

/** The files of the build. */
export interface Files {
  /** The packs that every page needs. */
  readonly first: Readonly<Record<string, Pack>>;
  /** Other packs. */
  readonly packs: Readonly<Record<string, () => Promise<{ readonly default: Pack }>>>;
  /** Facts, and validators, which are compressed and in base64. */
  readonly texts: Readonly<Record<string, () => Promise<{ readonly default: string | object }>>>;
  /** By source that is loaded by name: the packs that its code needs. */
  readonly needs: Readonly<Record<string, readonly string[]>>;
}

export class PageLoader {
  private readonly packs = new Map<string, Members>();
  private readonly loaded = new Map<string, unknown>();
  private readonly arriving = new Map<string, Promise<void>>();

  constructor(private readonly files: Files) {
    for (const [name, pack] of Object.entries(files.first)) this.add(name, pack);
  }

  /** The exports of a source. @param place `PACK#SOURCE` @throws PartNotLoaded */
  load(place: string): object {
    let exported = this.loaded.get(place) as object | undefined;
    if (exported === undefined) {
      const [file, source] = place.split('#') as [string, string];
      const members = this.packs.get(file);
      if (members === undefined)
        throw file in this.files.packs ? new PartNotLoaded(source) : notInBrowser(file);
      exported = members[source]!();
      this.loaded.set(place, exported);
    }
    return exported;
  }

  private add(name: string, pack: Pack): void {
    const module = { exports: {} as Members };
    pack(module.exports, this.require, module, import.meta.url);
    this.packs.set(name, module.exports);
  }

  private readonly require: Require = Object.assign((id: string): unknown => this.find(id), {
    ready: (id: string) => this.ready(id),
  });

  private find(id: string): unknown {
    if (id === 'globals') return globals;
    if (id === 'loader') return { runHere: undefined, saveBuiltCode: () => undefined };
    if (id.endsWith('/pako/index.js')) return packages['pako'];
    if (id.startsWith('pack')) return this.load(id);
    if (id.startsWith('node:')) return builtIns[id] ?? missingModule(id);
    if (id in this.files.texts) {
      if (this.loaded.has(id)) return this.loaded.get(id);
      throw new PartNotLoaded(id);
    }
    return packages[id] ?? missingModule(id);
  }

  /** Resolves when the code of the source, and the code that it needs, is loaded. */
  private async ready(id: string): Promise<void> {
    const place = id.split('#')[0]!;
    const needed = [place, ...(this.files.needs[id] ?? [])];
    await Promise.all(needed.map((each) => this.arrive(each)));
  }

  private arrive(file: string): Promise<void> {
    let arrival = this.arriving.get(file);
    if (arrival === undefined) {
      // A failed request can be repeated.
      arrival = this.fetched(file).catch((error: unknown) => {
        this.arriving.delete(file);
        throw error;
      });
      this.arriving.set(file, arrival);
    }
    return arrival;
  }

  private async fetched(file: string): Promise<void> {
    const { packs, texts } = this.files;
    if (file in packs) this.add(file, (await packs[file]!()).default);
    else if (file in texts) this.loaded.set(file, await valueOf((await texts[file]!()).default));
    else await importPackage(file);
  }
}

async function uncompressed(base64: string): Promise<string> {
  const packed = new Blob([bytesIn(base64, 'base64') as Uint8Array<ArrayBuffer>]).stream();
  const { Response } = globalThis;
  return new Response(packed.pipeThrough(new DecompressionStream('gzip'))).text();
}

/** Facts as they are, or compressed code. */
async function valueOf(content: string | object): Promise<unknown> {
  if (typeof content !== 'string') return content;
  const module = { exports: {} };
  new Function('module', 'exports', await uncompressed(content))(module, module.exports);
  return module.exports;
}
