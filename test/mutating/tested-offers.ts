/** A package with a template and scripts that test a part of it, and its source. */
import {
  by,
  casePackage,
  check,
  createAnd,
  creation,
  equals,
  exercised,
  mustFail,
} from '../script/case-package.js';
import { library } from '../script/script-package.js';
import { entryName, manifestFor, zipOf } from '../support/daml/dar-builder.js';
import { e } from '../support/daml/lf-code.js';
import { t } from '../support/daml/lf-types.js';
import { u } from '../support/daml/lf-code.js';

const int = (name: string, left: ReturnType<typeof e.int>, right: ReturnType<typeof e.int>) =>
  e.call(e.builtin(name), left, right);
const offer = (price: number) => ({
  seller: e.var('seller'),
  buyer: e.var('buyer'),
  price: e.int(price),
});
const total = (price: number, expected: number) => [
  by('buyer', createAnd('Quote', offer(price), 'Total'), 'total'),
  check(equals(t.int64, exercised('total', t.int64), e.int(expected))),
];
const parties = ['seller', 'buyer'];

const offers = casePackage(
  {
    Offer: {
      fields: { seller: t.party, buyer: t.party, price: t.int64 },
      signatories: ['seller'],
      observers: ['buyer'],
      ensure: ({ my }) => e.call(e.builtin('GREATER', t.int64), my('price'), e.int(0)),
      choices: {
        Accept: { by: ['buyer'] },
        Withdraw: { by: ['seller'], stays: true },
      },
    },
    Quote: {
      fields: { seller: t.party, buyer: t.party, price: t.int64 },
      signatories: ['buyer'],
      choices: {
        Total: {
          by: ['buyer'],
          returns: t.int64,
          does: ({ my }) =>
            u.pure(
              t.int64,
              int('ADD_INT64', my('price'), e.call(e.value('Main:sum'), my('price'))),
            ),
        },
      },
    },
  },
  {
    refusesFree: { parties, steps: [mustFail('seller', creation('Offer', offer(0)))] },
    offers: { parties, steps: [by('seller', creation('Offer', offer(5)))] },
    totals: { parties, steps: total(3, 9) },
    fails: { parties, steps: total(3, 10) },
  },
  {
    values: {
      sum: {
        type: t.arrow(t.int64, t.int64),
        expression: e.lambda(
          { n: t.int64 },
          e.located(
            'Main',
            20,
            e.if(
              e.call(e.builtin('EQUAL', t.int64), e.var('n'), e.int(0)),
              e.int(0),
              int(
                'ADD_INT64',
                e.var('n'),
                e.call(e.value('Main:sum'), int('SUB_INT64', e.var('n'), e.int(1))),
              ),
            ),
          ),
        ),
      },
    },
  },
);

/** Its Daml source. The line of `sum` is that of its position in the archive. */
const SOURCE = `module Main where

template Offer
  with
    seller : Party
    buyer : Party
    price : Int
  where
    signatory seller
    observer buyer
    ensure price > 0
    choice Accept : ()
      controller buyer
      do pure ()
    nonconsuming choice Withdraw : ()
      controller seller
      do pure ()

sum : Int -> Int
sum n = if n == 0 then 0 else n + sum (n - 1)

template Quote
  with
    seller : Party
    buyer : Party
    price : Int
  where
    signatory buyer
    choice Total : Int
      controller buyer
      do
        pure (price + sum price)
`;

export function offersDar(source = SOURCE): Uint8Array {
  const all = [library.main, ...library.parts];
  return zipOf({
    'META-INF/MANIFEST.MF': manifestFor(offers, all),
    ...Object.fromEntries([offers, ...all].map((each) => [entryName(each), each.dalf])),
    'script-cases-1.0.0/Main.daml': source,
  });
}
