/** The texts of one bug of the zoo: two equal tokens, of which a merge archives only one. */
import { asDamlScript } from '../../../src/fuzzing/emitting/daml-script.js';
import { reproduce } from '../../../src/fuzzing/emitting/reproduce.js';
import { asScenario } from '../../../src/fuzzing/emitting/scenario.js';
import { firstBug } from '../zoo/run.js';
import { ZOO } from '../zoo/zoo.js';

function reproduced(name: string) {
  const { options, bug } = firstBug(ZOO.find((each) => each.name === name)!);
  return reproduce(bug, { ...options, dars: ['model.dar'], origin: { kind: 'parties' } });
}

const merge = reproduced('minting-merge');
const head = reproduced('empty-head');

test('the story has the steps, and the trace of the last one', () => {
  expect(merge.story).toEqual([
    'supply at Main:Token.Merge creates',
    expect.stringContaining('  Main:Token.Merge increases the sum of amount'),
    '',
    'Steps:',
    '  1.  alice creates token1: Token { issuer: alice, owner: alice, instrument: "", amount: 1 }',
    '  2.  alice creates token2: Token { issuer: alice, owner: alice, instrument: "", amount: 1 }',
    '  3.  alice exercises Merge { other: token2 } on token1',
    '        archives token1',
    '        creates Token { issuer: alice, owner: alice, instrument: "", amount: 2 }',
    '',
    'The last step in detail:',
    '  ✓ exercise Main:Token Merge on token1 #0',
    '  │    with {"other":"token2"}',
    expect.stringContaining('result'),
    '  │    needs alice; has alice',
    '  │    seen by alice (signatory, controller)',
    '  ├─ ✓ fetch Main:Token on token2 #1',
    '  │       needs one of alice; has alice',
    '  │       seen by alice (signatory, actor)',
    expect.stringContaining('  └─ ✓ create Main:Token on '),
    '          with {"issuer":"alice","owner":"alice","instrument":"","amount":"2"}',
    '          needs alice; has alice',
    '          seen by alice (signatory)',
  ]);
});

test('the scenario finds both tokens, and compares the sum', () => {
  const lines = asScenario(merge.reproduction).split('\n');
  expect(lines.slice(lines.indexOf('steps:'))).toEqual([
    'steps:',
    '  - attempt:',
    '      - { create: zoo:Main:Token, with: { issuer: $alice, owner: $alice, instrument: "", amount: "1" }, by: [alice] }',
    '      - { find: zoo:Main:Token, with: { issuer: $alice, owner: $alice, instrument: "", amount: "1" }, as: token1 }',
    '      - { create: zoo:Main:Token, with: { issuer: $alice, owner: $alice, instrument: "", amount: "1" }, by: [alice] }',
    '      - { find: zoo:Main:Token, with: { issuer: $alice, owner: $alice, instrument: "", amount: "1" }, nth: 2, as: token2 }',
    '      - { exercise: $token1, choice: Merge, with: { other: $token2 }, by: [alice] }',
    '      - { expect: { sum: "2", template: zoo:Main:Token, field: amount, with: { issuer: $alice, instrument: "" } } }',
    '',
  ]);
});

test('the Daml script ends if the corrected model rejects a step, and compares the sum', () => {
  const lines = asDamlScript(merge.reproduction, 'Reproductions.Merge').split('\n');
  expect(lines.slice(lines.indexOf('module Reproductions.Merge where'))).toEqual([
    'module Reproductions.Merge where',
    '',
    'import Daml.Script',
    'import qualified Main',
    '',
    'reproduction : Script ()',
    'reproduction = do',
    '  alice <- allocateParty "Alice"',
    '  bob <- allocateParty "Bob"',
    '  carol <- allocateParty "Carol"',
    '  dave <- allocateParty "Dave"',
    '  step1 <- trySubmit alice $',
    '    createCmd (Main.Token with issuer = alice; owner = alice; instrument = ""; amount = 1)',
    '  case step1 of',
    '    Left _ -> pure ()',
    '    Right _ -> do',
    '      (token1, _) :: _ <- queryFilter @Main.Token alice (== (Main.Token with issuer = alice; owner = alice; instrument = ""; amount = 1))',
    '      step2 <- trySubmit alice $',
    '        createCmd (Main.Token with issuer = alice; owner = alice; instrument = ""; amount = 1)',
    '      case step2 of',
    '        Left _ -> pure ()',
    '        Right _ -> do',
    '          _ :: (token2, _) :: _ <- queryFilter @Main.Token alice (== (Main.Token with issuer = alice; owner = alice; instrument = ""; amount = 1))',
    '          _ <- trySubmit alice $',
    '            exerciseCmd token1 (Main.Merge with other = token2)',
    '          contracts <- queryFilter @Main.Token [alice, bob, carol, dave] (\\each -> each.issuer == alice && each.instrument == "")',
    '          sum [each.amount | (_, each) <- contracts] === 2',
    '          pure ()',
    '',
  ]);
});

test('the texts for a crash accept each other error', () => {
  expect(asScenario(head.reproduction)).toContain('    notRefusedWith: "head: empty list"\n');
  const lines = asDamlScript(head.reproduction, 'Reproductions.Head').split('\n');
  expect(lines.slice(-9)).toEqual([
    '      result <- trySubmit alice $',
    '        exerciseCmd queue1 Main.Next',
    '      case result of',
    '        Left (FailureStatusError failure) | "head: empty list" `isInfixOf` (failure.errorId <> failure.message) ->',
    '          abort failure.message',
    '        Left (UserError message) | "head: empty list" `isInfixOf` message -> abort message',
    '        _ -> pure ()',
    '      pure ()',
    '',
  ]);
});
