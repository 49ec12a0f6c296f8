/** The features of wallets, by the version of their package. */
import { createCanticle, d, definePackage, defineTemplate } from 'canticle';

const Wallet = defineTemplate({
  name: 'Splice.Wallet:Wallet',
  fields: { owner: d.party },
  signatories: ({ owner }) => [owner],
});

it.each([
  ['0.1.8', false],
  ['0.1.9', true],
  ['0.1.10', true],
  ['0.2.0', true],
])(
  'wallets of version %s support the token standard and descriptions: %s',
  async (version, known) => {
    const wallets = definePackage({ name: 'splice-wallet', version, templates: [Wallet] });
    const canticle = createCanticle({ packages: [wallets] });
    const answer = await canticle.handle({ path: '/api/validator/v0/feature-support' });
    expect(JSON.parse(answer.body.toString())).toEqual({
      token_standard: known,
      transfer_preapproval_description: known,
    });
  },
);
