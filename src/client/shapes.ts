/** The parts of a live participant's answers that Canticle uses. Each part is checked before it is used. */
import {
  aCount,
  aFlag,
  anObjectOf,
  aText,
  listOf,
  mapOf,
  optional,
  type Shape,
} from '../spec/shapes.js';

const annotations = optional(mapOf(aText));
const metadata = optional(anObjectOf({ resourceVersion: optional(aText), annotations }));
const nextPageToken = optional(aText);

const createdEvent = anObjectOf({
  contractId: aText,
  offset: aCount,
  nodeId: aCount,
  createdEventBlob: optional(aText),
});
const move = {
  source: aText,
  target: aText,
  reassignmentId: aText,
  submitter: optional(aText),
  reassignmentCounter: aCount,
};

/** An element of the active contracts. */
export const CONTRACT: Shape = anObjectOf({
  contractEntry: optional(
    anObjectOf({
      JsActiveContract: optional(
        anObjectOf({ createdEvent, synchronizerId: aText, reassignmentCounter: aCount }),
      ),
      JsIncompleteUnassigned: optional(
        anObjectOf({
          createdEvent,
          unassignedEvent: anObjectOf({
            ...move,
            offset: aCount,
            nodeId: aCount,
            assignmentExclusivity: optional(aText),
          }),
        }),
      ),
      JsIncompleteAssigned: optional(
        anObjectOf({ assignedEvent: anObjectOf({ ...move, createdEvent }) }),
      ),
    }),
  ),
});

const right = anObjectOf({
  kind: optional(mapOf(anObjectOf({ value: optional(anObjectOf({ party: optional(aText) })) }))),
});

/** By request. */
export const ANSWERS = {
  version: anObjectOf({ version: aText }),
  ledgerEnd: anObjectOf({ offset: aCount }),
  pruned: anObjectOf({ participantPrunedUpToInclusive: optional(aCount) }),
  participantId: anObjectOf({ participantId: aText }),
  synchronizers: anObjectOf({
    connectedSynchronizers: optional(
      listOf(anObjectOf({ synchronizerAlias: aText, synchronizerId: aText })),
    ),
  }),
  packages: anObjectOf({ packageIds: optional(listOf(aText)) }),
  packageStatus: anObjectOf({ packageStatus: optional(aText) }),
  identityProviders: anObjectOf({
    identityProviderConfigs: optional(
      listOf(
        anObjectOf({
          identityProviderId: aText,
          isDeactivated: optional(aFlag),
          issuer: optional(aText),
          jwksUrl: optional(aText),
          audience: optional(aText),
        }),
      ),
    ),
  }),
  parties: anObjectOf({
    partyDetails: optional(
      listOf(
        anObjectOf({
          party: aText,
          isLocal: optional(aFlag),
          localMetadata: metadata,
          identityProviderId: optional(aText),
        }),
      ),
    ),
    nextPageToken,
  }),
  users: anObjectOf({
    users: optional(
      listOf(
        anObjectOf({
          id: aText,
          primaryParty: optional(aText),
          isDeactivated: optional(aFlag),
          metadata,
          identityProviderId: optional(aText),
        }),
      ),
    ),
    nextPageToken,
  }),
  rights: anObjectOf({ rights: optional(listOf(right)) }),
  authenticatedUser: anObjectOf({ user: anObjectOf({ id: aText }) }),
  vetted: anObjectOf({
    vettedPackages: optional(
      listOf(
        anObjectOf({
          participantId: aText,
          synchronizerId: aText,
          packages: optional(listOf(anObjectOf({ packageId: aText }))),
        }),
      ),
    ),
    nextPageToken,
  }),
  update: anObjectOf({
    update: mapOf(anObjectOf({ value: anObjectOf({ recordTime: optional(aText) }) })),
  }),
  contracts: anObjectOf({ activeContracts: optional(listOf(CONTRACT)), nextPageToken }),
} as const satisfies Readonly<Record<string, Shape>>;
