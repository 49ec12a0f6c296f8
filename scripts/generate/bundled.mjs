// What the generators read of the TypeScript sources: bundled in memory and imported.

/** @param contents what to export, as a module that stands in the folder */
export async function importBundled(contents, resolveDir) {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    stdin: { contents, resolveDir, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
  });
  const text = Buffer.from(outputFiles[0].contents).toString('base64');
  return import(`data:text/javascript;base64,${text}`);
}
