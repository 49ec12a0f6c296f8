/** The built package works in a project of its user, from an ES module and from CommonJS, with types in both. */
import { ensureBuilt, UserProject } from './built-package.js';

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

const sources = {
  'vitest-commonjs.cts': vitest,
  'vitest-module.mts': vitest,
  'module.mts': [
    `import { startCanticle, type Canticle } from 'canticle';`,
    `import { canticleRouter } from 'canticle/express';`,
    `import express from 'express';${misuse}${use}`,
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
  let project: UserProject;
  beforeAll(() => {
    ensureBuilt();
    project = new UserProject(sources);
    project.compile();
  }, 60_000);
  afterAll(() => project?.remove());

  it('is found as older projects resolve, canticle/vitest as well', () => {
    const options = '--noEmit --strict --skipLibCheck --types node --target es2022';
    const resolution = '--module commonjs --moduleResolution node10 --ignoreDeprecations 5.0';
    const file = 'vitest-commonjs.cts';
    project.compileWith('typescript', ...options.split(' '), ...resolution.split(' '), file);
  }, 60_000);

  it('is imported by an ES module', () => {
    expect(project.run('module.mjs')).toBe('200 200 number\n');
  });

  it('is required by CommonJS', () => {
    expect(project.run('commonjs.cjs')).toBe('200 200 number\n');
  });
});
