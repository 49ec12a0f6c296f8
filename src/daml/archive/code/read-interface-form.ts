/** Decoders of the forms for interfaces and choices, by the number of their field in `Expr`. */
import type { Message } from '../wire/message.js';
import type { LfExpression } from './expression.js';
import type { Form } from './form.js';
import { idAt, nameAt } from './form-parts.js';

type Read = (e: LfExpression, message: Message) => Form;

const conversion =
  (kind: 'toInterface' | 'fromInterface'): Read =>
  (e, m) => ({
    kind,
    interfaceId: idAt(e, m, 1),
    templateId: idAt(e, m, 2),
    value: e.part(m, 3),
  });

const requirement =
  (kind: 'toRequiredInterface' | 'fromRequiredInterface'): Read =>
  (e, m) => ({ kind, required: idAt(e, m, 1), requiring: idAt(e, m, 2), value: e.part(m, 3) });

/** Queries of a contract through its interface. */
const ofInterface =
  (kind: 'signatoryInterface' | 'observerInterface' | 'viewInterface' | 'interfaceTypeRep'): Read =>
  (e, m) => ({ kind, id: idAt(e, m, 1), value: e.part(m, 2) });

/** NOTE: the decoder of the latest release accepts these in no language version, but the type checker supports them. */
const ofChoice =
  (kind: 'choiceController' | 'choiceObserver'): Read =>
  (e, m) => ({
    kind,
    id: idAt(e, m, 1),
    choice: nameAt(e, m, 2),
    contract: e.part(m, 3),
    argument: e.part(m, 4),
  });

export const INTERFACE_FORMS: Readonly<Record<number, Read>> = {
  33: conversion('toInterface'),
  34: conversion('fromInterface'),
  35: (e, m) => ({
    kind: 'callInterface',
    id: idAt(e, m, 1),
    method: nameAt(e, m, 2),
    value: e.part(m, 3),
  }),
  36: ofInterface('signatoryInterface'),
  37: ofInterface('observerInterface'),
  38: ofInterface('viewInterface'),
  39: (e, m) => {
    const { tables, version } = e.code.lf;
    if (!version.unsafeFromInterface)
      throw tables.notSupported('UnsafeFromInterface builtin (case Expr.unsafe_from_interface)');
    const ids = { interfaceId: idAt(e, m, 1), templateId: idAt(e, m, 2) };
    const [contractId, value] = [e.part(m, 3), e.part(m, 4)];
    return { kind: 'unsafeFromInterface', ...ids, contractId, value };
  },
  40: ofInterface('interfaceTypeRep'),
  41: requirement('toRequiredInterface'),
  42: requirement('fromRequiredInterface'),
  43: (e, m) => {
    const ids = { required: idAt(e, m, 1), requiring: idAt(e, m, 2) };
    const [contractId, value] = [e.part(m, 3), e.part(m, 4)];
    return { kind: 'unsafeFromRequiredInterface', ...ids, contractId, value };
  },
  1001: ofChoice('choiceController'),
  1002: ofChoice('choiceObserver'),
};
