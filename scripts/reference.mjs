// Writes docs/reference from the built package. With --check, it writes nothing, and reports outdated pages and public names without a
// docstring.
//
//   node scripts/reference.mjs [--check]
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format } from 'oxfmt';
import { buildDist } from './build.mjs';
import { publicNames } from './reference/declarations.mjs';
import { pages } from './reference/pages.mjs';
import { endWith, root } from './steps.mjs';

const folder = join(root, 'docs', 'reference');

/** Types from the schema of the controls, whose document describes the members. */
const FROM_SCHEMA = ['JournalEntry'];

function undocumented(entrances) {
  const own = entrances.flatMap(({ entrance, names }) =>
    names.map((each) => ({ entrance, ...each })),
  );
  return own
    .filter(({ name, isForeign }) => !isForeign && !FROM_SCHEMA.includes(name))
    .flatMap(({ entrance, name, doc, members }) => [
      ...(doc === '' ? [`${entrance}: ${name}`] : []),
      ...members
        .filter((member) => member.doc === '')
        .map((member) => `${entrance}: ${name}.${member.name}`),
    ])
    .map((name) => `${name} has no docstring: describe its shape, its unit, its errors`);
}

async function reference(isCheck) {
  await buildDist();
  const entrances = publicNames();
  const style = JSON.parse(await readFile(join(root, '.oxfmtrc.json'), 'utf8'));
  const faults = isCheck ? undocumented(entrances) : [];
  for (const [name, text] of Object.entries(await pages(entrances))) {
    const file = join(folder, name);
    const { code: formatted } = await format(file, text, style);
    if (!isCheck) {
      await mkdir(folder, { recursive: true });
      await writeFile(file, formatted);
    } else if ((await readFile(file, 'utf8').catch(() => '')) !== formatted)
      faults.push(`docs/reference/${name} is outdated. Run: node scripts/reference.mjs`);
  }
  if (faults.length > 0) {
    console.error(faults.join('\n'));
    process.exitCode = 1;
  }
}

endWith(reference(process.argv.includes('--check')));
