/** The objects of expressions about interfaces and choices, by the members of `Expr`. */
import { lf2, type Lf2 } from '../../archive/lf-tables.js';
import type { Form, Forms } from './forms.js';
import { scalaObject } from './scala-object.js';

/** Of an interface, a template and a contract of one of them. */
const conversion =
  (name: string): Form<Uint8Array> =>
  (d, bytes) => {
    const { interface: id, template, expr } = lf2.decode('Expr.ToInterface', bytes);
    const [interfaceId, templateId] = [d.id(id), d.id(template)];
    return scalaObject(name, interfaceId, templateId, d.expression(expr));
  };

const unsafeConversion =
  (name: string): Form<Uint8Array> =>
  (d, bytes) => {
    const parts = lf2.decode('Expr.UnsafeFromInterface', bytes);
    const ids = [d.id(parts.interface), d.id(parts.template)];
    return scalaObject(name, ...ids, d.expression(parts.contractId), d.expression(parts.expr));
  };

const unsafeFromInterface: Form<Uint8Array> = (d, bytes) => {
  if (!d.lf.version.unsafeFromInterface)
    throw d.tables.notSupported('UnsafeFromInterface builtin (case Expr.unsafe_from_interface)');
  return unsafeConversion('EUnsafeFromInterface')(d, bytes);
};

const fromRequired: Form<Uint8Array> = (d, bytes) => {
  const { required, requiring, expr } = lf2.decode('Expr.FromRequiredInterface', bytes);
  const body = d.expression(expr);
  return scalaObject('EFromRequiredInterface', d.id(required), d.id(requiring), body);
};

const callInterface: Form<Uint8Array> = (d, bytes) => {
  const { interface: id, method, expr } = lf2.decode('Expr.CallInterface', bytes);
  return scalaObject('ECallInterface', d.id(id), d.listedName(method), d.expression(expr));
};

/** What is asked of a contract through its interface. */
const viaInterface =
  (name: string): Form<Uint8Array> =>
  (d, bytes) => {
    const { interface: id, expr } = lf2.decode('Expr.ViewInterface', bytes);
    return scalaObject(name, d.id(id), d.expression(expr));
  };

const observerInterface: Form<Uint8Array> = (d, bytes) => {
  const { interface: id, expr } = lf2.decode('Expr.ObserverInterface', bytes);
  const body = d.expression(expr);
  return scalaObject('EObserverInterface', d.id(id), body);
};

const ofChoice =
  (name: string): Form<Uint8Array> =>
  (d, bytes) => {
    const { template, choice, contract, argument } = lf2.decode('Expr.ChoiceController', bytes);
    const names = [d.id(template), d.name(choice)];
    return scalaObject(name, ...names, d.expression(contract), d.expression(argument));
  };

type InterfaceMember =
  `${string}Interface` | 'interfaceTemplateTypeRep' | 'choiceController' | 'choiceObserver';

export const INTERFACE_OBJECTS: Forms<Pick<Lf2<'Expr'>, keyof Lf2<'Expr'> & InterfaceMember>> = {
  toInterface: conversion('EToInterface'),
  fromInterface: conversion('EFromInterface'),
  callInterface,
  signatoryInterface: viaInterface('ESignatoryInterface'),
  observerInterface,
  viewInterface: viaInterface('EViewInterface'),
  unsafeFromInterface,
  interfaceTemplateTypeRep: viaInterface('EInterfaceTemplateTypeRep'),
  toRequiredInterface: conversion('EToRequiredInterface'),
  fromRequiredInterface: fromRequired,
  unsafeFromRequiredInterface: unsafeConversion('EUnsafeFromRequiredInterface'),
  choiceController: ofChoice('EChoiceController'),
  choiceObserver: ofChoice('EChoiceObserver'),
};
