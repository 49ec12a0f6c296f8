/**
 * The entry point of this folder for tests of other folders. Source files of other folders import its files
 * directly.
 */
export { decodeValue, encodeValue } from './codec/json/codec.js';
export { JsonLayerError } from './codec/json/json-layer.js';
export { ProtobufError } from './codec/protobuf/reading.js';
export { readDar } from './dar/dar-file.js';
export { RelTime, d, definePackage, defineTemplate, setOf, tuple2 } from './define/index.js';
export { Iou, quickstartPackage } from './define/quickstart.js';
export { STABLE_PACKAGES } from './define/stable-packages.js';
export {
  CATALOGUE,
  type ErrorCode,
  HTTP_STATUS_OF_GRPC,
  REDACTED_CODE,
} from './errors/error-catalogue.js';
export { LedgerError, type LedgerErrorDetails, ledgerError } from './errors/ledger-error.js';
export {
  BARE,
  callContext,
  loggedIn,
  type LoggingContext,
  MADE_ANEW,
  PLAIN,
  QUOTED,
  UNTRACED,
} from './errors/logging-context.js';
export { interfaceView } from './interpreter/interface-view.js';
export { interpret } from './interpreter/interpreter.js';
export { Numeric } from './model/numeric.js';
export { type DamlPackage, template } from './model/package.js';
export { formatTimestamp } from './model/time.js';
export type {
  Command,
  ContractInstance,
  CreateNode,
  ExerciseNode,
  Transaction,
} from './model/transaction.js';
export type { DamlType } from './model/types.js';
export {
  type ContractId,
  type DamlRecord,
  type DamlValue,
  type Party,
  type Timestamp,
  some,
} from './model/values.js';
