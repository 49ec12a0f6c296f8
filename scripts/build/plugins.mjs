// How esbuild takes what is no code of ours.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { root } from '../steps.mjs';
import { posixOf } from './pack.mjs';

/** Facts in files of their own, as they are: an engine reads JSON much faster than the same as code. Each is read when something of it is first asked for. */
export const factsApart = (outdir) => ({
  name: 'facts-apart',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]src[\\/].*\.json$/ }, async ({ path }) => {
      const text = JSON.stringify(JSON.parse(await readFile(path, 'utf8')));
      const name = posixOf(relative(join(root, 'src'), path)).replaceAll('/', '-');
      const folder = join(outdir, 'cjs', 'facts');
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, name), text);
      const members = Object.keys(JSON.parse(text)).map((key) => {
        const member = JSON.stringify(key);
        return `get ${member}() { return (facts ??= readFacts(${JSON.stringify(name)}))[${member}]; }`;
      });
      return {
        contents: `import { readFacts } from 'canticle:built-code'; let facts; export default { ${members.join(',')} };`,
      };
    });
  },
});

/** Of protobuf every start needs the reader and the writer of bytes alone: built in, as the package loads what belongs to its messages, too. */
export const protobufBytes = {
  name: 'protobuf-bytes',
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^@bufbuild\/protobuf\/wire$/ }, () => ({
      path: join(root, 'node_modules/@bufbuild/protobuf/dist/esm/wire/binary-encoding.js'),
      sideEffects: false,
    }));
    // Environments of test runners may have no global for what it reads and writes texts with.
    onLoad(
      { filter: /protobuf[\\/]dist[\\/]esm[\\/]wire[\\/]text-encoding\.js$/ },
      async ({ path }) => ({
        contents: `import * as util from 'node:util';${(await readFile(path, 'utf8')).replace('= globalThis', '= util')}`,
      }),
    );
  },
};
