/** The packs that pages load require only modules of Node that have replacements, or whose use is refused. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtIns } from '../../src/browser/platform/modules.js';
import { ensureBuilt, root } from '../repository/built-package.js';

/** Parts of these modules are loaded in pages, but never run there. */
const REFUSED = [
  ...['node:fs', 'node:http', 'node:net', 'node:os', 'node:path', 'node:stream'],
  ...['node:stream/promises', 'node:url', 'node:v8', 'node:worker_threads'],
];

beforeAll(ensureBuilt, 60_000);

const packsOfPages = (): string[] => {
  const folder = join(root, 'dist', 'browser');
  const text = readFileSync(join(folder, 'index.js'), 'utf8');
  const loader = /from"\.\/(chunk-[^"]+)"/.exec(text)![1]!;
  const names = readFileSync(join(folder, loader), 'utf8').matchAll(
    /cjs\/packs\/(pack[\w-]*\.js)/g,
  );
  return [...new Set([...names].map(([, name]) => name!))].sort();
};

interface Use {
  readonly module: string;
  readonly member: string;
}

/** The members of Node's modules that a pack uses. */
function usesIn(pack: string): Use[] {
  const code = readFileSync(join(root, 'dist/cjs/packs', pack), 'latin1');
  const imports = code.matchAll(/(import_\w+) ?= ?(?:__toESM\()?require\("(node:[\w/]+)"\)/g);
  return [...imports].flatMap(([, variable, module]) => {
    const members = code.matchAll(new RegExp(`\\b${variable}\\.(\\w+)`, 'g'));
    return [...new Set([...members].map(([, member]) => member!))].map((member) => ({
      module: module!,
      member,
    }));
  });
}

it('each member that they use exists', () => {
  const packs = packsOfPages();
  expect(packs).toEqual(expect.arrayContaining(['pack.js', 'pack-often.js', 'pack-daml.js']));
  expect(packs).not.toContain('pack-grpc.js');
  const uses = packs.flatMap(usesIn);
  expect(uses).toContainEqual({ module: 'node:crypto', member: 'createHash' });
  const lacking = uses.filter(({ module, member }) => {
    if (REFUSED.includes(module)) return false;
    const replacement = builtIns[module] as object | undefined;
    return replacement === undefined || !(member in replacement);
  });
  expect(lacking.map(({ module, member }) => `${module} ${member}`)).toEqual([]);
});
