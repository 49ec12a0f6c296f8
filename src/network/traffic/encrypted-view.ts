/** Views as participants receive them: compressed and encrypted, with a key for each recipient. */
import { lazy } from '../../daml/errors/lazy.js';
import { bytesOf, integer, message, raw, string, versioned, type Part } from './message-bytes.js';
import type { Noise } from './noise.js';
import type * as Pako from 'pako';

const pako = lazy(() => require('pako') as typeof Pako);

const OLD = 30;
const NEW = 31;
/** Bytes of a view's key that is encrypted for one participant: ECIES with P-256. */
const ENCRYPTED_KEY = 145;
/** Bytes of nonce and tag of AES-GCM. */
const ENCRYPTION = 28;

interface Destination {
  readonly groupsViews: boolean;
  readonly physicalSynchronizerId: string;
}

interface EncryptedViews {
  /** The number of views in the envelope. */
  readonly views: number;
  /** The number of participants that receive the view itself. */
  readonly participants: number;
  /** The number in the enum ViewType. */
  readonly type: number;
  /** The members of the submitting participant's signature. */
  readonly signature: () => Part;
}

export class EncryptedView {
  constructor(
    private readonly destination: Destination,
    private readonly noise: Noise,
  ) {}

  /** @param sent the views @returns bytes of the envelope */
  length(sent: Part, { views, participants, type, signature }: EncryptedViews): number {
    const { groupsViews, physicalSynchronizerId } = this.destination;
    const { noise } = this;
    const isOld = !groupsViews;
    const scheme = (field: number): Part => integer(field, 1);
    const content = message(1, raw(new Uint8Array(pako().gzip(bytesOf(sent)).length + ENCRYPTION)));
    const hashes = Array.from({ length: views }, () => message(isOld ? 4 : 2, noise.hash()));
    const keys = Array.from({ length: participants }, () =>
      message(
        5,
        message(1, raw(noise.bytes(ENCRYPTED_KEY))),
        integer(2, 1),
        string(3, noise.fingerprint()),
      ),
    );
    const signed = message(isOld ? 3 : 4, signature());
    const body = [content, ...hashes, scheme(isOld ? 2 : 3), signed, ...keys];
    const address = [string(6, physicalSynchronizerId), integer(7, type)];
    return versioned(isOld ? OLD : NEW, message(2, ...body, ...address)).length;
  }
}
