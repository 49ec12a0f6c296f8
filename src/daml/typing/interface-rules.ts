/** Computes the types of expressions about interfaces and choices. */
import type { LfExpression } from '../archive/code/expression.js';
import type { TypeId } from '../model/types.js';
import type { Entity } from './entities.js';
import type { ExpressionChecker } from './expression-checker.js';
import type { Rule, Rules } from './expression-rules.js';
import type { Type } from './type.js';

/** An interface, and a template that implements it. */
function conversion(
  { entities }: ExpressionChecker,
  { interfaceId, templateId }: { readonly interfaceId: TypeId; readonly templateId: TypeId },
): [iface: Entity, template: Entity] {
  const [iface, template] = [entities.get(interfaceId), entities.get(templateId)];
  entities.implementation(iface, template);
  return [iface, template];
}

/** An interface, and one that requires it. */
function requirement(
  c: ExpressionChecker,
  ids: { readonly required: TypeId; readonly requiring: TypeId },
): [required: Entity, requiring: Entity] {
  const [required, requiring] = [c.entities.get(ids.required), c.entities.get(ids.requiring)];
  if (!c.entities.interface(requiring).requires.includes(required.id)) {
    const text = `Interface ${requiring.id} does not require ${required.id}`;
    c.fail('EWrongInterfaceRequirement', text);
  }
  return [required, requiring];
}

/** Expressions that read a contract through its interface. */
const ofInterface =
  (result: (c: ExpressionChecker, iface: Entity) => Type) =>
  (c: ExpressionChecker, { id, value }: { readonly id: TypeId; readonly value: LfExpression }) => {
    const iface = c.entities.get(id);
    c.entities.interface(iface);
    c.checkExpression(value, iface.type);
    return result(c, iface);
  };

const callInterface: Rule<'callInterface'> = (c, { id, method, value }) => {
  const iface = c.entities.get(id);
  const type = c.entities.method(iface, method);
  c.checkExpression(value, iface.type);
  return type;
};

const partiesOfChoice: Rule<'choiceController'> & Rule<'choiceObserver'> = (
  c: ExpressionChecker,
  { id, choice: name, contract, argument }: Omit<Parameters<Rule<'choiceController'>>[1], 'kind'>,
) => {
  const owner = c.entities.get(id);
  const choice = c.entities.choice(owner, name);
  c.checkExpression(contract, owner.type);
  c.checkExpression(argument, c.types.of(choice.argument));
  return c.types.parties;
};

export const INTERFACE_RULES = {
  toInterface: (c, form) => {
    const [iface, template] = conversion(c, form);
    c.checkExpression(form.value, template.type);
    return iface.type;
  },
  fromInterface: (c, form) => {
    const [iface, template] = conversion(c, form);
    c.checkExpression(form.value, iface.type);
    return c.types.app(c.types.optional, template.type);
  },
  unsafeFromInterface: (c, form) => {
    const [iface, template] = conversion(c, form);
    c.checkExpression(form.contractId, c.types.app(c.types.contractId, iface.type));
    c.checkExpression(form.value, iface.type);
    return template.type;
  },
  toRequiredInterface: (c, form) => {
    const [required, requiring] = requirement(c, form);
    c.checkExpression(form.value, requiring.type);
    return required.type;
  },
  fromRequiredInterface: (c, form) => {
    const [required, requiring] = requirement(c, form);
    c.checkExpression(form.value, required.type);
    return c.types.app(c.types.optional, requiring.type);
  },
  unsafeFromRequiredInterface: (c, form) => {
    const [required, requiring] = requirement(c, form);
    c.checkExpression(form.contractId, c.types.app(c.types.contractId, required.type));
    c.checkExpression(form.value, required.type);
    return requiring.type;
  },
  callInterface,
  signatoryInterface: ofInterface(({ types }) => types.parties),
  observerInterface: ofInterface(({ types }) => types.parties),
  viewInterface: ofInterface((c, iface) => c.types.of(c.entities.interface(iface).view)),
  interfaceTypeRep: ofInterface(({ types }) => types.typeRep),
  choiceController: partiesOfChoice,
  choiceObserver: partiesOfChoice,
} satisfies Partial<Rules>;
