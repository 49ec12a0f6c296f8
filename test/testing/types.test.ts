/** The sub-entrances in a project of their user: their types, from modules and from CommonJS, with both of jest's expects. */
import { join } from 'node:path';
import ts from 'typescript';
import { ensureBuilt, UserProject } from '../repository/built-package.js';

// A directive that expects an error is an error itself where there is none: so `any` would not pass.
const uses = `
expect('contract').toBeActive();
expect('contract').not.toBeOn('global');
void expect(Promise.reject(new Error())).rejects.toBeCantonError('CONTRACT_NOT_FOUND', { status: 404 }).catch(() => {});
// @ts-expect-error a synchronizer is named by its alias
void (() => expect('contract').toBeOn(7));
// @ts-expect-error there is no such matcher
void (() => expect('contract').toBeGone());
`;

const sources = {
  'globals.mts': `/// <reference types="jest" />\nimport 'canticle/jest';\nvoid (() => {${uses}});`,
  'imported.mts': [
    `import { expect } from '@jest/globals';`,
    `import { matchers, useCanticle } from 'canticle/jest';`,
    `void (() => {${uses}});`,
    `void (() => [matchers.toBeActive, useCanticle({ seed: 7 }).participant]);`,
  ].join('\n'),
  'matchers.mts': `import { matchers } from 'canticle/jest';\nconsole.log(Object.keys(matchers).length);`,
  'commonjs.cts': [
    `import { createCanticle, definePackage, defineTemplate, d, type Daml } from 'canticle';`,
    `import { ledgerHistory, requestBody } from 'canticle/fast-check';`,
    `import { mountCanticle } from 'canticle/nock';`,
    `import { lookAt } from 'canticle/jest';`,
    `import * as fc from 'fast-check';`,
    // The classes of one entrance are those of another: a package made with the one is run by the instance of the other.
    `const Note = defineTemplate({ name: 'Notes:Note', fields: { author: d.party, text: d.text }, signatories: (note) => [note.author] });`,
    `const notes = definePackage({ name: 'notes', version: '1.0.0', templates: [Note] });`,
    `const canticle = createCanticle({ packages: [notes] });`,
    `lookAt(canticle);`,
    `const author = canticle.participant.allocateParty('author');`,
    `const id: Daml.ContractIdOf<typeof Note> = canticle.participant.create(Note, { author, text: 'b' }, { actAs: author });`,
    `// @ts-expect-error no text`,
    `void (() => canticle.participant.create(Note, { author }, { actAs: author }));`,
    `const text: string = canticle.participant.activeContracts(Note)[0]!.payload.text;`,
    `void [id, text];`,
    `const [history] = fc.sample(ledgerHistory(canticle, ['#notes:Notes:Note']), { numRuns: 1, seed: 7 });`,
    `const { outcomes } = history!.run(canticle);`,
    `const [body] = fc.sample(requestBody('postV2Parties'), 1);`,
    `mountCanticle(canticle, 'https://ledger.example').remove();`,
    `void (() => canticle.faults.add({ on: ['postV2Parties', 'PackageService/UploadDar', '*'], do: { lose: 'answer' } }));`,
    `void (() => canticle.use('getDsoPartyId', { body: {} }));`,
    `// @ts-expect-error there is no such operation`,
    `void (() => canticle.faults.add({ on: 'postV2Party', do: { lose: 'answer' } }));`,
    `// @ts-expect-error there is no such operation`,
    `void (() => canticle.use(['postV2Parties', 'getDsoParty'], {}));`,
    `// @ts-expect-error a base URL is a text`,
    `void (() => mountCanticle(canticle, 7));`,
    `console.log(outcomes.some(({ outcome }) => outcome === 'accepted'), typeof body);`,
  ].join('\n'),
};

/** As most projects under ts-jest resolve modules: without the `exports` of a package. */
const classic = [
  `import { mountCanticle } from 'canticle/nock';`,
  `import { damlValue } from 'canticle/fast-check';`,
  `import { canticleRouter } from 'canticle/express';`,
  `import { useCanticle } from 'canticle/jest';`,
  `void (() => { const { token } = useCanticle({ seed: 7 });`,
  `const { instruction } = token.transfer({ from: 'a', to: 'b', amount: 1 });`,
  `token.accept(instruction, 'b'); });`,
  `void (() => [mountCanticle, damlValue, canticleRouter]);`,
  `void (() => {${uses}});`,
].join('\n');

