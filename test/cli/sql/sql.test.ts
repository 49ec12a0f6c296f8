/** `canticle sql` against a running Canticle, and the control that it calls. */
import { startCanticle, type Canticle } from 'canticle';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { IOU } from '../../support/ledger.js';
import { runHere } from '../in-process.js';

let canticle: Canticle;
beforeAll(async () => {
  // The folder of test/pqs, because a new database takes seconds.
  const cache = join(tmpdir(), `canticle-sql-${userInfo().uid}`);
  canticle = await startCanticle({ pqs: true, cache });
  const { participant } = canticle;
  const [bank, alice] = ['bank', 'alice'].map((hint) => participant.allocateParty(hint)) as [
    string,
    string,
  ];
  for (const currency of ['EUR', 'U\u001b[31mSD'])
    participant.create(
      IOU,
      { issuer: bank, owner: alice, currency, amount: '10.0', observers: [] },
      { actAs: [bank, alice] },
    );
  // The first query opens the database, which takes longer than the command waits on a busy machine.
  await canticle.pqs.query('select 1');
}, 120_000);
afterAll(() => canticle.close());

const sql = (...argv: string[]) => runHere('sql', '--url', canticle.url, ...argv);

it('prints the rows as a table without control characters', async () => {
  const { status, stdout } = await sql(
    `select payload->>'currency' as currency, payload->>'amount' as amount, null as nothing from active('Iou') order by 1`,
  );
  expect(stdout).toBe(
    [
      'currency       amount         nothing',
      '-------------  -------------  -------',
      'EUR            10.0000000000',
      'U\\u001b[31mSD  10.0000000000',
      '(2 rows)',
      '',
    ].join('\n'),
  );
  expect(status).toBe(0);
});

it('prints JSON, and shortens wide cells of a table', async () => {
  const wide = `select repeat('x', 61) as wide, '\\xabcd'::bytea as bytes, 9007199254740993 as large, true as yes`;
  expect((await sql(wide, '--json')).stdout).toBe(
    `{"wide":"${'x'.repeat(61)}","bytes":"\\\\xabcd","large":"9007199254740993","yes":true}\n`,
  );
  expect((await sql(wide)).stdout).toContain(`\n${'x'.repeat(59)}…  `);
  expect((await sql(`select repeat('x', 60) as wide`)).stdout).toContain(
    `\n${'x'.repeat(60)}\n(1 row)`,
  );
});

it('prints the number of rows of a statement without any', async () => {
  expect((await sql('create temporary table t (a int)')).stdout).toBe('(0 rows)\n');
});

it('fails with the error of PostgreSQL, or for an unknown database', async () => {
  const failed = await sql('select * from nothing');
  expect(failed.status).not.toBe(0);
  expect(failed.stderr).toContain('failed to query: 42P01: relation "nothing" does not exist');
  const unknown = await sql('select 1', '--database', 'pqs-x');
  expect(unknown.stderr).toContain("has no database 'pqs-x', only pqs-sandbox.");
});

it('answers 404 without the option', async () => {
  const without = await startCanticle();
  try {
    const { stderr } = await runHere('sql', '--url', without.url, 'select 1');
    expect(stderr).toContain('This Canticle has no SQL. Start it with --pqs.');
  } finally {
    await without.close();
  }
});
