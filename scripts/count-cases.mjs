// Counts the cases of third-party suites: those that our tests cover, that do not apply, and that are missing. A file
// has groups by suite. Each group has our tests (named-tests.mjs), a reason or the missing cases. Exits with status 1
// if a group has none or several of these, or if a test or its row does not exist. It also fails if a group has fewer
// tests and rows than cases and does not explain why.
import { readFileSync } from 'node:fs';
import { testsIn } from './named-tests.mjs';

const KINDS = { shownBy: 'shown', notApplicable: 'not applicable', missing: 'missing' };

function faultsOf(suite, group) {
  const name = `${suite}, ${group.of}`;
  const kinds = Object.keys(KINDS).filter((kind) => group[kind] !== undefined);
  if (kinds.length !== 1) return [`${name}: is none or more than one of ${Object.keys(KINDS)}`];
  if (!Number.isInteger(group.cases) || group.cases < 1) return [`${name}: has no cases`];
  if (kinds[0] !== 'shownBy') return group[kinds[0]] === '' ? [`${name}: says no reason`] : [];
  const named = Object.entries(group.shownBy).flatMap(([file, tests]) =>
    Object.entries(tests).map(([title, rows]) => ({ file, title, rows })),
  );
  return [...named.flatMap(faultsOfTest), ...faultsOfNumber(group, named)].map(
    (fault) => `${name}: ${fault}`,
  );
}

function faultsOfTest({ file, title, rows }) {
  const says = testsIn(file).get(title);
  if (says === undefined) return [`${file} has no test '${title}'`];
  return rows
    .filter((row) => !says.has(row))
    .map((row) => `'${title}' of ${file} says nothing of '${row}'`);
}

/** A test counts once, or once for each row that is named of it. */
function faultsOfNumber({ cases, how }, named) {
  const count = named.reduce((sum, { rows }) => sum + Math.max(rows.length, 1), 0);
  if (how !== undefined) return count < cases && how !== '' ? [] : ['needs no `how`'];
  return count < cases ? [`names ${count} of ${cases} cases, and not how they are all shown`] : [];
}

/** Prints the count of a file. */
export function countCases(file) {
  const suites = Object.entries(JSON.parse(readFileSync(file, 'utf8')));
  const sum = (groups, kind) =>
    groups.reduce((total, each) => total + (each[kind] === undefined ? 0 : each.cases), 0);
  const rows = [...suites, ['all', suites.flatMap(([, groups]) => groups)]];
  const wide = Math.max(...rows.map(([name]) => name.length));
  console.log(`${'suite'.padEnd(wide)}  ${Object.values(KINDS).join('  ')}`);
  for (const [name, groups] of rows) {
    const figures = Object.entries(KINDS).map(([kind, title]) =>
      String(sum(groups, kind)).padStart(title.length),
    );
    console.log(`${name.padEnd(wide)}  ${figures.join('  ')}`);
  }
  const faults = suites.flatMap(([suite, groups]) =>
    groups.flatMap((each) => faultsOf(suite, each)),
  );
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}
