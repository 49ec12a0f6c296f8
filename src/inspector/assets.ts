/**
 * The page's script and style. A build has them as compressed files in its folder. When Canticle runs from sources,
 * the first request bundles them with the same options (bundling.json), so that tests see the current sources.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { BuildOptions } from 'esbuild';
import bundling from './bundling.json' with { type: 'json' };

/** The files of the page in addition to its document. */
export type AssetName = 'inspector.js' | 'inspector.css';

type Assets = Readonly<Record<AssetName, Uint8Array>>;

/** Reads the file from the build. */
const FOLDER = '../inspector/';

let assets: Promise<Assets> | undefined;

/** @returns it, compressed by gzip */
export async function asset(name: AssetName): Promise<Uint8Array> {
  assets ??= found();
  return (await assets)[name];
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
  // The module's name is a variable, so that no bundler follows it. A build never runs this code.
  const bundler: string = 'esbuild';
  const { build } = (await import(bundler)) as typeof import('esbuild');
  const absWorkingDir = fileURLToPath(new URL('page', import.meta.url));
  const options = bundling as BuildOptions;
  const made = await build({ ...options, absWorkingDir, outdir: 'out', write: false });
  const of = (name: AssetName) =>
    gzipSync(made.outputFiles.find(({ path }) => path.endsWith(name))!.contents);
  return { 'inspector.js': of('inspector.js'), 'inspector.css': of('inspector.css') };
}
