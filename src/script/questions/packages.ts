/** Questions about packages: their list, and vetting. */
import type { RuntimeRecord } from '../../daml/lf/runtime/runtime-values.js';
import { UNIT } from '../../daml/model/values.js';
import { awaited } from '../awaited.js';
import type { PackageName } from '../ledger.js';
import { record } from '../library/library.js';
import { fromList, listOf, optionalOf, textOf } from '../values.js';
import type { QuestionRows } from './question-row.js';

function packageName(value: unknown): PackageName {
  const { p0: name, p1: version } = value as RuntimeRecord;
  return { name: textOf(name), version: textOf(version) };
}

const fromNames = (names: readonly PackageName[]): unknown =>
  fromList(names, ({ name, version }) => record(name, version));

export const packageQuestions: QuestionRows = {
  *'VetPackages 1'({ ledger }, { p0: packages, p1: participant }) {
    const names = listOf(packages, packageName);
    yield* awaited(ledger.vet(names, optionalOf(participant, textOf)));
    return UNIT;
  },
  *'UnvetPackages 1'({ ledger }, { p0: packages, p1: participant }) {
    const names = listOf(packages, packageName);
    yield* awaited(ledger.unvet(names, optionalOf(participant, textOf)));
    return UNIT;
  },
  *'ListVettedPackages 1'({ ledger }) {
    return fromNames(yield* awaited(ledger.vettedPackages()));
  },
  *'ListAllPackages 1'({ ledger }) {
    return fromNames(yield* awaited(ledger.allPackages()));
  },
};
