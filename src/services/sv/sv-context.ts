/** The SV app in the context of its handlers. It needs a DSO that Splice's code founded. */
import { dsoHost } from '../../splice/dso/amulet-contracts.js';
import { svNodeOf, type SvNode } from '../../splice/sv/sv-node.js';
import type { Validator } from '../../splice/validators/validator.js';
import type { SvContext } from '../handler.js';
import { required } from '../scan/formats/contracts.js';

/** The validator of the SV, on any port. */
export function svValidator({ splice }: SvContext): Validator {
  const host = dsoHost(splice);
  return host === undefined ? splice.validator : splice.validatorAt(host);
}

/** @throws HttpRefusal 404 if there are no DsoRules */
export function svNode({ splice }: SvContext): SvNode {
  required(splice, 'dsoRules', 'DsoRules');
  return svNodeOf(splice);
}
