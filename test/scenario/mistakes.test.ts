/** The error for a mistake in a scenario has its file, line, column and step, and suggests the probable intention. */
import { createCanticle } from 'canticle';
import { complaint, scenarioFile } from './scenario-files.js';

const complaintOf = (text: string | Uint8Array) =>
  complaint(() => createCanticle({ scenario: scenarioFile(text) }));

/** The step is in line 5, between a step with the name `coin` and one with `later` and `dave`. */
const inAWorld = (step: string) =>
  complaintOf(`
parties: [alice, bob]
steps:
  - { mint: 5, to: bob, as: coin }
  - ${step}
  - { mint: 5, to: bob, as: later }
  - party: dave
`);

describe('in its syntax', () => {
  it.each([
    ['creat: x', `FILE:5:5: step 2: Unknown verb 'creat'. Did you mean 'create'?`],
    [
      '{ create: "x:y:z", archive: $coin }',
      'FILE:5:24: step 2: A step has one verb, and this has create and archive.',
    ],
    ['hello', 'FILE:5:5: step 2: A step is a map with a verb and its fields.'],
    ['{ mint: 5 }', `FILE:5:5: step 2 (mint): The field 'to' is missing. It is: The receiver.`],
    ['{ mint: 5, too: bob }', `FILE:5:16: step 2 (mint): Unknown field 'too'. Did you mean 'to'?`],
    [
      '{ mint: five, to: bob }',
      `FILE:5:13: step 2 (mint): 'mint' cannot be "five". Expected: A decimal, such as 12.5.`,
    ],
    [
      '{ create: #iou\n    , by: bob, with: {} }',
      `FILE:5:15: step 2 (create): 'create' cannot be empty. Expected: A template or interface: package-name:Module:Entity. (A text that begins with # is a comment unless it is quoted.)`,
    ],
    [
      '{ create: "x:y:z", by: 5, with: {} }',
      `FILE:5:28: step 2 (create): 'by' cannot be 5. Expected: Parties that act.`,
    ],
    [
      '{ archive: $coin, refused: CONTRACT_NOT_FOND }',
      `FILE:5:32: step 2 (archive): 'refused' cannot be "CONTRACT_NOT_FOND". Did you mean 'CONTRACT_NOT_FOUND'?`,
    ],
    [
      '{ archive: $coin, refused: DUPLICATE }',
      `FILE:5:32: step 2 (archive): 'refused' cannot be "DUPLICATE". There are: DUPLICATE_COMMAND, DUPLICATE_CONTRACT_KEY, DUPLICATE_CONFIRMATION_REQUEST_UUID.`,
    ],
    [
      '{ archive: $coin, refused: 404 }',
      `FILE:5:32: step 2 (archive): 'refused' cannot be 404. Expected: The ledger must reject the step with this Canton error code, or with any if it is ANY.`,
    ],
    [
      'expect: { contract: $coin, is: 5 }',
      `FILE:5:36: step 2 (expect): 'is' cannot be 5. There are: active, archived, inFlight, unknown.`,
    ],
    [
      'expect: { contrct: $coin }',
      `FILE:5:15: step 2 (expect): Unknown expectation 'contrct'. Did you mean 'contract'?`,
    ],
    [
      'expect: [{ contract: $coin }, { contract: $coin, is: activ }]',
      `FILE:5:58: step 2 (expect): 'is' cannot be "activ". Did you mean 'active'?`,
    ],
    [
      'expect: []',
      `FILE:5:13: step 2 (expect): 'expect' cannot be []. Expected: An expectation, or a list of them.`,
    ],
    [
      '{ rewardRound: 1, status: Ok, mintingAllowances: [{ provider: bob, amont: 1 }] }',
      `FILE:5:72: step 2 (rewardRound): Unknown field 'amont'. Did you mean 'amount'?`,
    ],
    [
      '{ repeat: 0, steps: [] }',
      `FILE:5:15: step 2 (repeat): 'repeat' cannot be 0. Expected: The number of repetitions, from 1.`,
    ],
    [
      '{ repeat: 2, steps: [{ mint: 5 }] }',
      `FILE:5:26: step 2.1 (mint): The field 'to' is missing. It is: The receiver.`,
    ],
  ])('rejects the step %s', (step, message) => {
    expect(inAWorld(step)).toBe(message);
  });

  it('suggests one error code for a code that resembles none', () => {
    expect(inAWorld('{ archive: $coin, refused: NOTHING_OF_THIS_KIND }')).toMatch(
      /^FILE:5:32: step 2 \(archive\): 'refused' cannot be "NOTHING_OF_THIS_KIND"\. The nearest of \d+ names is '[A-Z_]+'\.$/,
    );
  });

  it.each([
    ['sed: 1', `FILE:1:1: Unknown field 'sed'. Did you mean 'seed'?`],
    ['steps:', `FILE:1:7: 'steps' cannot be empty. Expected a list.`],
    [
      'mint: 5',
      `FILE:1:1: Unknown field 'mint'. It is a verb: put it under 'steps', behind a dash.`,
    ],
    [
      'seed: -1',
      `FILE:1:7: 'seed' cannot be -1. Expected: Seed of all ids and random choices: the same seed and calls give the same bytes; 0 by default.`,
    ],
    ['synchronizers: [{ alas: x }]', `FILE:1:19: Unknown field 'alas'. Did you mean 'alias'?`],
    [
      'parties: [alice, { party: bob, onn: two }]',
      `FILE:1:32: step 2 of parties (party): Unknown field 'onn'. Did you mean 'on'?`,
    ],
    ['', 'FILE:1:1: The file is empty. A scenario is a map with a list of `steps`.'],
    ['steps: 5', 'FILE:1:8: Expected a list of steps, each after a dash.'],
    [
      'steps: { mint: 1 }',
      'FILE:1:8: Expected a list of steps, each after a dash, such as `- mint: …`.',
    ],
    [
      'steps: { mimt: 1, to: alice }',
      'FILE:1:8: Expected a list of steps, each after a dash, such as `- mint: …`.',
    ],
    ['just text', 'FILE:1:1: A scenario is a map with a list of `steps`.'],
    [
      'parties: [alice\nsteps: []',
      'FILE:2:1: Flow sequence in block collection must be sufficiently indented and end with a ].',
    ],
    ['time: yesterday', `'yesterday' is not a time to start at, such as 2026-01-01T00:00:00Z.`],
  ])('%j', (text, message) => {
    expect(complaintOf(text)).toContain(message);
  });

  it('reports all mistakes at once, in the order of the lines', () => {
    const lines = complaintOf('sed: 1\nsteps:\n  - creat: x\n  - { mint: 1 }\n').split('\n');
    expect(lines.map((line) => line.split(':')[1])).toEqual(['1', '3', '4']);
  });

  it('JSON has the same errors as YAML', () => {
    expect(complaintOf('{\n  "parties": ["alice"],\n  "steps": [\n    { "mnt": 1 }\n  ]\n}')).toBe(
      `FILE:4:7: step 1: Unknown verb 'mnt'. Did you mean 'mint'?`,
    );
  });
});

