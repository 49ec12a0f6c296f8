/** An SV's app as it acts on the ledger. */
import type { Party } from '../../daml/model/values.js';
import { DsoNode } from '../automation/dso-node.js';
import type { Dso } from '../dso/dso.js';
import type { Sponsor } from '../dso/onboarding.js';

export interface SvNode {
  readonly node: DsoNode;
  readonly sv: Party;
  readonly sponsor: Sponsor;
}

/** The node of the first SV in DsoRules; without DsoRules, the node of the validator that hosts the DSO. */
export function svNodeOf(dso: Dso): SvNode {
  const node = new DsoNode(dso);
  const { submitter } = node;
  const { sv = dso.validatorAt(submitter.participant).party } = node;
  return { node, sv, sponsor: { dso, sv, submitter } };
}
