/** Log rules for payments to apps and for subscriptions, including those of names. */
import type { ContractId, Party } from '../../daml/model/values.js';
import type { LogEntry } from './entries.js';
import { argumentOf, resultOf, subtype, type Rule, type Rules } from './rules.js';
import { amuletCreated, changeTransfers, mergedIntoTransfer, ZERO } from './transfers.js';
import { descendants, entityOf, isExercise } from './visible-tree.js';

const PAYMENT = 'Splice.Wallet.Payment:';
const SUBSCRIPTION = 'Splice.Wallet.Subscriptions:';
const NAMES = 'Splice.Ans:AnsRules';

/** An accepted payment locks its amount. */
const accepted =
  (entity: string, choice: string): Rule =>
  (visible, { parse }) =>
    changeTransfers(parse(visible.children), { subtype: subtype(entity, choice) });

/** A collected payment is unlocked and paid in one step. */
const collected =
  (entity: string, choice: string): Rule =>
  (visible, { parse }) =>
    mergedIntoTransfer(parse(visible.children), { subtype: subtype(entity, choice) });

/**
 * A payment that is not collected returns to its sender.
 * @param field the field of the choice's result that has the amulet
 */
const givenBack =
  (entity: string, choice: string, field: 'amulet' | 'amuletSum'): Rule =>
  (visible, { tree }) => {
    const { amulet } = resultOf<Record<string, { readonly amulet: ContractId }>>(visible)[field]!;
    return [amuletCreated(tree, visible, subtype(entity, choice), amulet)];
  };

/** The DSO burns the payment that it collects for a name. */
const nameCollected =
  (choice: string, collecting: string): Rule =>
  (visible, { parse, tree }) => {
    const [entity] = collecting.split('_');
    const collection = [...descendants(visible)].find(
      (each) =>
        entityOf(each) === `${SUBSCRIPTION}${entity}` &&
        isExercise(each) &&
        each.node.choice === collecting,
    );
    if (collection === undefined || !isExercise(collection))
      throw new Error(`Unable to find ${collecting} in ${choice}`);
    const { amulet } = resultOf<{ readonly amulet: ContractId }>(collection);
    const burnt = amuletCreated(tree, visible, subtype(NAMES, choice), amulet);
    const entries: readonly LogEntry[] = [
      ...parse([collection]),
      { ...burnt, amount: ZERO.subtract(burnt.amount) },
    ];
    const { eventId } = visible;
    return mergedIntoTransfer(entries, { subtype: subtype(NAMES, choice), eventId });
  };

const rulesOf = (
  entity: string,
  name: string,
  choices: Readonly<Record<string, (entity: string, choice: string) => Rule>>,
): Rules =>
  Object.fromEntries(
    Object.entries(choices).map(([verb, rule]) => [
      `${entity} ${name}_${verb}`,
      rule(entity, `${name}_${verb}`),
    ]),
  );

const returning = (field: 'amulet' | 'amuletSum') => (entity: string, choice: string) =>
  givenBack(entity, choice, field);

const settled = (field: 'amulet' | 'amuletSum') => ({
  Collect: collected,
  Reject: returning(field),
  Expire: returning(field),
});

export const paymentRules: Rules = {
  ...rulesOf(`${PAYMENT}AppPaymentRequest`, 'AppPaymentRequest', { Accept: accepted }),
  ...rulesOf(`${PAYMENT}AcceptedAppPayment`, 'AcceptedAppPayment', settled('amulet')),
  ...rulesOf(`${SUBSCRIPTION}SubscriptionRequest`, 'SubscriptionRequest', {
    AcceptAndMakePayment: accepted,
  }),
  ...rulesOf(
    `${SUBSCRIPTION}SubscriptionInitialPayment`,
    'SubscriptionInitialPayment',
    settled('amuletSum'),
  ),
  ...rulesOf(`${SUBSCRIPTION}SubscriptionIdleState`, 'SubscriptionIdleState', {
    MakePayment: accepted,
    ExpireSubscription:
      (entity, choice) =>
      (visible, { tree }) => {
        const { actor } = argumentOf<{ readonly actor: Party }>(visible);
        const details = `Expired by ${actor} because the last subscription payment was missed`;
        const { eventId } = visible;
        return [
          {
            kind: 'notification',
            eventId,
            subtype: subtype(entity, choice),
            date: tree.date,
            details,
          },
        ];
      },
  }),
  ...rulesOf(`${SUBSCRIPTION}SubscriptionPayment`, 'SubscriptionPayment', settled('amuletSum')),
  [`${NAMES} AnsRules_CollectInitialEntryPayment`]: nameCollected(
    'AnsRules_CollectInitialEntryPayment',
    'SubscriptionInitialPayment_Collect',
  ),
  [`${NAMES} AnsRules_CollectEntryRenewalPayment`]: nameCollected(
    'AnsRules_CollectEntryRenewalPayment',
    'SubscriptionPayment_Collect',
  ),
};
