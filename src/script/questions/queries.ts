/** Queries: of a party's active contracts, by template, id, interface and key. */
import { interfaceDefinition } from '../../daml/model/package.js';
import { toRuntime } from '../../daml/lf/runtime/convert.js';
import { Some, type DamlRecord } from '../../daml/model/values.js';
import type { TypeId } from '../../daml/model/types.js';
import { awaited, type Waiting } from '../awaited.js';
import { ScriptError } from '../failures.js';
import type { ScriptContract } from '../ledger.js';
import { record } from '../library/library.js';
import type { RunningScript } from '../running-script.js';
import {
  anyTemplate,
  fromList,
  idOfTypeRep,
  keyIn,
  partiesOf,
  textOf,
  timeOf,
  typeRepOf,
} from '../values.js';
import type { QuestionRows, QuestionRow } from './question-row.js';

const some = (value: unknown): unknown => new Some(value as never);

const pairOf = ({ packages }: RunningScript, { contractId, templateId, payload }: ScriptContract) =>
  record(contractId, anyTemplate(packages, templateId, payload));

function viewOf({ packages }: RunningScript, interfaceId: TypeId, view: DamlRecord): unknown {
  const definition = interfaceDefinition(packages, interfaceId);
  if (definition === undefined) throw new ScriptError(`unknown interface ${interfaceId}`);
  return toRuntime(packages, definition.viewType, view);
}

function* byKey(
  run: RunningScript,
  payload: Parameters<QuestionRow>[1],
  limit: number,
): Waiting<readonly ScriptContract[]> {
  const { p0: parties, p1: rep, p2: key } = payload;
  const { value } = keyIn(run.packages, key);
  const templateId = idOfTypeRep(rep);
  return yield* awaited(run.ledger.queryByKey(partiesOf(parties), templateId, value, limit));
}

const first: QuestionRow = function* (run, payload) {
  const [found] = yield* byKey(run, payload, 1);
  return found === undefined ? null : some(pairOf(run, found));
};

export const queryQuestions: QuestionRows = {
  *'QueryACS 1'(run, { p0: parties, p1: rep }) {
    const found = yield* awaited(run.ledger.query(partiesOf(parties), idOfTypeRep(rep)));
    return fromList(found, (each) => pairOf(run, each));
  },
  *'QueryContractId 1'(run, { p0: parties, p1: rep, p2: contractId }) {
    const { ledger, packages } = run;
    const templateId = idOfTypeRep(rep);
    const pending = ledger.queryContractId(partiesOf(parties), templateId, textOf(contractId));
    const found = yield* awaited(pending);
    if (found === undefined) return null;
    const { payload, blob } = found;
    const shown = anyTemplate(packages, found.templateId, payload);
    return some(record(shown, typeRepOf(found.templateId), blob));
  },
  *'QueryInterface 1'(run, { p0: parties, p1: rep }) {
    const id = idOfTypeRep(rep);
    const found = yield* awaited(run.ledger.queryInterface(partiesOf(parties), id));
    return fromList(found, ({ contractId, view }) =>
      record(contractId, view === undefined ? null : some(viewOf(run, id, view))),
    );
  },
  *'QueryInterfaceContractId 1'(run, { p0: parties, p1: rep, p2: contractId }) {
    const id = idOfTypeRep(rep);
    const pending = run.ledger.queryInterfaceContractId(partiesOf(parties), id, textOf(contractId));
    const view = yield* awaited(pending);
    return view === undefined ? null : some(viewOf(run, id, view));
  },
  'QueryByKey 1': first,
  'QueryByKey 2': first,
  // The name in SDKs of release 3.3.
  'QueryContractKey 1': first,
  *'QueryNByKey 1'(run, payload) {
    const limit = timeOf(payload['p3']);
    const most = limit > BigInt(Number.MAX_SAFE_INTEGER) ? Infinity : Number(limit);
    return fromList(yield* byKey(run, payload, most), (each) => pairOf(run, each));
  },
};
