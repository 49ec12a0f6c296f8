/** The release of Splice whose nodes these are: what validators say of themselves on the ledger. */
export const NODE_VERSION = '0.7.4';
