/** The registry's conditional-lock API, a preview (R-CL-*): the factory of locks, and the contexts of the choices on them. */
import type { DamlRecord } from '../../daml/model/values.js';
import type {
  ChoiceContext,
  ConditionalLockFactoryWithChoiceContext,
  GetFactoryRequest,
} from '../../spec/generated/registry.js';
import {
  CONDITIONAL_LOCK_API,
  lockArgumentType,
  lockContext,
  lockFactory,
  type LockEntity,
} from '../../token/previews/conditional-lock.js';
import { HttpRefusal, type ScanContext, type SomeHandlers } from '../handler.js';
import { answered, choiceContext } from './choice-contexts.js';
import { factoryArguments } from './factory-arguments.js';
import type { Splice } from './tokens.js';

interface Body {
  readonly excludeDebugFields?: boolean;
}

const contextOf = (
  splice: Splice,
  entity: LockEntity,
  id: string,
  { excludeDebugFields }: Body,
): ChoiceContext =>
  choiceContext(splice, answered(lockContext(splice.network, entity, id)), excludeDebugFields);

const ofInstruction = (
  { splice }: ScanContext,
  { path, body }: { readonly path: { readonly lockInstructionId: string }; readonly body: Body },
): ChoiceContext => contextOf(splice, 'ConditionalLockInstruction', path.lockInstructionId, body);

const ofLock = (
  { splice }: ScanContext,
  { path, body }: { readonly path: { readonly lockId: string }; readonly body: Body },
): ChoiceContext => contextOf(splice, 'ConditionalLock', path.lockId, body);

function factory(splice: Splice, body: GetFactoryRequest): ConditionalLockFactoryWithChoiceContext {
  const { network, packages } = splice;
  const type = lockArgumentType(network);
  if (type === undefined)
    throw new HttpRefusal(404, `No participant has the package ${CONDITIONAL_LOCK_API}.`);
  const expected = '`ConditionalLockFactory_Lock`. Error';
  const given = factoryArguments<DamlRecord>(packages, expected, type, body);
  const found = answered(lockFactory(network, given));
  return {
    factoryId: found.factoryId,
    choiceContext: choiceContext(splice, found, body.excludeDebugFields),
  };
}

export const conditionalLockHandlers = {
  getConditionalLockFactory: ({ splice }, { body }) => factory(splice, body),
  getConditionalLockInstructionAcceptContext: ofInstruction,
  getConditionalLockInstructionRejectContext: ofInstruction,
  getConditionalLockInstructionWithdrawContext: ofInstruction,
  getConditionalLockEnactContext: ofLock,
  getConditionalLockExpireContext: ofLock,
  getConditionalLockCancelContext: ofLock,
  getConditionalLockAmendContext: ofLock,
} satisfies SomeHandlers<'registry'>;
