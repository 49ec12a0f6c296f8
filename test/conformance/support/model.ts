/** Templates for the conformance cases that `test/support/model-package.ts` has none for. */
import { d, definePackage, defineTemplate } from 'canticle';

/** Its actor has no stake in it: what it does, it sees as a witness. */
const Witnesses = defineTemplate({
  name: 'Test:Witnesses',
  fields: { signatory: d.party, observer: d.party, actor: d.party },
  signatories: (it) => [it.signatory],
  observers: (it) => [it.observer],
  choices: (choice) => ({
    CreateAnother: choice({
      consuming: false,
      result: d.contractId('Test:Witnesses'),
      controllers: (it) => [it.actor],
      run: (update, { template, payload }) =>
        update.create(template, { ...payload, signatory: payload.actor }),
    }),
  }),
});

export const conformancePackage = definePackage({
  name: 'conformance',
  version: '1.0.0',
  templates: [Witnesses],
});

/** `#conformance:Test:<entity>`, as clients name it. */
export const conformance = (entity: string): string => `#conformance:Test:${entity}`;
