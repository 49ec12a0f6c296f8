/** Data for a page that shows the network: updates, contracts, topology and packages of all participants. */
import { noSynchronizer } from '../../network/synchronizer.js';
import { describePackage, headOf } from '../../daml/describing/describe.js';
import { contractLife, inspectContracts } from '../../network/inspection/contracts.js';
import { knownPackages, modulesWithSource, sourcesOf } from '../../network/inspection/packages.js';
import { inspectTopology } from '../../network/inspection/topology.js';
import { happened } from '../../network/inspection/updates.js';
import type { Network } from '../../network/network.js';
import type { Participant } from '../../network/participant.js';
import { PARTICIPANT_ADMIN_USER } from '../../network/administration/users.js';
import { parseTime } from '../../network/model/time-texts.js';
import type {
  InspectedContracts,
  InspectedPackage,
  InspectedTopology,
  InspectedUpdates,
  ContractLife,
} from '../../spec/generated/control.js';
import { wordsOf } from '../../splice/wallet-log/words.js';
import { HttpRefusal, type SomeHandlers } from '../handler.js';

/** The default and maximum page size. */
const PAGE = 50;
const MAX_PAGE = 1_000;

export const inspection = {
  inspectUpdates: ({ network }, { query }) => {
    const { before, participant, synchronizer, party } = query;
    return happened(network, {
      before: before === undefined ? undefined : parseTime(before),
      limit: limitOf(query.limit),
      participant: participantNamed(network, participant),
      synchronizerId: synchronizerNamed(network, synchronizer),
      party,
      words: wordsOf,
    }) as InspectedUpdates;
  },

  inspectContracts: ({ network }, { query }) => {
    const participant = participantNamed(network, query.participant);
    const { contracts, next } = inspectContracts(network, {
      at: momentOf(participant, query),
      after: placeOf(query.after),
      limit: limitOf(query.limit),
      archived: query.archived,
      newest: query.newest,
      template: query.template,
      interface: query.interface,
      party: query.party,
      participant,
      synchronizerId: synchronizerNamed(network, query.synchronizer),
    });
    const more = next && { next: `${next.sequence}.${next.nodeId}` };
    return { contracts, ...more } as unknown as InspectedContracts;
  },

  inspectContract: ({ network }, { path: { contractId } }) => {
    const found = contractLife(network, contractId);
    if (found === undefined) throw new HttpRefusal(404, `There is no contract ${contractId}.`);
    return found as unknown as ContractLife;
  },

  inspectAccess: async ({ network, access }, { query }) => {
    const participant = participantNamed(network, query.participant) ?? network.participants[0]!;
    const { name, users } = participant;
    const listed = (parties = '') => parties.split(',').filter((party) => party !== '');
    const needsToken = access.needsToken(name);
    const able = users.userFor(listed(query.actAs), listed(query.readAs));
    const userId = needsToken ? (able ?? PARTICIPANT_ADMIN_USER) : PARTICIPANT_ADMIN_USER;
    const ledgerApi = access.ledgerApiOf(name);
    const token = needsToken ? await access.tokenOf(name, userId) : undefined;
    return {
      participant: name,
      userId,
      mayAct: !needsToken || able !== undefined,
      needsToken,
      ...(ledgerApi !== undefined && { ledgerApi }),
      ...(token !== undefined && { token }),
    };
  },

  inspectTopology: ({ network }) => inspectTopology(network) as InspectedTopology,

  inspectPackages: ({ network }) => ({
    packages: knownPackages(network).map((each) => ({
      ...headOf(each),
      templates: each.templates.size,
      interfaces: each.interfaces.size,
      sources: [...modulesWithSource(network, each.id)],
    })),
  }),

  inspectPackage: ({ network }, { path: { packageId } }) => {
    const found = knownPackages(network).find(({ id }) => id === packageId);
    if (found === undefined) throw new HttpRefusal(404, `There is no package ${packageId}.`);
    const sources = modulesWithSource(network, packageId);
    return { ...describePackage(found, network.packages), sources } as unknown as InspectedPackage;
  },

  inspectSource: ({ network }, { path: { packageId, module } }) => {
    const source = sourcesOf(network, packageId).get(module);
    if (source === undefined)
      throw new HttpRefusal(404, `There is no source of module ${module} of package ${packageId}.`);
    return { module, path: source.path, text: source.text };
  },
} satisfies SomeHandlers<'control'>;

function limitOf(limit: number = PAGE): number {
  if (limit < 1 || limit > MAX_PAGE)
    throw new HttpRefusal(400, `limit is from 1 to ${MAX_PAGE}, and was ${limit}.`);
  return limit;
}

function participantNamed(network: Network, name: string | undefined): Participant | undefined {
  const found = network.participants.find((each) => each.name === name);
  if (name !== undefined && found === undefined)
    throw new HttpRefusal(404, `There is no participant ${name}.`);
  return found;
}

function synchronizerNamed(network: Network, name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  const found = network.synchronizer(name);
  if (found === undefined) throw new HttpRefusal(404, noSynchronizer(name, network.synchronizers));
  return found.id;
}

/** A time, or the time of a participant's offset. */
function momentOf(
  participant: Participant | undefined,
  { at, offset }: { readonly at?: string | undefined; readonly offset?: number | undefined },
): bigint | undefined {
  if (offset === undefined) return at === undefined ? undefined : parseTime(at);
  if (participant === undefined)
    throw new HttpRefusal(400, 'An offset is one of a participant: say which.');
  const entry = participant.log.entry(offset);
  if (entry === undefined)
    throw new HttpRefusal(404, `There is nothing at offset ${offset} of ${participant.name}.`);
  return entry.recordTime;
}

function placeOf(after: string | undefined) {
  if (after === undefined) return undefined;
  const match = /^(\d{1,15})\.(\d{1,15})$/.exec(after);
  if (match === null) throw new HttpRefusal(400, `after is what next was, and not ${after}.`);
  return { sequence: Number(match[1]), nodeId: Number(match[2]) };
}
