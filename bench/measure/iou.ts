/** The contracts of the benchmarks: Ious of the quickstart, which a new Canticle includes. */
export const IOU = '#canticle-quickstart:Quickstart.Iou:Iou';

/** A payload, of two signatories. */
export const iou = (issuer: string, owner: string) => ({
  issuer,
  owner,
  currency: 'EUR',
  amount: '100.0',
  observers: [],
});

/** The path of the commands. */
export const SUBMIT_AND_WAIT = '/v2/commands/submit-and-wait';
