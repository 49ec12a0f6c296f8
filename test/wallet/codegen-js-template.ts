/** A template as `dpm codegen-js` writes it, on the real `@daml/types`: `.js` and `.d.ts` in one. */
import * as damlTypes from '@daml/types';
import * as jtv from '@mojotech/json-type-validation';

export interface Lot {
  owner: damlTypes.Party;
  amount: damlTypes.Numeric;
  note: damlTypes.Optional<string>;
  prices: damlTypes.Map<string, damlTypes.Int>;
}
export interface Sell {
  buyer: damlTypes.Party;
}

const prices = damlTypes.Map(damlTypes.Text, damlTypes.Int);
const note = damlTypes.Optional(damlTypes.Text);
type SellChoice = damlTypes.Choice<Lot, Sell, damlTypes.ContractId<Lot>, damlTypes.Party> &
  damlTypes.ChoiceFrom<damlTypes.Template<Lot, damlTypes.Party>>;

type LotTemplate = damlTypes.Template<Lot, damlTypes.Party, '#lots:Lots:Lot'> &
  damlTypes.ToInterface<Lot, never> & { readonly Sell: SellChoice };
/** The generated code is JavaScript, with separate declarations. */
const assembleTemplate = damlTypes.assembleTemplate as unknown as (parts: object) => LotTemplate;

export const Lot: LotTemplate = assembleTemplate({
  templateId: '#lots:Lots:Lot' as const,
  templateIdWithPackageId: '#lots:Lots:Lot',
  componentVersionString: '3.5.2' as const,
  keyDecoder: damlTypes.lazyMemo(() => damlTypes.Party.decoder),
  keyEncode: (key: damlTypes.Party) => damlTypes.Party.encode(key),
  decoder: damlTypes.lazyMemo(() =>
    jtv.object<Lot>({
      owner: damlTypes.Party.decoder,
      amount: damlTypes.Numeric(10).decoder,
      note: note.decoder,
      prices: prices.decoder,
    }),
  ),
  encode: (lot: Lot) => ({
    owner: damlTypes.Party.encode(lot.owner),
    amount: damlTypes.Numeric(10).encode(lot.amount),
    note: note.encode(lot.note),
    prices: prices.encode(lot.prices),
  }),
  Archive: {
    template: () => Lot,
    choiceName: 'Archive',
    argumentDecoder: jtv.object({}),
    argumentEncode: () => ({}),
    resultDecoder: damlTypes.Unit.decoder,
  },
  Sell: {
    template: () => Lot,
    choiceName: 'Sell',
    argumentDecoder: jtv.object<Sell>({ buyer: damlTypes.Party.decoder }),
    argumentEncode: ({ buyer }: Sell) => ({ buyer: damlTypes.Party.encode(buyer) }),
    resultDecoder: damlTypes.ContractId(damlTypes.Unit).decoder as unknown as jtv.Decoder<
      damlTypes.ContractId<Lot>
    >,
  },
});
