/**
 * The core of `canticle codegen`, without file access: turns packages into the texts of TypeScript modules. The
 * modules need no library at run time; their types refer to the type namespace `Daml` of the package `canticle`.
 */
import type { DamlPackage } from '../daml/model/package.js';
import type { PackageId, TypeId } from '../daml/model/types.js';
import { definitionText, docText, type Writing } from './definitions.js';
import { documentationOf } from './documentation.js';
import { layOut, type ModuleFile } from './layout.js';
import { selectEntities, type Packages } from './selection.js';
import { ModuleView } from './type-text.js';

export interface CodegenInput {
  /** The packages that are written completely. */
  readonly main: readonly DamlPackage[];
  /** The main packages and all their dependencies. */
  readonly packages: readonly DamlPackage[];
  /** The source of a module, if it is known. */
  readonly source?: (id: PackageId, module: string) => string | undefined;
}

/** The first line of each file, which identifies files of an earlier run. */
export const GENERATED_MARK = '// Written by `canticle codegen`';

/** Texts by path, with `/`, from the output folder. The same packages give the same texts. */
export function generateTypeScript(input: CodegenInput): ReadonlyMap<string, string> {
  const packages: Packages = new Map(input.packages.map((one) => [one.id, one]));
  const main = new Set(input.main.map(({ id }) => id));
  const files = layOut(selectEntities(main, packages), packages);
  const fileOf = new Map<TypeId, ModuleFile>();
  for (const file of files) for (const { id } of file.entities) fileOf.set(id, file);
  return new Map(
    files.map((file) => [file.path, fileText(file, new ModuleView(file, fileOf), packages, input)]),
  );
}

function fileText(
  file: ModuleFile,
  view: ModuleView,
  packages: Packages,
  { source }: CodegenInput,
): string {
  const { name, version, id } = file.package;
  const docs = documentationOf(source?.(id, file.module));
  const writing: Writing = { view, scope: file.scope, packages, docs };
  // Writes the text once first, so that the aliases of other modules get their names before type parameters.
  for (const each of file.entities) definitionText(each, file.names.get(each.id)!, writing);
  const definitions = file.entities.map((each) =>
    definitionText(each, file.names.get(each.id)!, writing),
  );
  const body = definitions.join('\n\n');
  const imports = view.importLines(body.includes(`${view.daml}.`));
  return [
    `${GENERATED_MARK} from ${file.module} of ${name} ${version}; changes will be lost.`,
    '/* eslint-disable */',
    docText(docs.get('')).trimEnd(),
    ...imports,
    '',
    body,
    '',
  ]
    .filter((line, index) => index > 2 || line !== '')
    .join('\n');
}
