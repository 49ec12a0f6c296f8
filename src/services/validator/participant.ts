/** The validator's endpoints about its participant, for its operator (V-ADM-001 to V-ADM-003). */
import { spliceReleaseOf } from '../../spec/versions.js';
import { latestOf } from '../../splice/dso/amulet-contracts.js';
import { svNodeStates, svSequencers } from '../../splice/dso/sv-nodes.js';
import { participantDump } from '../../splice/node-dumps.js';
import type { Splice } from '../../splice/splice.js';
import type { SomeHandlers } from '../handler.js';

/** The time after which a participant switches from one sequencer to another. */
const PATIENCE_SECONDS = 10;

export const participantHandlers = {
  dumpParticipantIdentities: ({ network, validator, validatorVersion }) => ({
    ...participantDump(network, validator.participant),
    version: spliceReleaseOf(validatorVersion).version,
  }),
  getDecentralizedSynchronizerConnectionConfig: ({ splice }) => ({
    sequencer_connections: {
      connections: sequencersOf(splice).map(({ id, url }) => ({
        sequencer_alias: id,
        endpoints: [endpointOf(url)],
        transport_security: url.startsWith('https:'),
      })),
      sequencer_trust_threshold: 1,
      sequencer_liveness_margin: 0,
      submission_request_amplification: { factor: 1, patience_seconds: PATIENCE_SECONDS },
    },
  }),
} satisfies SomeHandlers<'validator'>;

/**
 * The sequencers that the DSO lists: those for the synchronizer's serial or, if no entry of an SV has a serial, for the current migration.
 * NOTE: if there are none, the result is the network's sequencer at the address of a LocalNet.
 */
function sequencersOf(splice: Splice): readonly { readonly id: string; readonly url: string }[] {
  const { id, sequencerId, serial } = splice.network.synchronizers[0]!;
  const { current } = splice.network.migrations;
  const rules = latestOf(splice, 'dsoRules');
  const sequencers =
    (rules && svSequencers(svNodeStates(splice, rules)).find(([each]) => each === id)?.[1]) ?? [];
  const found = [...new Set(sequencers.map((each) => each.id))].flatMap((own) => {
    const entries = sequencers.filter((each) => each.id === own);
    const hasSerials = entries.some((each) => each.serial !== undefined);
    return (
      entries.find((each) =>
        hasSerials ? each.serial === serial : each.migrationId === current,
      ) ?? []
    );
  });
  return found.length > 0 ? found : [{ id: `SEQ::${sequencerId}`, url: 'http://canton:5008' }];
}

/** Host and port of a URL. Without a port, it is the scheme's default. */
export function endpointOf(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}
