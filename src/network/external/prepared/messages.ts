/** The messages of a prepared transaction (`com.daml.ledger.api.v2.interactive`), as participant and signer exchange them. */
import { defined, type Defined } from '../../protobuf/defined.js';

const INTERACTIVE = 'com.daml.ledger.api.v2.interactive';
type Interactive = typeof INTERACTIVE;
type Nodes = `${Interactive}.transaction.v1`;

export type ProtoKeyWithMaintainers = Defined<`${Interactive}.GlobalKeyWithMaintainers`>;
export type ProtoQueryByKey = Defined<`${Nodes}.QueryByKey`>;
export type ProtoCreate = Defined<`${Nodes}.Create`>;
export type ProtoFetch = Defined<`${Nodes}.Fetch`>;
export type ProtoExercise = Defined<`${Nodes}.Exercise`>;
export type ProtoExternalCall = Defined<`${Nodes}.ExternalCallResult`>;
/** Exactly one member is present. */
export type ProtoNodeType = Defined<`${Nodes}.Node`>;
export type ProtoNode = Defined<`${Interactive}.DamlTransaction.Node`>;
export type ProtoTransaction = Defined<`${Interactive}.DamlTransaction`>;
export type ProtoInputContract = Defined<`${Interactive}.Metadata.InputContract`>;
export type ProtoMetadata = Defined<`${Interactive}.Metadata`>;
export type ProtoPrepared = Defined<`${Interactive}.PreparedTransaction`>;

export const Create = defined(`${INTERACTIVE}.transaction.v1.Create`);
export const PreparedTransactionMessage = defined(`${INTERACTIVE}.DamlTransaction`);
export const Prepared = defined(`${INTERACTIVE}.PreparedTransaction`);
