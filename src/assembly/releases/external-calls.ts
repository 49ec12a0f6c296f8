/** The extension services that options state, for the participants of the network. */
import { isError } from '../../daml/errors/realms.js';
import type { ExternalCall } from '../../daml/model/transaction.js';
import type {
  ExtensionService,
  ExtensionServices,
  ServiceAnswer,
} from '../../network/extensions/services.js';
import type { NetworkOptions } from '../../network/network.js';
import type { ExternalCalls, ExternalFunction } from '../../spec/releases/node-options.js';

/** Options with the services of all participants, or of one. */
interface Stating {
  readonly externalCalls?: ExternalCalls | undefined;
  readonly participants?: readonly (string | { name: string; externalCalls?: ExternalCalls })[];
}

/** The options of the network, with its services and those of single participants. */
export function withExternalCalls(
  { externalCalls, participants = [] }: Stating,
  network: Pick<NetworkOptions, 'rules' | 'byParticipant'>,
): Pick<NetworkOptions, 'rules' | 'byParticipant' | 'extensions'> {
  const byParticipant = { ...network.byParticipant };
  for (const each of participants) {
    if (typeof each === 'string' || each.externalCalls === undefined) continue;
    const extensions = servicesOf(each.externalCalls);
    byParticipant[each.name] = { ...byParticipant[each.name], extensions };
  }
  return {
    ...network,
    ...(Object.keys(byParticipant).length > 0 && { byParticipant }),
    ...(externalCalls !== undefined && { extensions: servicesOf(externalCalls) }),
  };
}

const servicesOf = (calls: ExternalCalls): ExtensionServices =>
  Object.fromEntries(Object.entries(calls).map(([id, service]) => [id, ofFunction(service)]));

/** An error of the function is like an unexpected one of a real service, which is not called again. */
const ofFunction =
  (service: ExternalFunction): ExtensionService =>
  ({ functionId, config, input }: ExternalCall): ServiceAnswer => {
    try {
      return { output: String(service(functionId, config, input)) };
    } catch (error) {
      const message = isError(error) ? error.message : String(error);
      return { failure: { status: 500, message, retryable: false } };
    }
  };