const classicVitest = [
  `import { useCanticle } from 'canticle/vitest';`,
  `export const canticle = useCanticle({ seed: 7 });`,
  `// @ts-expect-error a seed is a number`,
  `export const other = useCanticle({ seed: 'seven' });`,
].join('\n');

const CLASSIC = ['classic.ts', 'classic-vitest.ts'];

/** TypeScript as an editor runs it, with the options of most projects under ts-jest. It reads the declarations once for all files. */
function classicService(folder: string) {
  const edited = join(folder, 'edited.ts');
  let source = '';
  let version = 0;
  const options: ts.CompilerOptions = {
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    types: ['node', 'jest'],
    module: ts.ModuleKind.CommonJS,
    moduleResolution: ts.ModuleResolutionKind.Node10,
  };
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [...CLASSIC.map((file) => join(folder, file)), edited],
    getScriptVersion: (file) => (file === edited ? String(version) : '1'),
    getScriptSnapshot: (file) => {
      const found = file === edited ? source : ts.sys.readFile(file);
      return found === undefined ? undefined : ts.ScriptSnapshot.fromString(found);
    },
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (file) => file === edited || ts.sys.fileExists(file),
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });
  const textsOf = (faults: readonly ts.Diagnostic[]) =>
    faults.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  return {
    faultsOfOptions: () => textsOf(service.getCompilerOptionsDiagnostics()),
    faultsOf(name: string): string[] {
      const file = join(folder, name);
      return textsOf([
        ...service.getSyntacticDiagnostics(file),
        ...service.getSemanticDiagnostics(file),
      ]);
    },
    /** @param text with | at the cursor @returns the completions that an editor shows there */
    shown(text: string): string[] {
      source = text.replace('|', '');
      version += 1;
      const found = service.getCompletionsAtPosition(edited, text.indexOf('|'), undefined);
      return (found?.entries ?? []).map((entry) => entry.name);
    },
  };
}

describe('the entry points of the built package', () => {
  let project: UserProject;
  let service: ReturnType<typeof classicService> | undefined;
  const inClassicWay = () => (service ??= classicService(project.folder));
  beforeAll(() => {
    ensureBuilt();
    project = new UserProject({
      ...sources,
      'classic.ts': classic,
      'classic-vitest.ts': classicVitest,
    });
    // test/repository/packaging.test.ts checks the declarations.
    project.compile('--skipLibCheck');
  }, 60_000);
  afterAll(() => project?.remove());

  it('have types with the moduleResolution node10, also canticle/vitest', () => {
    const faults = CLASSIC.flatMap((file) => inClassicWay().faultsOf(file));
    expect([...inClassicWay().faultsOfOptions(), ...faults]).toEqual([]);
  }, 60_000);

  it('complete ids of operations, and only public members of an instance', () => {
    const { shown } = inClassicWay();
    const instance = `import { createCanticle } from 'canticle';\nconst canticle = createCanticle();\n`;
    const members = shown(`${instance}canticle.|`);
    expect(members).toEqual(expect.arrayContaining(['participant', 'faults', 'use', 'urls']));
    for (const internal of ['door', 'router', 'splice', 'network', 'world', 'grpc'])
      expect(members).not.toContain(internal);
    const rules = shown(`${instance}canticle.faults.add({ on: '|', do: { lose: 'answer' } });`);
    const answers = shown(`${instance}canticle.use('|', {});`);
    for (const ids of [rules, answers]) {
      expect(ids).toEqual(expect.arrayContaining(['*', 'postV2Parties', 'getDsoPartyId']));
      expect(ids.length).toBeGreaterThan(330);
    }
  }, 60_000);

  it('work in CommonJS, together', () => {
    expect(project.run('commonjs.cjs')).toBe('true object\n');
  });

  it('can be imported without the globals of a runner', () => {
    expect(project.run('matchers.mjs')).toBe('14\n');
  });
});
