// The public names of the package, read from its bundled declarations: each with its docstring and its members. Types
// of other
// packages are left unread, so that this takes a moment.
import { readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { root } from '../steps.mjs';
import { ts } from '../typescript.mjs';

const built = join(root, 'dist', 'cjs');

/** The declarations of each entrance, by its name: `index`, `express`, `testing/jest` … */
function entrances() {
  const files = readdirSync(built).concat(
    readdirSync(join(built, 'testing')).map((name) => `testing/${name}`),
  );
  return files.filter((name) => name.endsWith('.d.ts')).sort();
}

function program() {
  const options = { noLib: true, types: [], module: ts.ModuleKind.NodeNext };
  const host = ts.createCompilerHost(options);
  host.resolveModuleNameLiterals = (names, file) =>
    names.map(({ text }) => {
      const resolvedFileName = resolve(dirname(file), text.replace(/\.js$/, '.d.ts'));
      const found = { resolvedFileName, extension: '.d.ts', isExternalLibraryImport: false };
      return { resolvedModule: text.startsWith('.') ? found : undefined };
    });
  return ts.createProgram(
    entrances().map((name) => join(built, name)),
    options,
    host,
  );
}

/**
 * @returns each entry point with its exports: name, kind, doc and the type as written. Interfaces, classes and
 * object types also have members
 */
export function publicNames() {
  const whole = program();
  const checker = whole.getTypeChecker();
  return entrances().map((file) => {
    const source = whole.getSourceFile(join(built, file));
    const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(source));
    return {
      entrance: file.replace(/\.d\.ts$/, '').replace(/^testing\//, ''),
      names: exported.map((symbol) => described(checker, symbol)),
    };
  });
}

function described(checker, exported) {
  const symbol =
    exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
  const declarations = symbol.declarations ?? [];
  return {
    name: exported.name,
    symbol: symbol.name,
    file: declarations[0] && relative(root, declarations[0].getSourceFile().fileName),
    /** Of another package, or a file as a whole, which has its header. */
    isForeign: declarations.length === 0 || declarations.some(isModule),
    doc: docOf(checker, symbol),
    heirOf: declarations.flatMap((declaration) => heirs(checker, declaration)),
    members: declarations.flatMap((declaration) => membersOf(checker, declaration)),
  };
}

/** The base types of an interface, with their members. Types made of others, such as `Omit`, are left out. */
const heirs = (checker, declaration) =>
  (declaration.heritageClauses ?? [])
    .flatMap(({ types }) => types)
    .map(({ expression }) => checker.getSymbolAtLocation(expression))
    .filter((symbol) => symbol?.declarations !== undefined || symbol?.flags & ts.SymbolFlags.Alias)
    .map((symbol) => described(checker, symbol));

const isModule = (declaration) =>
  ts.isModuleDeclaration(declaration) || ts.isSourceFile(declaration);

const docOf = (checker, symbol) =>
  ts.displayPartsToString(symbol.getDocumentationComment(checker)) +
  symbol
    .getJsDocTags(checker)
    .map(({ name, text }) => ` @${name} ${ts.displayPartsToString(text)}`)
    .join('');

function membersOf(checker, declaration) {
  const written =
    declaration.members ??
    (ts.isTypeAliasDeclaration(declaration) && ts.isTypeLiteralNode(declaration.type)
      ? declaration.type.members
      : []);
  const members = [];
  const seen = new Set();
  for (const member of written) {
    const isHidden =
      ts.getCombinedModifierFlags(member) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected);
    const name = member.name?.getText();
    if (
      isHidden ||
      name === undefined ||
      name.startsWith('#') ||
      ts.isConstructorDeclaration(member)
    )
      continue;
    if (seen.has(name)) continue;
    seen.add(name);
    const symbol = member.symbol;
    members.push({
      name,
      doc: docOf(checker, symbol),
      isOptional: member.questionToken !== undefined,
      type: (member.type?.getText() ?? '').replace(/\s+/g, ' '),
      text: member
        .getText()
        .replace(/\s+/g, ' ')
        .replace(/^(readonly|get) /, '')
        .replace(/;$/, ''),
    });
  }
  return members;
}
