/** The table of what is served, in the guide on conformance, is the operation table's: `npx jest test/readme/coverage` prints it when it differs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Api,
  channels,
  operationsOf,
  servedOperations,
  API_VERSIONS,
  releaseOf,
} from '../../src/spec/index.js';
import { root } from '../house/built-package.js';

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

it('stands there as it is', () => {
  const guide = compact(readFileSync(join(root, 'docs/guides/conformance.md'), 'utf8'));
  expect(guide).toContain(coverage());
});
