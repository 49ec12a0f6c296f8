/** The package that every sandbox holds, so that a newcomer's first request works: `#canticle-quickstart:Quickstart.Iou:Iou`. */
import { definePackage } from './package.js';
import { defineTemplate } from './template.js';
import { d } from './types.js';
import { Numeric } from '../model/numeric.js';
import { tuple2 } from './stable-packages.js';

const IOU = 'Quickstart.Iou:Iou';
const ZERO = Numeric.of('0', 10);

/** A promise by the issuer to pay the owner: the smallest template with everything in it. */
export const Iou = defineTemplate({
  name: IOU,
  fields: {
    issuer: d.party,
    owner: d.party,
    currency: d.text,
    amount: d.numeric(10),
    observers: d.list(d.party),
  },
  signatories: (iou) => [iou.issuer, iou.owner],
  observers: (iou) => iou.observers,
  ensure: (iou) => iou.amount.compare(ZERO) > 0,
  choices: (choice) => ({
    /** Two IOUs in place of one: the amount that is split off, and the rest. */
    Iou_Split: choice({
      argument: { splitAmount: d.numeric(10) },
      result: tuple2(d.contractId(IOU), d.contractId(IOU)),
      controllers: (iou) => [iou.owner],
      run: (update, { payload, template }, { splitAmount }) => ({
        _1: update.create(template, { ...payload, amount: splitAmount }),
        _2: update.create(template, { ...payload, amount: payload.amount.subtract(splitAmount) }),
      }),
    }),
    /** The new owner signs the IOU, and so acts too. */
    Iou_Transfer: choice({
      argument: { newOwner: d.party },
      result: d.contractId(IOU),
      controllers: (iou, { newOwner }) => [iou.owner, newOwner],
      run: (update, { payload, template }, { newOwner }) =>
        update.create(template, { ...payload, owner: newOwner }),
    }),
    Iou_AddObserver: choice({
      argument: { newObserver: d.party },
      result: d.contractId(IOU),
      controllers: (iou) => [iou.owner],
      run: (update, { payload, template }, { newObserver }) =>
        update.create(template, { ...payload, observers: [...payload.observers, newObserver] }),
    }),
  }),
});

/** The package `canticle-quickstart`: a LocalNet, or another Canticle that has not got it, takes it among its `packages`. */
export const quickstartPackage = definePackage({
  name: 'canticle-quickstart',
  version: '1.0.0',
  // The hash of its archive, which takes some milliseconds of each start (test/network/served-packages.test.ts compares).
  id: '7280d81814704bec0e3509c36d0e68c9971e317f5d08461ad75ec68706eb81c6',
  templates: [Iou],
});
