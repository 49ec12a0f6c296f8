/** The release of Splice that the nodes report on the ledger. */
export const NODE_VERSION = '0.7.4';
