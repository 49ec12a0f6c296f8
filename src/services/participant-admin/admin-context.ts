/** The context of the admin API's methods, in addition to their requests. */
import type { Synchronizer } from '../../network/synchronizer.js';
import type { LedgerContext } from '../handler.js';

export type AdminContext = Pick<
  LedgerContext,
  'network' | 'participant' | 'apiVersion' | 'values' | 'userId'
>;

export const connected = ({ network, participant }: AdminContext): readonly Synchronizer[] =>
  network.synchronizers.filter(({ id }) => participant.isConnectedTo(id));
