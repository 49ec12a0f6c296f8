/** The built package works in a project of its user, from an ES module and from CommonJS, with types in both. */
import manifest from '../../package.json' with { type: 'json' };
import { useTemporaryFolder } from '../support/temporary-folder.js';
import { ensureBuilt, packed, root, run, UserProject } from './built-package.js';

const use = `
const canticle: Canticle = await startCanticle({ seed: 7 });
const answer = await fetch(\`\${canticle.urls.ledgerApi}/livez\`);
const inside = await canticle.fetch(new Request('http://localhost/livez'));
canticle.app.get('/orders', (request, response) => void response.json(request.query));
express().use('/ledger', canticleRouter(canticle));
console.log(answer.status, inside.status, typeof canticle.port);
await canticle.close();
`;

// A directive that expects an error is an error itself where there is none: so \`any\` would not pass.
const misuse = `
// @ts-expect-error a seed is a number
void (() => startCanticle({ seed: 'seven' }));
// @ts-expect-error a participant is told by its name
void ((canticle: Canticle) => canticleRouter(canticle, { participant: 7 }));
// @ts-expect-error an application of Express has no such method
void (({ app }: Canticle) => app.sing());
`;

const vitest = `
import { useCanticle } from 'canticle/vitest';
export const canticle = useCanticle({ seed: 7 });
// @ts-expect-error a seed is a number
export const other = useCanticle({ seed: 'seven' });
`;

/** Each entrance that has types, so that the strictest options there are meet all of them. */
const everything = Object.entries(manifest.exports)
  .filter(([, target]) => JSON.stringify(target).includes('types'))
  .map(([name], n) => `export * as entrance${n} from 'canticle${name.slice(1)}';`);

const sources = {
  'everything.mts': everything.join('\n'),
  'vitest-commonjs.cts': vitest,
  'vitest-module.mts': vitest,
  'module.mts': [
    `import { startCanticle, type Canticle } from 'canticle';`,
    `import { canticleRouter } from 'canticle/express';`,
    `import express from 'express';${misuse}${use}`,
  ].join('\n'),
  'both.mts': [
    `import { createRequire } from 'node:module';`,
    `import * as imported from 'canticle';`,
    `const required = createRequire(import.meta.url)('canticle') as typeof imported;`,
    `const names = Object.keys(imported) as (keyof typeof imported)[];`,
    `console.log(names.length > 20, names.filter((name) => imported[name] !== required[name]));`,
  ].join('\n'),
  'commonjs.cts': [
    `import canticlePackage = require('canticle');`,
    'const { startCanticle } = canticlePackage;',
    'type Canticle = canticlePackage.Canticle;',
    `import { canticleRouter } from 'canticle/express';`,
    `import express = require('express');`,
    `${misuse}void (async () => {${use}})();`,
  ].join('\n'),
};

describe('the built package', () => {
  const home = useTemporaryFolder();
  let project: UserProject;
  beforeAll(() => {
    ensureBuilt();
    project = new UserProject(sources);
    project.compile();
  }, 60_000);
  afterAll(() => project?.remove());

  it("has types at each entry point, which pass TypeScript's strictest checks", () => {
    // The compiler has checked them (see `compilerOptions`): TypeScript 5.9 takes about 7 s, 1 s of it for our
    // declarations.
    expect(everything).toHaveLength(16);
    expect(everything.join('\n')).toContain(`'canticle/fixtures'`);
  });

  it('can be imported by an ES module', () => {
    expect(project.run('module.mjs')).toBe('200 200 number\n');
  });

  it('is the same module for import and require', () => {
    expect(project.run('both.mjs')).toBe('true []\n');
  });

  it('is at most 10 MB, and publint and "Are the types wrong?" find no faults', () => {
    const { listing } = packed(home());
    expect(run('node', ['scripts/lint-package.mjs', listing], root)).toMatch(
      /^package: \d\.\d+ MB in \d+ files\n$/,
    );
  }, 60_000);

  it('can be required by CommonJS', () => {
    expect(project.run('commonjs.cjs')).toBe('200 200 number\n');
  });
});
