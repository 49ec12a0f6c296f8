/** The differences between releases of Splice's apps that the nodes of the network have. */
export interface AppRelease {
  /** The version that the apps report, also on the ledger. */
  readonly version: string;
  /** Whether delegates mint coupons of SV rewards, too (WA-COU-007; R-09-011). */
  readonly delegatesMintSvCoupons: boolean;
}

export const DEFAULT_APP_RELEASE: AppRelease = { version: '0.7.4', delegatesMintSvCoupons: false };
