/** The objects of updates, by the members of `Update`; each reads its parts in the order in which the real decoder does. */
import { lf2, type Lf2 } from '../../archive/lf-tables.js';
import type { ExpressionDecoder } from './expression-decoder.js';
import { objectOf, type Form, type Forms } from './forms.js';
import { immArray, scalaObject, scalaOption, type ScalaPart } from './scala-object.js';

const pure: Form<Uint8Array> = (d, bytes) => {
  const { type, expr } = lf2.decode('Pure', bytes);
  return scalaObject('UpdatePure', d.type(type), d.expression(expr));
};

const block: Form<Uint8Array> = (d, bytes) => {
  const { bindings, body } = lf2.decode('Block', bytes);
  const last = d.expression(body);
  return scalaObject('UpdateBlock', immArray(d.bindings(bindings)), last);
};

/** Creates and fetches: what is named is read after the expression. */
const onContract =
  (name: string): Form<Uint8Array> =>
  (d, bytes) => {
    const { template, expr } = lf2.decode('Update.Create', bytes);
    const expression = d.expression(expr);
    return scalaObject(name, d.id(template), expression);
  };

const exercise: Form<Uint8Array> = (d, bytes) => {
  const { template, choice, contractId, argument } = lf2.decode('Update.Exercise', bytes);
  const names = [d.id(template), d.name(choice)];
  return scalaObject('UpdateExercise', ...names, d.expression(contractId), d.expression(argument));
};

const exerciseInterface: Form<Uint8Array> = (d, bytes) => {
  const parts = lf2.decode('Update.ExerciseInterface', bytes);
  const [contractId, argument] = [d.expression(parts.contractId), d.expression(parts.argument)];
  if (parts.guard !== undefined && !d.lf.version.dev)
    throw d.tables.notSupported('Guards in interfaces (case exerciseInterface.guard)');
  const guard = scalaOption(parts.guard && d.expression(parts.guard));
  const names = [d.id(parts.interface), d.name(parts.choice)];
  return scalaObject('UpdateExerciseInterface', ...names, contractId, argument, guard);
};

const exerciseByKey: Form<Uint8Array> = (d, bytes) => {
  requireKeys(d, 'Exercise by key');
  const { template, choice, key, argument } = lf2.decode('Update.ExerciseByKey', bytes);
  const names = [d.id(template), d.listedName(choice)];
  return scalaObject('UpdateExerciseByKey', ...names, d.expression(key), d.expression(argument));
};

/** @param what the release's name of the feature that the update is of */
function requireKeys({ lf, tables }: ExpressionDecoder, what: string): void {
  if (!lf.version.contractKeys) throw tables.notSupported(what);
}

/** Look-ups by key are functions of it. */
const byKey = (d: ExpressionDecoder, name: string, bytes: Uint8Array): ScalaPart =>
  scalaObject(name, d.id(lf2.decode('Update.RetrieveByKey', bytes).template));

const tryCatch: Form<Uint8Array> = (d, bytes) => {
  const parts = lf2.decode('Update.TryCatch', bytes);
  const type = d.type(parts.returnType);
  const body = d.expression(parts.try);
  const binder = d.name(parts.variable);
  return scalaObject('UpdateTryCatchV1', type, body, binder, d.expression(parts.catch));
};

const UPDATES: Forms<Lf2<'Update'>> = {
  pure,
  block,
  create: onContract('UpdateCreate'),
  exercise,
  fetch: onContract('UpdateFetchTemplate'),
  getTime: () => 'UpdateGetTime',
  embedExpr: (d, bytes) => {
    const { type, body } = lf2.decode('Update.EmbedExpr', bytes);
    return scalaObject('UpdateEmbedExpr', d.type(type), d.expression(body));
  },
  lookupByKey: (d, bytes) => {
    if (!d.lf.version.dev) throw d.tables.notSupported('Lookup by key');
    return byKey(d, 'UpdateLookupByKey', bytes);
  },
  fetchByKey: (d, bytes) => {
    requireKeys(d, 'Fetch by key');
    return byKey(d, 'UpdateFetchByKey', bytes);
  },
  exerciseByKey,
  tryCatch,
  createInterface: onContract('UpdateCreateInterface'),
  exerciseInterface,
  fetchInterface: onContract('UpdateFetchInterface'),
  ledgerTimeLt: (d, time) => scalaObject('UpdateLedgerTimeLT', d.expression(time)),
  queryNByKey: (d, bytes) => {
    requireKeys(d, 'Non-unique contract keys');
    return byKey(d, 'UpdateQueryNByKey', bytes);
  },
};

export function updateObject(d: ExpressionDecoder, bytes: Uint8Array): ScalaPart {
  return objectOf(d, lf2.decode('Update', bytes), UPDATES, 'Update');
}
