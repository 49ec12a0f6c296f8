/** Display names of the network and its coin (S-DSO-012). */
export interface InstanceNames {
  readonly networkName: string;
  readonly networkFaviconUrl: string;
  readonly amuletName: string;
  readonly amuletNameAcronym: string;
  readonly nameServiceName: string;
  readonly nameServiceNameAcronym: string;
}

export const DEFAULT_INSTANCE_NAMES: InstanceNames = {
  networkName: 'Splice',
  networkFaviconUrl: '',
  amuletName: 'Amulet',
  amuletNameAcronym: 'AMT',
  nameServiceName: 'Amulet Name Service',
  nameServiceNameAcronym: 'ANS',
};
