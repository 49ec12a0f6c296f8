/** The shape of the head of a world's file, which is checked before use. */
import { PROTOCOL_VERSIONS } from '../../network/model/protocol.js';
import { TRAFFIC_ACCOUNTS_MODES } from '../../network/traffic/accounts.js';
import {
  aCount,
  aFlag,
  anObjectOf,
  aText,
  aWholeText,
  eitherOf,
  listOf,
  mapOf,
  oneOf,
  optional,
} from '../../spec/shapes.js';
import { API_VERSIONS, SPLICE_VERSIONS } from '../../spec/versions.js';

const nonEmpty =
  (list: ReturnType<typeof listOf>): typeof list =>
  (value, path) =>
    list(value, path) ?? ((value as unknown[]).length === 0 ? `${path} is empty` : undefined);

const onlyTrue = optional(oneOf(true));

export const HEAD = anObjectOf({
  time: aText,
  apiVersion: oneOf(...API_VERSIONS),
  spliceVersion: optional(oneOf(...SPLICE_VERSIONS)),
  nodes: optional(
    mapOf(
      anObjectOf({
        canton: optional(oneOf(...API_VERSIONS)),
        splice: optional(oneOf(...SPLICE_VERSIONS)),
        enableDeprecatedEndpoints34: optional(aFlag),
        enableDeprecatedParameters34: optional(aFlag),
        enableDeprecatedEndpoints35: optional(aFlag),
      }),
    ),
  ),
  network: anObjectOf({
    seed: aCount,
    start: aWholeText,
    protocolVersion: oneOf(...PROTOCOL_VERSIONS),
    synchronizers: nonEmpty(
      listOf(
        anObjectOf({
          alias: aText,
          identifier: optional(aText),
          id: optional(aText),
          foundedBy: optional(aText),
          assignmentExclusivityTimeout: aWholeText,
          protocolVersion: optional(oneOf(...PROTOCOL_VERSIONS)),
        }),
      ),
    ),
    participants: nonEmpty(
      listOf(
        anObjectOf({
          name: aText,
          identifier: optional(aText),
          id: optional(aText),
          synchronizers: optional(listOf(aText)),
          trafficAccounts: optional(oneOf(...TRAFFIC_ACCOUNTS_MODES)),
        }),
      ),
    ),
    additionalAdminUser: optional(aText),
    trafficControl: onlyTrue,
    offsetGaps: onlyTrue,
    maxDeduplicationDuration: optional(aWholeText),
    languages: optional(
      // Files of older releases have only the names.
      eitherOf(
        listOf(aText),
        anObjectOf({
          known: optional(listOf(aText)),
          alpha: optional(aFlag),
          asRange: optional(aFlag),
        }),
      ),
    ),
  }),
  splice: anObjectOf({
    dsoParty: aText,
    registryAdmin: aText,
    startedAt: aWholeText,
    isLate: onlyTrue,
    initialRound: optional(aText),
    validators: nonEmpty(
      listOf(
        anObjectOf({
          party: aText,
          user: aText,
          walletUser: aText,
          reservedTraffic: optional(aCount),
          adminPort: optional(aCount),
        }),
      ),
    ),
    scanSees: oneOf('everything', 'dso'),
    externalHashesSince: aWholeText,
    instanceNames: mapOf(aText),
    forcedAcsSnapshots: aFlag,
    traffic: optional(
      anObjectOf({
        targetThroughput: optional(aCount),
        minTopupInterval: optional(aWholeText),
        reservedTraffic: optional(aCount),
      }),
    ),
  }),
  ledgerEnds: mapOf(aCount),
  packages: listOf(
    anObjectOf({
      id: aText,
      name: aText,
      version: aText,
      language: aText,
      bytes: optional(aCount),
    }),
  ),
  dars: listOf(anObjectOf({ sha256: aText, main: aText, bytes: optional(aCount) })),
  bytes: aCount,
  sha256: aText,
});
