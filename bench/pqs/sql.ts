/**
 * SQL over the ledger, in PostgreSQL in the process. It measures the opening of a database, cold and from a prepared data folder, and
 * the time from a create to its row. It also measures `active()` over 100,000 contracts, and the cost of a create without a query.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCanticle, d, definePackage, defineTemplate, type Canticle } from 'canticle';
import { figure, machine, middle, milliseconds, ratio, spread } from '../measure/report.js';

const Note = defineTemplate({
  name: 'Notes:Note',
  fields: { owner: d.party, text: d.text },
  signatories: ({ owner }) => [owner],
});
const notes = definePackage({ name: 'notes', version: '1.0.0', templates: [Note] });

const ROUNDS = 5;
const CREATES = 200;
const CONTRACTS = 100_000;

const folder = mkdtempSync(join(tmpdir(), 'canticle-bench-'));
const ledger = (pqs: boolean): Canticle =>
  createCanticle({ bare: true, packages: [notes], pqs, cache: folder });
const count = 'select count(*) from active()';

machine();
try {
  const cold = ledger(true);
  figure(
    'first database of a cache',
    await milliseconds(() => cold.pqs.query(count)),
    'ms (goal: 1,500)',
  );
  await cold.close();

  const opening: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = ledger(true);
    opening.push(await milliseconds(() => next.pqs.query(count)));
    await next.close();
  }
  spread('next database', opening, 'ms (goal: 150)');

  const canticle = ledger(true);
  const without = ledger(false);
  const creating = ({ participant }: Canticle) => {
    const owner = participant.allocateParty('owner');
    return () => participant.create(Note, { owner, text: 'note' }, { actAs: owner });
  };
  const [create, createWithout] = [creating(canticle), creating(without)];
  await canticle.pqs.query(count);

  const rows: number[] = [];
  for (let each = 0; each < CREATES; each += 1) {
    const id = create();
    const lookup = 'select 1 from lookup_contract($1, $2)';
    rows.push(await milliseconds(() => canticle.pqs.query(lookup, [id, 'Note'])));
  }
  spread('from a create to its row', rows, 'ms (goal: 1)');

  const times = async (action: () => unknown) => {
    const found: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      found.push(await milliseconds(() => Array.from({ length: 1000 }, action)));
    return middle(found);
  };
  ratio(
    'a create with SQL, without a query',
    (await times(create)) / (await times(createWithout)),
    { max: 1.05 },
  );

  while (canticle.participant.ledgerEnd < CONTRACTS) create();
  figure('writing their rows', await milliseconds(() => canticle.pqs.query('select 1')), 'ms');
  const all: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    all.push(
      await milliseconds(() =>
        canticle.pqs.query(`select count(payload) from active('Notes:Note')`),
      ),
    );
  spread(`active() over ${CONTRACTS} contracts`, all, 'ms');
  await canticle.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
