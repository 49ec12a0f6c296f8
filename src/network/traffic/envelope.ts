/** The traffic cost of an envelope: its bytes, and a share of them for each recipient. */

/** The share, in 1/10000 of the bytes: the setting of the recorded network, and Splice's. */
const READ_SCALING = 4;
const READ_UNIT = 10_000;

export interface Envelope {
  /** In bytes. */
  readonly length: number;
  readonly recipients: number;
  /** The positions of its views in the pre-order of all views; empty without views. */
  readonly views?: readonly number[];
}

/** The cost of an envelope, as a sequencer summarizes it. */
export interface EnvelopeCost {
  readonly cost: number;
  readonly views: readonly number[];
}

export const envelopeCost = ({ length, recipients }: Envelope): number =>
  length + Math.floor((length * recipients * READ_SCALING) / READ_UNIT);
