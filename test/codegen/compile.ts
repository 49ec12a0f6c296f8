/** Compiles generated modules in memory, as a strict project of a user would; and runs them. Files of TypeScript's own are read once. */
import { join, posix } from 'node:path';
import ts from 'typescript';

const root = join(__dirname, '..', '..');
const FOLDER = '/generated';
const DAML = join(root, 'src', 'daml', 'model', 'daml.ts');

const options: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  isolatedModules: true,
  isolatedDeclarations: true,
  declaration: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts'],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  types: [],
};

const cached = new Map<string, ts.SourceFile | undefined>();

/** Errors of a strict compiler about the modules: empty if they are valid. */
export function complaintsAbout(texts: ReadonlyMap<string, string>): string[] {
  const own = new Map([...texts].map(([path, text]) => [posix.join(FOLDER, path), text]));
  const base = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...base,
    fileExists: (name) => own.has(name) || base.fileExists(name),
    readFile: (name) => own.get(name) ?? base.readFile(name),
    getSourceFile(name, version) {
      const text = own.get(name);
      if (text !== undefined) return ts.createSourceFile(name, text, version);
      if (!cached.has(name)) cached.set(name, base.getSourceFile(name, version));
      return cached.get(name);
    },
    resolveModuleNameLiterals: (literals, from) =>
      literals.map(({ text }) => {
        const wanted =
          text === 'canticle'
            ? DAML
            : posix.join(posix.dirname(from), text).replace(/\.js$/, '.ts');
        const isThere = own.has(wanted) || base.fileExists(wanted);
        const extension = ts.Extension.Ts;
        return { resolvedModule: isThere ? { resolvedFileName: wanted, extension } : undefined };
      }),
  };
  const program = ts.createProgram([...own.keys()], options, host);
  const complaints = [...own.keys()].flatMap((name) => {
    const file = program.getSourceFile(name)!;
    return [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
      ...program.getDeclarationDiagnostics(file),
    ];
  });
  return complaints.map(({ file, start = 0, messageText }) => {
    const { line } = file!.getLineAndCharacterOfPosition(start);
    const text = file!.text.split('\n')[line]!;
    return `${file!.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}\n${text}`;
  });
}

/** The exports of a module that runs as CommonJS. */
export function exportsOf(text: string): Record<string, unknown> {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  });
  const exports = {};
  // As Node wraps a module of CommonJS.
  const names = ['exports', 'require', 'module', '__filename', '__dirname'];
  const load = (name: string): never => {
    throw new Error(`Generated modules need nothing at run time, and not ${name}.`);
  };
  new Function(...names, outputText)(exports, load, { exports }, '', '');
  return exports;
}
