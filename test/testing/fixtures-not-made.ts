/**
 * What a document names and no world of fixtures/worlds gives, by operation. The Ledger API's health checks and version refuse nobody; 500
 * and 503 are of a server that is broken; 200 and 404 of bulk storage of one that has any. The test token's factories are always there, and
 * neither token makes allocation instructions.
 */
import type { Api } from '../../src/spec/index.js';

export const NOT_MADE: Readonly<Record<Api, readonly string[]>> = {
  ledger: ['getLivez default', 'getReadyz default', 'getV2Version default'],
  scan: [
    'getDateOfMostRecentSnapshotBefore 500',
    'getDateOfFirstSnapshotAfter 500',
    'getAcsSnapshotAt 500',
    'getAcsSnapshotAtV1 500',
    'forceAcsSnapshotNow 500',
    'getValidatorFaucetsByValidator 404',
    'listUnclaimedDevelopmentFundCoupons 500',
    'getUpdatesBefore 404',
    'getImportUpdates 404',
    'listBulkAcsSnapshotObjects 200 404 501',
    'listBulkUpdateHistoryObjects 200 404 501',
    'getBulkObjectChecksums 200 501',
    'getSpliceInstanceNames 404',
    'getEventHistory 500',
    'getEventById 500',
    'lookupDsoRulesVoteRequest 200',
    'isReady 503',
    'isLive 503',
    'featureSupport 500',
    'getHoldingsStateAt 500',
    'getHoldingsStateAtV1 500',
    'getHoldingsSummaryAt 500',
    'getHoldingsSummaryAtV1 500',
    'getPartyToParticipant 500',
    'getPartyToParticipantV1 500',
    'getMemberTrafficStatus 404 500',
    'getActivePhysicalSynchronizerSerial 500',
    'getUpdateHistoryV2 500',
    'getUpdateByIdV2 500',
    'getUpdateHistoryV1 500',
    'getUpdateByIdV1 500',
    'getUpdateByHash 200 500',
    'getUpdateHistory 500',
    'getUpdateById 500',
  ],
  registry: [
    'getRegistryInfo 404 500',
    'listInstruments 404 500',
    'getInstrument 500',
    'getTransferFactory 404',
    'getTransferFactoryV2 404 409',
    'getAllocationFactoryV2 404 409',
    'getAllocationInstructionAcceptContextV2 200 404 409',
    'getAllocationInstructionWithdrawContextV2 200 404 409',
    'getSettlementFactoryV2 404 409',
  ],
  validator: [
    'isReady 503',
    'isLive 503',
    'getHoldingsSummaryAt 500',
    'getHoldingsSummaryAtV1 500',
  ],
  control: [],
};
