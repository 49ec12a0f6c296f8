/** Contracts of several signatories that no choice archives in the whole run. */
import {
  boundBody,
  choiceOf,
  interfaceDefinition,
  template,
  type Choice,
  type PackageLookup,
} from '../../daml/model/package.js';
import type { DamlType, TypeId } from '../../daml/model/types.js';
import type { Check, Finding } from '../model/finding.js';
import type { Outcome } from '../model/outcome.js';
import type { LedgerState } from '../model/state.js';
import { actionsIn, templateName } from './nodes.js';

const NAME = 'stuck-contract';
/** Fewer rejected attempts prove nothing. */
export const MIN_ATTEMPTS = 100;

interface Seen {
  readonly packages: PackageLookup;
  isMovedOn: boolean;
  attempts: number;
}

/** Any signatory of a contract with one signatory can archive it, so only contracts of several can be stuck. */
class Contracts {
  private readonly byTemplate = new Map<TypeId, Seen>();

  add({ submitted }: Outcome, state: LedgerState): void {
    for (const { transaction, submission, error } of submitted) {
      if (transaction !== undefined) {
        for (const node of actionsIn(transaction)) {
          if (node.kind === 'create') {
            const { templateId, signatories } = node.contract;
            if (signatories.length > 1 && !this.byTemplate.has(templateId))
              this.byTemplate.set(templateId, {
                packages: state.packages,
                isMovedOn: false,
                attempts: 0,
              });
          } else if (node.kind === 'exercise' && node.consuming) {
            const seen = this.byTemplate.get(node.contract.templateId);
            if (seen !== undefined && !(node.choice === 'Archive' && node.parent < 0))
              seen.isMovedOn = true;
          }
        }
        continue;
      }
      const isRefused =
        error!.code === 'DAML_AUTHORIZATION_ERROR' || error!.code === 'CONTRACT_NOT_FOUND';
      for (const command of submission.commands) {
        if (isRefused || command.kind !== 'exercise' || command.choice === 'Archive') continue;
        const target = state.contract(command.contractId);
        const seen = target && this.byTemplate.get(target.templateId);
        if (seen !== undefined && isConsuming(seen.packages, command.templateId, command.choice))
          seen.attempts += 1;
      }
    }
  }

  *stuck(): Generator<Finding> {
    for (const [templateId, { packages, isMovedOn, attempts }] of this.byTemplate) {
      if (isMovedOn) continue;
      const choices = consumingChoices(packages, templateId);
      if (choices.length > 0 && attempts < MIN_ATTEMPTS) continue;
      const name = templateName(templateId);
      const isCertain =
        choices.length > 0 &&
        choices.every(({ argumentType }) => !hasContractId(packages, argumentType));
      const tried = choices.map((choice) => choice.name).join(', ');
      yield {
        check: NAME,
        place: isCertain ? name : `${name} perhaps`,
        templateId,
        message:
          choices.length === 0
            ? `A ${name} has no choice that ends it: only all its signatories together can archive it.`
            : `No ${name} was ended by a choice (${tried}) in ${attempts} attempts.`,
        ...(!isCertain && { isNote: true as const }),
      };
    }
  }
}

const isConsuming = (packages: PackageLookup, id: TypeId, choice: string): boolean =>
  choiceOf(packages, id, choice)?.consuming === true;

/** Those of the template and its interfaces, without `Archive`. */
function consumingChoices(packages: PackageLookup, templateId: TypeId): readonly Choice[] {
  const own = template(packages, templateId);
  const interfaces = [...(own?.implementations.keys() ?? [])];
  return [own, ...interfaces.map((id) => interfaceDefinition(packages, id))]
    .flatMap((of) => [...(of?.choices.values() ?? [])])
    .filter(({ name, consuming }) => consuming && name !== 'Archive');
}

/** Whether the caller needs another contract for the choice. */
function hasContractId(packages: PackageLookup, type: DamlType, depth = 0): boolean {
  if (depth > 8) return true;
  const within = (inner: DamlType) => hasContractId(packages, inner, depth + 1);
  switch (type.kind) {
    case 'contractId':
      return true;
    case 'optional':
    case 'list':
    case 'textMap':
      return within(type.of);
    case 'genMap':
      return within(type.key) || within(type.value);
    case 'con': {
      const body = boundBody(packages, type);
      if (body?.kind === 'record') return body.fields.some((field) => within(field.type));
      return body?.kind === 'variant' && body.constructors.some((field) => within(field.type));
    }
    default:
      return false;
  }
}

export function stuckContract(): Check {
  const contracts = new Contracts();
  return {
    name: NAME,
    summary:
      'A contract of several signatories that no choice ever ends. It is a note if other contracts are needed.',
    start: () => ({
      afterStep(outcome, state) {
        contracts.add(outcome, state);
        return [];
      },
    }),
    atEndOfRun: () => contracts.stuck(),
  };
}
