/** Conservation: a sum that no choice changes. */
import { viewOf } from '../../script/in-version.js';
import type { Action, ContractInstance, Transaction } from '../../daml/model/transaction.js';
import type { DamlRecord } from '../../daml/model/values.js';
import { actionsIn, choiceName, choicesAround, commandOf } from '../checks/nodes.js';
import { qualifiedNameOf } from '../../daml/model/types.js';
import type { Assertion } from '../model/assertion.js';
import type { Check, Finding } from '../model/finding.js';
import type { LedgerState } from '../model/state.js';
import { fieldOf, fieldText } from './fields.js';
import { NamedContracts, type TemplateName } from './names.js';
import { Total } from './totals.js';

/** A sum that no choice changes. */
export interface Conserved {
  /** The name of the invariant; `conserved` by default. */
  readonly name?: string;
  /** A template or an interface, or several whose contracts count together. */
  readonly template: TemplateName | readonly TemplateName[];
  /** The field to sum: of the payload, or of the view of an interface. With dots for fields of inner records. */
  readonly field: string;
  /** The field, or the fields, whose values have a sum each. By default there is one sum. */
  readonly by?: string | readonly string[];
  /** Choices that may change the sum: `Choice`, `Template.Choice` or `Module:Template.Choice`. */
  readonly except?: readonly string[];
}

interface Change {
  readonly root: string;
  readonly group: string;
  /** A contract of the group. */
  readonly of: ContractInstance;
  readonly total: Total;
}

/**
 * No choice changes the sum of a field. Commands that create or archive a contract directly may change it, because
 * they have the authority of all signatories.
 */
export function conserved(options: Conserved): Check {
  const { name = 'conserved', template, field, by = [], except = [] } = options;
  const named = new NamedContracts(template);
  const groups = [by].flat() as readonly string[];
  const isExempt = (choice: string): boolean =>
    except.some(
      (each) => choice === each || choice.endsWith(`:${each}`) || choice.endsWith(`.${each}`),
    );

  function* changesIn(transaction: Transaction, state: LedgerState): Generator<Change> {
    const changes = new Map<string, Change>();
    for (const node of actionsIn(transaction)) {
      const sign = signOf(node);
      if (sign === undefined || node.kind === 'fetch' || node.kind === 'queryByKey') continue;
      const shown = shownOf(state, named, node.contract);
      if (shown === undefined) continue;
      const around = choicesAround(transaction, node).map(choiceName);
      if (node.kind === 'exercise' && node.choice !== 'Archive') around.push(choiceName(node));
      if (around.length === 0 || around.some(isExempt)) continue;
      const group = groups.map((each) => fieldText(shown, each)).join(', ');
      const key = `${commandOf(transaction, node).nodeId} ${group}`;
      const of = node.contract;
      const change = changes.get(key) ?? { root: around[0]!, group, of, total: new Total() };
      changes.set(key, change);
      change.total.add(fieldOf(shown, field), sign);
    }
    yield* changes.values();
  }

  /** The sum without the change; undefined if it is not a sum over one template. */
  function sumBefore(
    state: LedgerState,
    of: ContractInstance,
    change: Total,
  ): Assertion | undefined {
    const { templateId, packageName } = of;
    if (named.meaning(state.packages, of)?.isTemplate !== true) return undefined;
    const isPlain = groups.every((each) => Object.hasOwn(of.payload, each));
    if (!isPlain || [template].flat().length !== 1) return undefined;
    const where = Object.fromEntries(groups.map((each) => [each, of.payload[each]!] as const));
    const inGroup = (payload: DamlRecord) =>
      groups.every((each) => fieldText(payload, each) === fieldText(of.payload, each));
    const total = change.negated;
    for (const { payload } of state.ofTemplate(packageName, qualifiedNameOf(templateId)))
      if (inGroup(payload)) total.add(fieldOf(payload, field));
    return { kind: 'sum', templateId, field, sum: total.text, where };
  }

  return {
    name,
    summary: `No choice changes the sum of ${field}${groups.length === 0 ? '' : ` by ${groups.join(', ')}`}.`,
    start(state) {
      named.check(state.packages);
      return {
        *afterStep({ submitted }, after): Generator<Finding> {
          for (const { transaction } of submitted) {
            if (transaction === undefined) continue;
            for (const { root, group, of, total } of changesIn(transaction, after)) {
              if (total.isZero) continue;
              const more = total.isMoreThan(new Total());
              const amount = total.text.replace('-', '');
              yield {
                check: name,
                place: `${root} ${more ? 'creates' : 'loses'}`,
                message: `${root} ${more ? 'increases' : 'decreases'} the sum of ${field}${group && ` of ${group}`} by ${amount}.`,
                assertion: sumBefore(after, of, total),
              };
            }
          }
        },
      };
    },
  };
}

/** Whether the action adds a contract or removes one. */
function signOf(node: Action): 1 | -1 | undefined {
  if (node.kind === 'create') return 1;
  return node.kind === 'exercise' && node.consuming ? -1 : undefined;
}

/** The payload of a contract, or its view if only an interface was named; undefined if the view fails. */
function shownOf(
  { packages }: LedgerState,
  named: NamedContracts,
  contract: ContractInstance,
): DamlRecord | undefined {
  const meaning = named.meaning(packages, contract);
  if (meaning === undefined) return undefined;
  return meaning.isTemplate
    ? contract.payload
    : viewOf(packages, contract, contract.templateId, meaning.interfaceId!);
}
