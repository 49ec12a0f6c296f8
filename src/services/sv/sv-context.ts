/** The SV's app as its handlers have it: it works only where the DSO has been founded by its own code. */
import { dsoHost } from '../../splice/dso/amulet-contracts.js';
import { svNodeOf, type SvNode } from '../../splice/sv/sv-node.js';
import type { Validator } from '../../splice/validators/validator.js';
import type { SvContext } from '../handler.js';
import { required } from '../scan/formats/contracts.js';

/** The SV's own validator, whichever port is asked. */
export function svValidator({ splice }: SvContext): Validator {
  const host = dsoHost(splice);
  return host === undefined ? splice.validator : splice.validatorAt(host);
}

/** @throws HttpRefusal 404 where there are no DsoRules */
export function svNode({ splice }: SvContext): SvNode {
  required(splice, 'dsoRules', 'DsoRules');
  return svNodeOf(splice);
}
