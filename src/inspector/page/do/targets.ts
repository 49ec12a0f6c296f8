/** What can be done: a creation, or a choice of a contract, its template's own or of an interface that it implements. */
import type { ContractLife } from '../../../spec/generated/control.js';
import { packageOf } from '../packages/load.js';
import type { Scope } from './daml-type.js';

export type Target = Creation | ChoiceTarget;

interface Creation {
  readonly kind: 'create';
  /** By the name of its package. */
  readonly templateId: string;
  readonly scope: Scope;
  /** Of what is given. */
  readonly type: string;
}

export interface ChoiceTarget {
  readonly kind: 'exercise';
  readonly key: string;
  readonly contractId: string;
  /** Of the template, or of the interface that the choice is of. */
  readonly templateId: string;
  readonly choice: string;
  /** The interface, in a word. */
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
