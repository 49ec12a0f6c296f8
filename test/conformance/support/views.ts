/** Interfaces with views that differ, fail, or have no template, and DARs with one, then with its first template. */
import { d, defineInterface, definePackage, defineTemplate, methods } from 'canticle';
import { buildDar } from '../../support/daml/dar-builder.js';
import { e } from '../../support/daml/lf-code.js';
import { encodePackage } from '../../support/daml/lf-encoder.js';
import { t } from '../../support/daml/lf-types.js';

const View = d.record('Views:View', { a: d.int64, b: d.bool });
const View2 = d.record('Views:View2', { c: d.int64 });

const I = defineInterface({
  name: 'Views:I',
  view: View,
  methods: methods<{ owner(): string }>()('owner'),
  choices: (choice) => ({
    ChoiceI: choice({
      consuming: false,
      result: d.unit,
      controllers: (_view, _argument, { methods: { owner } }) => [owner()],
      run: () => ({}),
    }),
  }),
});
const I2 = defineInterface({ name: 'Views:I2', view: View2 });
const NoTemplate = defineInterface({
  name: 'Views:NoTemplate',
  view: d.record('Views:Empty', {}),
});

const fields = { p: d.party, a: d.int64 };
type Payload = { readonly p: string; readonly a: bigint };
const signatories = ({ p }: Payload) => [p];
const owner = { owner: ({ payload }: { payload: Payload }) => payload.p };

const T1 = defineTemplate({
  name: 'Views:T1',
  fields,
  signatories,
  implements: (implement) => [implement(I, { view: ({ a }) => ({ a, b: true }), methods: owner })],
});
const T2 = defineTemplate({
  name: 'Views:T2',
  fields,
  signatories,
  implements: (implement) => [implement(I, { view: ({ a }) => ({ a, b: false }), methods: owner })],
  choices: (choice) => ({
    ChoiceT2: choice({
      consuming: false,
      result: d.unit,
      controllers: ({ p }) => [p],
      run: () => ({}),
    }),
  }),
});
/** Its view fails. */
const T3 = defineTemplate({
  name: 'Views:T3',
  fields,
  signatories,
  implements: (implement) => [
    implement(I, {
      view: () => {
        throw new Error('view crashed');
      },
      methods: owner,
    }),
  ],
});
const T4 = defineTemplate({ name: 'Views:T4', fields, signatories });
const T5 = defineTemplate({
  name: 'Views:T5',
  fields,
  signatories,
  implements: (implement) => [
    implement(I, { view: ({ a }) => ({ a, b: true }), methods: owner }),
    implement(I2, { view: () => ({ c: 1n }) }),
  ],
});
const T6 = defineTemplate({
  name: 'Views:T6',
  fields: { p1: d.party, p2: d.party },
  signatories: ({ p1 }) => [p1],
  observers: ({ p1, p2 }) => [p1, p2],
  implements: (implement) => [
    implement(I, {
      view: () => ({ a: 6n, b: true }),
      methods: { owner: ({ payload }) => payload.p1 },
    }),
    implement(I2, { view: () => ({ c: 7n }) }),
  ],
});

export const viewsPackage = definePackage({
  name: 'conformance-views',
  version: '1.0.0',
  templates: [T1, T2, T3, T4, T5, T6],
  interfaces: [I, I2, NoTemplate],
});

/** `#conformance-views:Views:<entity>`, as clients name it. */
export const views = (entity: string): string => `#conformance-views:Views:${entity}`;

const encodedInterface = encodePackage({
  name: 'later-interface',
  modules: {
    Later: {
      types: { LaterView: { record: { value: t.int64 } } },
      interfaces: { I: { view: t.con('Later:LaterView') } },
    },
  },
});

const LATER = t.con('Template:T');
const owners = e.list(t.party, [e.field(LATER, 'owner', e.var('this'))]);
const encodedTemplate = encodePackage({
  name: 'later-template',
  modules: {
    Template: {
      templates: {
        T: {
          fields: { owner: t.party, value: t.int64 },
          precondition: e.true,
          signatories: owners,
          implements: {
            [`${encodedInterface.id}:Later:I`]: {
              view: e.record(t.con(`${encodedInterface.id}:Later:LaterView`), {
                value: e.field(LATER, 'value', e.var('this')),
              }),
              methods: {},
            },
          },
        },
      },
    },
  },
});

/** An interface, and a template of another DAR that implements it: names, ids, and DARs to upload one after the other. */
export const later = {
  interfaceId: '#later-interface:Later:I',
  templateId: '#later-template:Template:T',
  interface: `${encodedInterface.id}:Later:I`,
  template: `${encodedTemplate.id}:Template:T`,
  interfaceDar: buildDar(encodedInterface),
  templateDar: buildDar(encodedTemplate, encodedInterface),
};
