/** The DSO as its contracts are read: whose they are, and in which network. */
import type { PackageLookup } from '../../daml/model/package.js';
import type { Party } from '../../daml/model/values.js';
import type { Network } from '../../network/network.js';
import type { Participant } from '../../network/participant.js';
import type { InstanceNames } from '../instance-names.js';
import type { Validator } from '../validators/validator.js';

export interface Dso {
  readonly network: Network;
  readonly dsoParty: Party;
  readonly instanceNames: InstanceNames;
  readonly packages: PackageLookup;
  /** The last offset of its participant that is known, where not all are. */
  readonly knownUpTo?: number | undefined;
  validatorAt(participant: Participant): Validator;
}
