/** Who calls, which is asked before a request is read. */
import { httpToken } from '../../services/authorization/bearer.js';
import { admit, ANYONE, type Admission } from '../../services/authorization/gate.js';
import type { Operation } from '../../spec/operations.js';
import { releaseOf } from '../../spec/versions.js';
import type { Exchange, World } from '../contexts.js';
import { tokenRefused, type Noted } from './token-refused.js';

export type Asked = { readonly admission: Admission } | { readonly refusal: Noted };

const OPEN = { admission: ANYONE };
const HEALTH: readonly string[] = ['getLivez', 'getReadyz'];

/** Or the refusal of a token. */
export function admitted(
  world: World,
  exchange: Exchange,
  operation: Operation,
): Asked | Promise<Asked> {
  const { auth, participant, apiVersion } = world;
  if (isOpen(world, operation)) return OPEN;
  const refused = (error: unknown) => tokenRefused(world, exchange, operation, error);
  try {
    const token = httpToken(exchange.header, apiVersion);
    if (auth === undefined) return OPEN;
    return admit(auth, participant, token).then((admission) => ({ admission }), refused);
  } catch (error) {
    return refused(error);
  }
}

function isOpen({ auth, openControls, apiVersion }: World, operation: Operation): boolean {
  const { api, operationId } = operation;
  if (api === 'control') return auth === undefined || openControls;
  if (api !== 'ledger') return true;
  return HEALTH.includes(operationId) && !releaseOf(apiVersion).healthTakesTokens;
}
