/** Packages and steps for the tests of fuzzing. */
import { STABLE_PACKAGES } from '../../src/daml/define/stable-packages.js';
import type { Command } from '../../src/daml/model/transaction.js';
import type { DamlRecord, DamlValue, Party } from '../../src/daml/model/values.js';
import type { FuzzLedger } from '../../src/fuzzing/ledger/fuzz-ledger.js';
import type { Step, Submission } from '../../src/fuzzing/model/step.js';
import { ScriptPackages } from '../../src/script/packages.js';
import { keysPackage } from '../support/daml/keys-package.js';
import { modelId, modelPackage } from '../support/daml/model-package.js';

export const packages = new ScriptPackages([...STABLE_PACKAGES, modelPackage, keysPackage]);

/** Templates of both packages. Others loop as often as a number of their payload says, which TypeScript does not limit. */
export const KEYED_AND_OTHERS = ['Account', 'Clerk', 'Dummy', 'WithParam', 'Delegation', 'Asset'];

export const submission = (
  actAs: readonly Party[],
  ...commands: readonly Command[]
): Submission => ({
  actAs,
  readAs: [],
  commands,
});
export const submit = (
  number: number,
  actAs: readonly Party[],
  ...commands: readonly Command[]
): Step => ({
  kind: 'submit',
  number,
  submission: submission(actAs, ...commands),
});
export const create = (entity: string, payload: DamlRecord): Command => ({
  kind: 'create',
  templateId: modelId(entity),
  payload,
});
export const exercise = (
  entity: string,
  contractId: string,
  choice: string,
  argument: DamlValue = {},
): Command => ({ kind: 'exercise', templateId: modelId(entity), contractId, choice, argument });

/** The state as data. */
export const contentsOf = (ledger: FuzzLedger) => ({
  contracts: [...ledger.active()],
  parties: [...ledger.parties],
  now: ledger.now,
});
