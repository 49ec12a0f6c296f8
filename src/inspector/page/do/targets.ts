/**
 * The possible actions: a creation, or a choice of a contract. The template or one of its interfaces declares the
 * choice.
 */
import type { ContractLife } from '../../../spec/generated/control.js';
import { packageOf } from '../packages/load.js';
import type { Scope } from './daml-type.js';

export type Target = Creation | ChoiceTarget;

interface Creation {
  readonly kind: 'create';
  /** The template's id by package name. */
  readonly templateId: string;
  readonly scope: Scope;
  /** The type of the argument. */
  readonly type: string;
}

export interface ChoiceTarget {
  readonly kind: 'exercise';
  readonly key: string;
  readonly contractId: string;
  /** The id of the template, or of the interface that declares the choice. */
  readonly templateId: string;
  readonly choice: string;
  /** The short name of the interface. */
  readonly by?: string;
  readonly scope: Scope;
  readonly type: string;
}

export async function choicesOf({
  contract,
  views,
}: ContractLife): Promise<readonly ChoiceTarget[]> {
  const { contractId, template, templateId } = contract;
  const own = await choicesIn(contractId, template, templateId);
  const others = await Promise.all(
    views.map((view) => choicesIn(contractId, view.interface, view.interfaceId, true)),
  );
  const archive: ChoiceTarget = {
    kind: 'exercise',
    key: 'Archive',
    contractId,
    templateId: template,
    choice: 'Archive',
    scope: { packageId: templateId.split(':')[0] ?? '', module: '' },
    type: '()',
  };
  return [...own, ...others.flat(), archive];
}

async function choicesIn(
  contractId: string,
  name: string,
  id: string,
  isInterface = false,
): Promise<readonly ChoiceTarget[]> {
  const [packageId = '', module = '', entity = ''] = id.split(':');
  const { modules } = await packageOf(packageId);
  const found = modules.find((each) => each.name === module);
  const definition = [...(found?.templates ?? []), ...(found?.interfaces ?? [])].find(
    (each) => each.name === entity,
  );
  return (definition?.choices ?? []).map(({ name: choice, argument }) => ({
    kind: 'exercise',
    key: isInterface ? `${entity}.${choice}` : choice,
    contractId,
    templateId: name,
    choice,
    ...(isInterface && { by: entity }),
    scope: { packageId, module },
    type: argument,
  }));
}
