/** Operations that releases of Splice remove, with their replacements, as the release notes say (R-08-004, R-09-004 to R-09-009). */

interface Replaced {
  readonly instead: string;
}

const ACS = { instead: 'POST /api/scan/v2/state/acs' };
const HOLDINGS = { instead: 'POST /api/scan/v2/holdings/state' };
const STANDARD = { instead: 'a transfer of the token standard' };

/** By API and operation id. */
const REPLACED: Readonly<Record<string, Readonly<Record<string, Replaced>>>> = {
  scan: {
    getAcsSnapshotAt: ACS,
    getAcsSnapshotAtV1: ACS,
    getHoldingsStateAt: HOLDINGS,
    getHoldingsStateAtV1: HOLDINGS,
  },
  sv: { getDsoInfo: { instead: 'GET /api/scan/v0/dso, or GET /api/sv/v1/dso as an operator' } },
  validator: {
    prepareTransferPreapprovalSend: STANDARD,
    submitTransferPreapprovalSend: STANDARD,
  },
};

export const replacedInSplice = (
  api: string,
  operationId: string | undefined,
): Replaced | undefined => (operationId === undefined ? undefined : REPLACED[api]?.[operationId]);