describe('in its references', () => {
  it.each([
    [
      '{ mint: 5, to: alcie }',
      `FILE:5:20: step 2 (mint): There is no party 'alcie'. Did you mean 'alice'?`,
    ],
    [
      '{ mint: 5, to: dave }',
      `FILE:5:20: step 2 (mint): There is no party 'dave'. Step 4 in line 7 sets this name: it runs later, or was reverted.`,
    ],
    [
      'archive: $later',
      `FILE:5:14: step 2 (archive): No earlier step has the name 'later'. Step 3 in line 6 sets this name: it runs later, or was reverted.`,
    ],
    [
      'archive: coin',
      `FILE:5:14: step 2 (archive): 'coin' is not a contract. Did you mean '$coin'?`,
    ],
    [
      'archive: $con',
      `FILE:5:14: step 2 (archive): No earlier step has the name 'con'. Did you mean 'coin'?`,
    ],
    [
      'archive: $alice',
      `FILE:5:14: step 2 (archive): $alice is not a contract. Its value is "alice".`,
    ],
    ['archive: $coin.x', `FILE:5:14: step 2 (archive): 'coin' has no part 'x'.`],
    [
      '{ unassign: $coin, to: globl }',
      `FILE:5:28: step 2 (unassign): There is no synchronizer 'globl'. Did you mean 'global'?`,
    ],
    [
      '{ party: eve, on: sandbx }',
      `FILE:5:23: step 2 (party): There is no participant 'sandbx'. Did you mean 'sandbox'?`,
    ],
    [
      'advance: 1d',
      `FILE:5:14: step 2 (advance): '1d' is neither a duration, such as PT10M or P1D, nor a time, such as 2026-02-01T00:00:00Z.`,
    ],
    [
      'advance: PT5',
      `FILE:5:14: step 2 (advance): 'PT5' is not a duration, such as PT10M or P1DT2H3.5S.`,
    ],
    [
      'revert: nowhere',
      "FILE:5:13: step 2 (revert): There is no snapshot 'nowhere'. Take one with `snapshot`.",
    ],
    [
      'carryOutMigration: 1',
      'FILE:5:24: step 2 (carryOutMigration): Migration 1 is not scheduled. None is.',
    ],
    [
      'scheduleMigration: 1',
      'FILE:5:5: step 2 (scheduleMigration): Pass either `at`, a time, or `in`, a duration.',
    ],
    [
      '{ mint: 1234567890.12345678, to: bob }',
      'FILE:5:13: step 2 (mint): 1234567890.1234567 has too many digits for a YAML number. Put it in quotes.',
    ],
    [
      '{ transfer: 5, from: bob, to: bob, as: done }',
      'FILE:5:44: step 2 (transfer): The transfer was completed at once, so there is no instruction to name.',
    ],
    [
      '{ create: "canticle-quickstart:Quickstart.Iou:Iou", by: bob, with: { owner: $nobody } }',
      `FILE:5:81: step 2 (create): No earlier step has the name 'nobody'. There are: alice, bob, coin.`,
    ],
  ])('%s', (step, message) => {
    expect(inAWorld(step)).toBe(message);
  });

  it('a missing file', () => {
    expect(inAWorld('upload: absent.dar')).toMatch(
      /^FILE:5:13: step 2 \(upload\): Failed to read 'absent\.dar': /,
    );
  });
});

