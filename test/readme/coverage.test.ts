/**
 * The guide on conformance states what the operation table and the conformance suites have: `npx jest
 * test/readme/coverage` prints what differs.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ADMIN_METHODS,
  type Api,
  channels,
  operationsOf,
  servedOperations,
  API_VERSIONS,
  releaseOf,
} from '../../src/spec/index.js';
import { root, run } from '../repository/built-package.js';

const row = (name: string, served: number, all: number): string =>
  `| ${name} | ${served} of ${all} |`;

function coverage(): string {
  const ledger = API_VERSIONS.map((version) =>
    row(
      `JSON Ledger API ${releaseOf(version).version}`,
      servedOperations('ledger', version).filter(isListed).length,
      operationsOf('ledger', version).filter(isListed).length,
    ),
  );
  const others: readonly (readonly [string, Api])[] = [
    ['Scan 0.7.4', 'scan'],
    ['Token registry: metadata v1, transfer instructions and allocations v1 and v2', 'registry'],
    ['Validator and its proxy 0.7.4', 'validator'],
    ['Wallet 0.7.4', 'wallet'],
    ['Names 0.7.4', 'names'],
    ['SV app 0.7.4', 'sv'],
  ];
  return [
    '| API | operations |',
    '| --- | --- |',
    ...ledger,
    `| JSON Ledger API over WebSocket | ${channels().length} streams |`,
    ...others.map(([name, api]) =>
      row(
        name,
        servedOperations(api).filter(isListed).length,
        operationsOf(api).filter(isListed).length,
      ),
    ),
  ].join('\n');
}

/** As the release's own document has it: 3.4 answers two more, for its health. */
const isListed = ({ unlisted }: { unlisted?: boolean }): boolean => unlisted !== true;

/** Without the padding that the formatter puts into tables. */
const compact = (text: string): string =>
  text.replace(/ +\|/g, ' |').replace(/\| -+ \| -+ \|/g, '| --- | --- |');

it('the file has the current table', () => {
  const guide = compact(readFileSync(join(root, 'docs/guides/conformance.md'), 'utf8'));
  expect(guide).toContain(coverage());
});

it('the page has the number of conformance cases with the same result', () => {
  const counts = run('node', ['scripts/conformance-count.mjs'], root);
  const [, same, other] = /^all +(\d+) +(\d+) +0 +0$/m.exec(counts)!;
  const guide = compact(readFileSync(join(root, 'docs/guides/conformance.md'), 'utf8'));
  expect(guide).toContain(`| give the same result | ${same} |`);
  expect(guide).toContain(`| have another answer | ${other} |`);
  expect(guide).toContain(`${Number(same) + Number(other)} cases`);
});

it('the gRPC guide names each method of the admin API', () => {
  const guide = readFileSync(join(root, 'docs/guides/grpc.md'), 'utf8');
  const rows = guide.split('\n').filter((line) => line.startsWith('|'));
  const missing = Object.values(ADMIN_METHODS).flatMap((services) =>
    Object.entries(services as Readonly<Record<string, readonly string[]>>).flatMap(
      ([service, methods]) => {
        const named = rows.find((line) => line.startsWith(`| \`${service}\``)) ?? '';
        return methods.filter((method) => !named.includes(`\`${method}\``));
      },
    ),
  );
  expect(missing).toEqual([]);
});
