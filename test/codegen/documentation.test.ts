/** Documentation comments of Daml sources, wherever people put them. */
import { documentationOf } from '../../src/codegen/index.js';

const docsOf = (source: string) => Object.fromEntries(documentationOf(source));

test('reads comments before and after their subject', () => {
  expect(
    docsOf(`-- Copyright, which is about nothing.

-- | The module,
-- in two lines.
module Main.Shop where

import DA.Map qualified as Map -- | not about the next

-- | What is sold.
--
-- It has an owner.
template Article
  with
    owner : Party -- ^ Who has it.
    -- | What it costs.
    price : Decimal
    width, depth: Int
      -- ^ In metres,
      -- both of them.
    plain : Text -- no documentation
  where
    signatory owner
    -- | Sells it.
    choice Sell : ContractId Article
      with
        buyer : Party
          -- ^ Who gets it.
      controller owner, buyer
      do create this with owner = buyer

    -- | Looks at it.
    nonconsuming choice Look : ()
      with viewer : Party -- ^ Who looks.
      controller viewer
      do pure ()
`),
  ).toEqual({
    '': 'The module,\nin two lines.',
    Article: 'What is sold.\n\nIt has an owner.',
    'Article.owner': 'Who has it.',
    'Article.price': 'What it costs.',
    'Article.width': 'In metres,\nboth of them.',
    'Article.depth': 'In metres,\nboth of them.',
    Sell: 'Sells it.',
    'Sell.buyer': 'Who gets it.',
    Look: 'Looks at it.',
    'Look.viewer': 'Who looks.',
  });
});

test('reads comments of records, variants and enums, in all common forms', () => {
  expect(
    docsOf(`module Types where
{-| A block
    of text. -}
data Size = Small | Large deriving (Eq, Show)
-- | How it looks.
data Shape
  = Point -- ^ Nothing.
  | Circle with
      radius : Decimal -- ^ In metres.
  | -- | Four sides.
    Square { side : Decimal -- ^ Each.
           }
  deriving (Eq)
newtype Round = Round with number : Int -- ^ From zero.
data Other = Different with
    x : Text -- ^ An x.
{- no documentation -}
f : Int -> Int -- ^ a function
f x = x
-- | A view.
interface Viewed where
  viewtype View
  -- | Does.
  choice Viewed_Do : Text with
      actor : Party -- ^ Who -- acts.
    controller actor
    do pure "-- | not a comment"
`),
  ).toEqual({
    Size: 'A block\nof text.',
    Shape: 'How it looks.',
    'Shape.Point': 'Nothing.',
    'Shape.Circle.radius': 'In metres.',
    'Shape.radius': 'In metres.',
    'Shape.Square': 'Four sides.',
    'Shape.Square.side': 'Each.',
    'Shape.side': 'Each.',
    'Round.number': 'From zero.',
    'Other.Different.x': 'An x.',
    'Other.x': 'An x.',
    Viewed: 'A view.',
    Viewed_Do: 'Does.',
    'Viewed_Do.actor': 'Who -- acts.',
  });
});

test('returns no comments for an invalid source', () => {
  expect(docsOf('')).toEqual({});
  expect(docsOf('-- | \n{-| never closed')).toEqual({});
});

test('ends a comment at the next comment, and at an empty line', () => {
  expect(
    docsOf(`module M where
-- | Where it is.

-- And more of that.
template S
-- | What it is.
{- For those who keep it. -}
-- And more of that.
template T
  with
    owner : Party -- ^ Who has it.
    {- Another one. -}
    -- And more of that.
    other : Party
`),
  ).toEqual({ S: 'Where it is.', T: 'What it is.', 'T.owner': 'Who has it.' });
});