describe('in steps that the ledger rejects', () => {
  it('an unexpected rejection ends the scenario, and the error suggests the `refused` field', () => {
    expect(inAWorld('{ exercise: $coin, choice: Nope, by: bob }')).toMatch(
      /^FILE:5:5: step 2 \(exercise\): refused: INVALID_ARGUMENT: .*\n {2}If the scenario expects this rejection, add `refused: INVALID_ARGUMENT`\.$/,
    );
  });

  it('the error about a missing package has the hint once', () => {
    const message = inAWorld(`{ create: my-model:Main:Iou, by: bob, with: {} }`);
    expect(message).toContain('refused: PACKAGE_NAMES_NOT_FOUND');
    expect(message.match(/Upload a DAR with this package/g)).toHaveLength(1);
  });

  it('an expected rejection that does not occur', () => {
    expect(inAWorld('{ mint: 5, to: alice, refused: DAML_FAILURE }')).toBe(
      [
        'FILE does not meet the expectations:',
        'FILE:5:5: step 2 (mint): not as expected: mint: 5, to: alice, refused: DAML_FAILURE',
        '  refused: expected DAML_FAILURE, but mint was accepted',
      ].join('\n'),
    );
  });

  it('a rejection with another code', () => {
    expect(
      inAWorld('{ transfer: 9, from: bob, to: alice, refused: CONTRACT_NOT_FOUND }'),
    ).toContain('refused: expected CONTRACT_NOT_FOUND, found DAML_FAILURE: ');
  });
});

describe('in its files', () => {
  const zeros = 'steps: [{ upload: /dev/zero }]\n';
  it.each([
    [
      'a device without an end',
      zeros,
      `FILE:1:19: step 1 (upload): Failed to read '/dev/zero': it is not a file.`,
    ],
    [
      'a file name in another encoding',
      Buffer.from('parties: [al\xefce]\n', 'latin1'),
      `Failed to read the scenario 'FILE': it is not UTF-8 text.`,
    ],
    [
      'a truncated character',
      Buffer.from('name: zoé').subarray(0, -1),
      `Failed to read the scenario 'FILE': it is not UTF-8 text.`,
    ],
  ])('%s', (_, text, complaint) => {
    expect(complaintOf(text)).toBe(complaint);
  });
});

describe('in its size', () => {
  const aliases = (of: string) => Array.from({ length: 10 }, () => `*${of}`).join(', ');
  const levels = Array.from({ length: 12 }, (_, n) => `  - &l${n + 1} [${aliases(`l${n}`)}]`);

  it.each([
    [
      'aliases of aliases',
      `synchronizers:\n  - &l0 [a]\n${levels.join('\n')}\n`,
      'The file is too large',
    ],
    ['an anchor inside itself', 'synchronizers: &a [*a]\n', 'The file is too large'],
    [
      'lists within lists',
      `steps: ${'['.repeat(300)}${']'.repeat(300)}\n`,
      'The file is too large',
    ],
    [
      'a seed that is not a number',
      'seed: 1e400\nsteps: []\n',
      `'seed' must be an integer of at most 2^53 - 1, not Infinity`,
    ],
    [
      'thousands of synchronizers',
      `synchronizers: [${Array.from({ length: 2000 }, (_, n) => `s${n}`).join(', ')}]\n`,
      "'synchronizers' has 2000 entries, but may have at most 200.",
    ],
  ])('%s', (_, text, complaint) => {
    expect(complaintOf(text)).toContain(complaint);
  });

  it.each([
    ['200 levels', (most: number) => `steps: ${'['.repeat(most)}${']'.repeat(most)}\n`, 200],
    [
      '200 participants',
      (most: number) =>
        `participants: [${Array.from({ length: most }, (_, n) => `p${n}`).join(', ')}]\nsteps: [hello]\n`,
      200,
    ],
  ])('accepts up to %s', (_, text, most) => {
    const tooMuch = /The file is too large|'participants' has 201 entries/;
    expect(complaintOf(text(most))).toContain('A step is a map');
    expect(complaintOf(text(most))).not.toMatch(tooMuch);
    expect(complaintOf(text(most + 1))).toMatch(tooMuch);
  });

  it.each([99, 100, 101])('of %i mistakes, at most 100 are reported', (count) => {
    const message = complaintOf(`steps:\n${'  - hello\n'.repeat(count)}`);
    expect(message.match(/A step is a map/g)).toHaveLength(Math.min(count, 100));
    expect(/There may be more/.test(message)).toBe(count >= 100);
  });

  it('reports the first of thousands of mistakes', () => {
    const message = complaintOf(`steps:\n${'  - hello\n'.repeat(5000)}`);
    expect(message.split('\n')).toHaveLength(101);
    expect(message).toMatch(/There may be more mistakes: Canticle stops after 100\.$/);
  });
});
