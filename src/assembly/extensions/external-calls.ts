/** The extension services that options state, for the participants of the network. */
import { isError, isPromise } from '../../daml/errors/realms.js';
import { lazy } from '../../daml/errors/lazy.js';
import type {
  ExtensionService,
  ExtensionServices,
  ServiceAnswer,
} from '../../network/extensions/services.js';
import type { NetworkOptions } from '../../network/network.js';
import type { ExternalCalls, ExternalFunction } from '../../spec/releases/node-options.js';
import type * as HttpService from './http-service.js';

const overHttp = lazy(() => require('./http-service.js') as typeof HttpService);

/** Options with the services of all participants, or of one. */
interface Stating {
  readonly externalCalls?: ExternalCalls | undefined;
  readonly participants?: readonly (string | { name: string; externalCalls?: ExternalCalls })[];
}

/**
 * The options of the network, with its services and those of single participants.
 * @param closing ends all requests to services
 */
export function withExternalCalls(
  { externalCalls, participants = [] }: Stating,
  network: Pick<NetworkOptions, 'rules' | 'byParticipant'>,
  closing: AbortSignal,
): Pick<NetworkOptions, 'rules' | 'byParticipant' | 'extensions'> {
  const byParticipant = { ...network.byParticipant };
  for (const each of participants) {
    if (typeof each === 'string' || each.externalCalls === undefined) continue;
    const extensions = servicesOf(each.externalCalls, closing);
    byParticipant[each.name] = { ...byParticipant[each.name], extensions };
  }
  return {
    ...network,
    ...(Object.keys(byParticipant).length > 0 && { byParticipant }),
    ...(externalCalls !== undefined && { extensions: servicesOf(externalCalls, closing) }),
  };
}

const servicesOf = (calls: ExternalCalls, closing: AbortSignal): ExtensionServices =>
  Object.fromEntries(
    Object.entries(calls).map(([id, service]) => [id, serviceOf(service, closing)]),
  );

function serviceOf(given: ExternalCalls[string], closing: AbortSignal): ExtensionService {
  if (typeof given === 'function') return ofFunction(given);
  return overHttp().httpService(typeof given === 'string' ? { url: given } : given, closing);
}

/** An error of the function is like an unexpected one of a real service, which is not called again. */
function ofFunction(service: ExternalFunction): ExtensionService {
  const fail = (error: unknown): ServiceAnswer => {
    const message = isError(error) ? error.message : String(error);
    return { failure: { status: 500, message, retryable: false } };
  };
  const output = (given: unknown): ServiceAnswer => ({ output: String(given) });
  return {
    ask({ call: { functionId, config, input } }) {
      try {
        const given: unknown = service(functionId, config, input);
        return isPromise(given) ? given.then(output).catch(fail) : output(given);
      } catch (error) {
        return fail(error);
      }
    },
  };
}
