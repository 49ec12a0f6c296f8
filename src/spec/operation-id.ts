/** The names of all served operations of any API and transport. */
import type { Api } from './api.js';
import type { GatewayOperation } from './wallet-gateway/operations.js';
import type { GrpcAlone } from './grpc-alone.js';
import type { ServedIds } from './served.js';

/**
 * An operation: its id in the document of its API, such as `postV2Parties` or `getDsoPartyId`; for gRPC-only
 * operations, service and method, such as `PackageService/UploadDar`. Methods of the Wallet Gateway are such as
 * `DappApi/prepareExecute`.
 */
export type OperationId = { [A in Api]: ServedIds<A> }[Api] | GrpcAlone | GatewayOperation;
