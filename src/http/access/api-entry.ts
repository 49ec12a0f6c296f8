/** Between a decoded request and its handler: the JSON layer's own part of it, what its caller may do, and that the apps are there. */
import { requireAllowed, type Admission } from '../../services/authorization/gate.js';
import { enterJsonLayer } from '../../services/ledger-api/json-layer.js';
import type { DecodedInput } from '../../spec/decode.js';
import type { Operation } from '../../spec/operations.js';
import type { RequestContext, World } from '../contexts.js';

/** @throws LedgerError */
export function enterApi(
  { auth, participant, splice }: World,
  admission: Admission,
  operation: Operation,
  context: RequestContext,
  input: DecodedInput,
): void {
  enterJsonLayer(operation, context, input);
  requireAllowed(auth, admission, operation, participant, input, () => context.userId);
  if (operation.api !== 'ledger' && operation.api !== 'control') splice.begin();
}
