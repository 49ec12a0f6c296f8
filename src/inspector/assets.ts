/**
 * The page's script and style: a build has them compressed beside itself; sources as they stand are bundled when they are first
 * asked for, by the same options (bundling.json), so that tests see what is there.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { BuildOptions } from 'esbuild';
import bundling from './bundling.json' with { type: 'json' };

/** What the page is made of beside its document. */
export type AssetName = 'inspector.js' | 'inspector.css';

type Assets = Readonly<Record<AssetName, Uint8Array>>;

/** From the build. */
const FOLDER = '../inspector/';

let kept: Promise<Assets> | undefined;

/** @returns it, compressed by gzip */
export async function asset(name: AssetName): Promise<Uint8Array> {
  kept ??= found();
  return (await kept)[name];
}

async function found(): Promise<Assets> {
  return built() ?? (await bundled());
}

function built(): Assets | undefined {
  const read = (name: AssetName) => readFileSync(new URL(`${FOLDER}${name}.gz`, import.meta.url));
  return existsSync(new URL(`${FOLDER}inspector.js.gz`, import.meta.url))
    ? { 'inspector.js': read('inspector.js'), 'inspector.css': read('inspector.css') }
    : undefined;
}

async function bundled(): Promise<Assets> {
  // By a name that no bundler follows: whoever has a build does not come here.
  const bundler: string = 'esbuild';
  const { build } = (await import(bundler)) as typeof import('esbuild');
  const absWorkingDir = fileURLToPath(new URL('page', import.meta.url));
  const options = bundling as BuildOptions;
  const made = await build({ ...options, absWorkingDir, outdir: 'out', write: false });
  const of = (name: AssetName) =>
    gzipSync(made.outputFiles.find(({ path }) => path.endsWith(name))!.contents);
  return { 'inspector.js': of('inspector.js'), 'inspector.css': of('inspector.css') };
}
