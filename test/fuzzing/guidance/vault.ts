/**
 * A model whose branches need values that random inputs miss: each of them is computed from the others, and one of them
 * is a time.
 */
import { CheckedPackages } from '../../../src/daml/dar/checked-packages.js';
import type { DarPackage } from '../../../src/daml/dar/dar-package.js';
import { readDar } from '../../../src/daml/index.js';
import { ActionSet } from '../../../src/fuzzing/actions/action-set.js';
import { builtInChecks } from '../../../src/fuzzing/checks/checks.js';
import { CodeCoverage } from '../../../src/fuzzing/guidance/code-coverage.js';
import { plainStart } from '../../../src/fuzzing/ledger/start-state.js';
import type { FuzzOptions } from '../../../src/fuzzing/running/fuzz-run.js';
import { ScriptPackages } from '../../../src/script/packages.js';
import { buildDar } from '../../support/daml/dar-builder.js';
import {
  e,
  error,
  isAtMost,
  isEqual,
  isLess,
  lastly,
  now,
  plus,
  renewed,
  t,
  times,
  u,
  withNow,
  zooPackage,
} from '../zoo/notation.js';

const refused = u.pure(t.unit, e.unit);

export const vaultDar = buildDar(
  zooPackage({
    templates: {
      Vault: {
        fields: { owner: t.party, number: t.int64, opensAt: t.timestamp, name: t.text },
        signatories: ['owner'],
        choices: {
          Open: {
            stays: true,
            args: { guess: t.int64, second: t.int64, word: t.text },
            by: ['owner'],
            does: ({ my, given }) =>
              e.if(
                isEqual(given('guess'), plus(times(my('number'), e.int(1009)), e.int(17))),
                e.if(
                  isLess(plus(given('guess'), e.int(100_000)), given('second')),
                  e.if(
                    isEqual(given('word'), my('name'), t.text),
                    lastly(
                      e.if(
                        isAtMost(my('opensAt'), now, t.timestamp),
                        u.pure(t.unit, error(t.unit, 'the vault is open')),
                        refused,
                      ),
                      withNow,
                    ),
                    refused,
                  ),
                  refused,
                ),
                refused,
              ),
          },
          Rename: {
            args: { to: t.text },
            by: ['owner'],
            returns: t.contractId(t.con('Main:Vault')),
            does: ({ given }) => renewed('Vault', { name: given('to') }),
          },
        },
      },
    },
  }),
);

/** Options of a run on the vault, with new counters. */
export function vaultOptions(seed: string): FuzzOptions & { readonly guidance: CodeCoverage } {
  const guidance = new CodeCoverage(
    () => true,
    () => undefined,
  );
  const code = { of: () => undefined, instrumentation: guidance.instrumentation };
  const checked = new CheckedPackages(undefined, '', code);
  const { main, packages: all } = readDar(vaultDar, undefined, { checked });
  (main as DarPackage).visitCode();
  const packages = new ScriptPackages(all);
  const actions = new ActionSet({ packages, chosen: [main] });
  const start = plainStart(['alice', 'bob']);
  const checks = builtInChecks();
  return { packages, start, actions, checks, seed, guidance };
}
