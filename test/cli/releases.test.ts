/** `canticle releases` lists the parts of each release that are complete, and those that are not. */
import { runHere } from './in-process.js';

interface Shown {
  readonly release: string;
  readonly version: string;
  readonly document: string;
  readonly operations: { documented: number; served: number; missing: readonly object[] };
  readonly undecided: readonly string[];
  readonly facts: readonly { id: string; state: string; text: string; note?: string }[];
}

it('lists each release with its counts', async () => {
  const { status, stdout } = await runHere('releases');
  expect(status).toBe(0);
  for (const line of [
    'Canton 3.4 (answers as 3.4.12)\n  operations: 61 of 61\n',
    'Canton 3.5 (answers as 3.5.14, the default)\n  operations: 67 of 67\n',
    'Canton 3.6 (answers as 3.6.1)\n  operations: 73 of 73\n',
    'Canton 3.7 (answers as 3.7.0-SNAPSHOT)\n  operations: 59 of 60\n',
    'Splice 0.7.4 (answers as 0.7.4, the default, runs on Canton 3.5)\n  operations: scan 76 of 77, ',
    'Splice 0.9 (answers as 0.9.0, runs on Canton 3.6)\n',
    'Splice 0.10 (answers as 0.10.0, runs on Canton 3.7)\n',
    'Preview of the registry, with --registry-preview traffic-purchase\n  operations: 2, from the draft traffic purchase off-ledger API 1.0.0\n',
    'Preview of the registry, with --registry-preview conditional-lock\n  operations: 8, from the draft V1 conditional lock off-ledger API 1.0.0\n',
  ])
    expect(stdout).toContain(line);
  expect(stdout).toMatch(
    /differences from its neighbours: \d+ shown by a test, \d+ explained, \d+ open\n/,
  );
});

it('names each incomplete part of one release', async () => {
  const { status, stdout } = await runHere('releases', '3.7');
  expect(status).toBe(0);
  expect(stdout).toContain(
    'not served: GET /v2/state/active-contracts-page. 3.7.1 no longer has it (R-36-021).\n',
  );
  expect(stdout).not.toContain('Canton 3.4');
  expect(stdout).not.toContain('R-36-021 3.7 removes');
});

it('gives the same as JSON, with every fact', async () => {
  const { stdout } = await runHere('releases', '--json');
  const all = JSON.parse(stdout) as Shown[];
  expect(all.map(({ release }) => release)).toEqual(
    ['3.4', '3.5', '3.6', '3.7'].concat(['0.7.4', '0.8', '0.9', '0.10']),
  );
  expect(all.map(({ facts }) => facts.length)).toEqual([99, 99, 91, 91, 9, 9, 13, 2]);
  const one = JSON.parse((await runHere('releases', '3.6', '--json')).stdout) as Shown;
  expect(one).toEqual(all[2]);
  expect(one.document).toBe('3.6.1');
  expect(one.operations.missing).toEqual([]);
  expect(all[3]!.operations.missing).toContainEqual({
    operation: 'GET /v2/state/active-contracts-page',
    reason: '3.7.1 no longer has it (R-36-021).',
  });
  expect(one.facts.find(({ id }) => id === 'R-36-019')).toEqual({
    id: 'R-36-019',
    topic: 'Deprecated parts',
    text: '3.6 disables `GET /v2/state/active-contracts-page`.',
    state: 'holds',
  });
});

it('names each incomplete part of a release of Splice', async () => {
  const { status, stdout } = await runHere('releases', '0.9');
  expect(status).toBe(0);
  const lines = stdout.split('\n').map((line) => line.trim());
  expect(lines).toEqual(
    expect.arrayContaining([
      'Splice 0.9 (answers as 0.9.0, runs on Canton 3.6)',
      'documents: scan 0.9.0, sv 0.8.4, validator 0.8.4, wallet 0.8.4, names 0.7.4, registry 0.7.4',
      'packages: splice-amulet 0.1.23, splice-dso-governance 0.1.29, or later. canticle dars --splice 0.9 lists all.',
      'not served: GET /api/sv/v0/dso. 0.9 removed it. Version 1 is for operators.',
      'not served: POST /api/sv/v0/synchronizer/{domain_id_prefix}/reconcile-daml-state. Splice does not route it.',
      'undecided: The document of Scan is from its development. Others of 0.9 are not public.',
      expect.stringMatching(
        /^explained: R-09-\d{3} 0\.9 adds choices that burn unclaimed rewards\. The package has/,
      ),
    ]),
  );
  expect(stdout).not.toContain('Canton 3.4');
  expect((await runHere('releases', 'splice-0.9')).stdout).toBe(stdout);
});

it('gives a release of Splice as JSON', async () => {
  const one = JSON.parse((await runHere('releases', '0.10', '--json')).stdout);
  expect(one).toMatchObject({ release: '0.10', version: '0.10.0', canton: '3.7' });
  expect(one.apis).toContainEqual({ api: 'scan', document: '0.9.0', documented: 75, served: 75 });
  // Without the two operations of apps that no document of the validator has.
  expect(one.apis).toContainEqual({
    ...{ api: 'validator', document: '0.8.4', documented: 34, served: 34 },
  });
  expect(one.missing.map(({ operation }: { operation: string }) => operation)).toEqual([
    'GET /api/sv/v0/dso',
    'POST /api/sv/v0/synchronizer/{domain_id_prefix}/reconcile-daml-state',
    'POST /api/sv/v0/synchronizer/{domain_id_prefix}/sign_dso_party_to_participant',
  ]);
  expect(one.packages.versions['splice-amulet']).toBe('0.1.23');
  expect(one.packages.orLater).toBe(true);
  expect(one.undecided[0]).toBe('No document of 0.10 is public: its apps answer as those of 0.9.');
});

it('rejects an unknown name', async () => {
  expect(await runHere('releases', '3.8')).toMatchObject({
    status: 1,
    stderr:
      'canticle: No release is named 3.8. The releases are 3.4, 3.5, 3.6, 3.7, 0.7.4, 0.8, 0.9, 0.10.\n',
  });
});
