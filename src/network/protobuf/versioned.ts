/** Canton's `UntypedVersionedMessage`: a message and the version of its form. */
import { defined } from './defined.js';

export const Versioned = defined('com.digitalasset.canton.version.v1.UntypedVersionedMessage');

/** The version of the messages of protocol v30. */
export const V30 = 30;

export const encodeVersioned = (data: Uint8Array): Uint8Array =>
  Versioned.encode({ data, version: V30 });
