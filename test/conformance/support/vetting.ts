/** Packages that are vetted, or not: versions of one that depends on another, of which some do not go together. */
import { buildDar } from '../../support/daml/dar-builder.js';
import { e } from '../../support/daml/lf-code.js';
import { encodePackage, type EncodedPackage, type Fields } from '../../support/daml/lf-encoder.js';
import { t } from '../../support/daml/lf-types.js';

function signedBy(template: string, field: string, more: Fields = {}) {
  const signatories = e.list(t.party, [e.field(t.con(`Main:${template}`), field, e.var('this'))]);
  return { fields: { [field]: t.party, ...more }, signatories, precondition: e.true };
}
const dep = encodePackage({
  name: 'vetting-dep',
  modules: { Dep: { types: { DepT: { record: { p: t.party } } } } },
});
const DEP_T = t.con(`${dep.id}:Dep:DepT`);
const main = (version: string, templates: Record<string, object>) =>
  encodePackage({
    name: 'vetting-main',
    version,
    imports: [dep.id],
    modules: { Main: { templates: { ...templates, MainTSimple: signedBy('MainTSimple', 'p') } } },
  });
const v1 = main('1.0.0', { MainT: signedBy('MainT', 'p', { dep: DEP_T }) });
const v2 = main('2.0.0', { MainT: signedBy('MainT', 'p', { dep: DEP_T }) });
const splitV2 = main('2.0.0', {
  DifferentMainT: signedBy('DifferentMainT', 'p', { dep: DEP_T }),
});
const incompatibleV3 = main('3.0.0', {
  MainT: signedBy('MainT', 'p', { nonBackwardsCompatField: t.party }),
});
const alt = encodePackage({
  name: 'vetting-alt',
  modules: { Main: { templates: { AltT: signedBy('AltT', 'p') } } },
});

export const OURS = [dep, v1, v2, splitV2, incompatibleV3, alt] as const;

/** With what it depends on. */
export const dar = (one: EncodedPackage) =>
  one === dep || one === alt ? buildDar(one) : buildDar(one, dep);

export type Reference =
  | EncodedPackage
  | { packageId?: string; packageName?: string; packageVersion?: string };
const reference = (one: Reference) => ('id' in one ? { packageId: one.id } : one);
/** One change of a request. */
export const change = (kind: 'Vet' | 'Unvet', refs: Reference[], bounds: object = {}) => ({
  operation: { [kind]: { value: { packages: refs.map(reference), ...bounds } } },
});
