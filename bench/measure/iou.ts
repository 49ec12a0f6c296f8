/** What the benchmarks make and exercise: Ious of the quickstart, which a new Canticle has. */
export const IOU = '#canticle-quickstart:Quickstart.Iou:Iou';

/** A payload, of two signatories. */
export const iou = (issuer: string, owner: string) => ({
  issuer,
  owner,
  currency: 'EUR',
  amount: '100.0',
  observers: [],
});

/** Where clients send the commands that do it. */
export const SUBMIT_AND_WAIT = '/v2/commands/submit-and-wait';
