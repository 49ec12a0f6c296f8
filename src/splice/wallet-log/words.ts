/**
 * Describes a transaction in a few words, such as `alice taps 10.0`, `transfer 7.5 from alice to bob` or `round 3 opens`. The descriptions
 * follow the log rules of wallets and the token standard. They contain full party ids.
 */
import type { Numeric } from '../../daml/model/numeric.js';
import { isEvent, type CreateNode, type ExerciseNode } from '../../daml/model/transaction.js';
import { qualifiedNameOf } from '../../daml/model/types.js';
import type { DamlRecord, DamlVariant, Party, Some } from '../../daml/model/values.js';
import type { TransactionUpdate, Update } from '../../network/model/updates.js';
import type { LogEntry, PartyAndAmount } from './entries.js';
import { logEntries } from './parser.js';

/** @param about a search term, such as `tap`, `transfer` or `round` */
export interface Words {
  readonly about: string;
  readonly text: string;
}

/** The number of parties whose wallet log is tried, until one has an entry. */
const MOST_PARTIES = 20;
/** The number of events in a description. The number of further events follows them. */
const MOST_WORDS = 4;

/** Undefined if no rule matches the update. */
export function wordsOf(update: Update): Words | undefined {
  if (update.kind !== 'transaction') return undefined;
  const found = [standardWords, walletWords, createdWords].map((read) => read(update));
  const words = found.find(({ length }) => length > 0) ?? [];
  const [first] = words;
  if (first === undefined) return undefined;
  const texts = [...new Set(words.map(({ text }) => text))];
  const more = texts.length - MOST_WORDS;
  const shown = texts.slice(0, MOST_WORDS).join(', ');
  return { about: first.about, text: more > 0 ? `${shown} and ${more} more` : shown };
}

const amountText = (amount: Numeric): string => String(amount).replace(/(\.\d+?)0+$/, '$1');

/** Version 2 of the standard has accounts in place of parties. An account without an owner belongs to the admin. */
type Holder = Party | { readonly owner: Some<Party> | null };

interface Moved {
  readonly sender: Holder;
  readonly receiver: Holder;
  readonly amount: Numeric;
  readonly instrumentId?: string | { readonly admin: Party; readonly id?: string };
}

const holderOf = (holder: Holder): string =>
  typeof holder === 'string' ? holder : (holder.owner?.value ?? 'the admin');

/** Empty for amulets, which are the most common instrument. */
function unitOf(instrumentId: Moved['instrumentId']): string {
  const id = typeof instrumentId === 'object' ? instrumentId.id : instrumentId;
  return id === undefined || id === 'Amulet' ? '' : ` ${id}`;
}

const movedText = ({ sender, receiver, amount, instrumentId }: Moved): string =>
  `${amountText(amount)}${unitOf(instrumentId)} from ${holderOf(sender)} to ${holderOf(receiver)}`;

type Standard = (node: ExerciseNode) => Words | undefined;

const ofInstruction =
  (end: string): Standard =>
  ({ contract: { payload } }) => {
    const { transfer } = payload as { readonly transfer?: Moved };
    if (transfer?.amount === undefined) return undefined;
    return { about: 'offer', text: `offer ${end}: ${movedText(transfer)}` };
  };

const ofAllocation =
  (end: string): Standard =>
  ({ contract: { payload } }) => {
    const { allocation } = payload as {
      readonly allocation?: { readonly transferLeg?: Moved };
    };
    const leg = allocation?.transferLeg;
    const moved = leg?.amount === undefined ? '' : `: ${movedText(leg)}`;
    return { about: 'allocation', text: `allocation ${end}${moved}` };
  };

/** Choices of the token standard, for any token. */
const STANDARD: Readonly<Record<string, Standard>> = {
  TransferFactory_Transfer: ({ argument, result }) => {
    const { transfer } = argument as unknown as { readonly transfer: Moved };
    const { output } = result as unknown as { readonly output: DamlVariant };
    const isOffer = output.tag === 'TransferInstructionResult_Pending';
    return isOffer
      ? { about: 'offer', text: `offer ${movedText(transfer)}` }
      : { about: 'transfer', text: `transfer ${movedText(transfer)}` };
  },
  TransferInstruction_Accept: ofInstruction('accepted'),
  TransferInstruction_Reject: ofInstruction('rejected'),
  TransferInstruction_Withdraw: ofInstruction('withdrawn'),
  AllocationFactory_Allocate: ({ argument }) => {
    const { allocation } = argument as unknown as {
      readonly allocation: { readonly transferLeg?: Moved };
    };
    const leg = allocation.transferLeg;
    return {
      about: 'allocation',
      text: `allocate${leg === undefined ? '' : ` ${movedText(leg)}`}`,
    };
  },
  Allocation_ExecuteTransfer: ofAllocation('settled'),
  Allocation_Cancel: ofAllocation('cancelled'),
  Allocation_Withdraw: ofAllocation('withdrawn'),
  TokenRules_Mint: ({ argument }) => {
    const { receiver, amount, instrumentId } = argument as unknown as Moved;
    const given = `${amountText(amount)}${unitOf(instrumentId)}`;
    return { about: 'mint', text: `${holderOf(receiver)} is given ${given}` };
  },
};

const STANDARD_MODULES = 'Splice.Api.Token.';
const TOKEN_RULES = 'Canticle.TestToken:TokenRules';

const isStandard = ({ interfaceId, contract }: ExerciseNode): boolean =>
  interfaceId === undefined
    ? qualifiedNameOf(contract.templateId) === TOKEN_RULES
    : qualifiedNameOf(interfaceId).startsWith(STANDARD_MODULES);

/** Describes the topmost choices of the standard. Choices below them are implementation details of a token. */
function standardWords({ transaction }: TransactionUpdate): readonly Words[] {
  const words: Words[] = [];
  const described = new Set<number>();
  for (const node of transaction.nodes) {
    if (described.has(node.parent)) described.add(node.nodeId);
    else if (node.kind === 'exercise') {
      const known = isStandard(node) ? STANDARD[node.choice]?.(node) : undefined;
      if (known === undefined) continue;
      words.push(known);
      described.add(node.nodeId);
    }
  }
  return words;
}

function walletWords(update: TransactionUpdate): readonly Words[] {
  const acting = update.submission?.actAs ?? [];
  const parties = new Set([...acting, ...update.witnesses.flat()]);
  for (const party of [...parties].slice(0, MOST_PARTIES)) {
    const words = logEntries(update, party).flatMap((entry) => entryWords(entry) ?? []);
    if (words.length > 0) return words;
  }
  return [];
}

const CHANGES: Readonly<Record<string, (party: string, amount: string) => Words>> = {
  AmuletRules_DevNet_Tap: (party, amount) => ({ about: 'tap', text: `${party} taps ${amount}` }),
  AmuletRules_Mint: (party, amount) => ({ about: 'mint', text: `${party} mints ${amount}` }),
};

function changeWords(choice: string, party: string, amount: string): Words {
  const known = CHANGES[choice];
  if (known !== undefined) return known(party, amount);
  if (/Expire(Amulet)?(V2)?$/.test(choice))
    return { about: 'expiry', text: `an amulet of ${party} expires` };
  return { about: 'unlock', text: `${amount} of ${party} is unlocked` };
}

const PAID: Readonly<Record<string, readonly [about: string, what: string]>> = {
  AmuletRules_BuyMemberTraffic: ['traffic', 'buys traffic'],
  AmuletRules_CreateTransferPreapproval: ['preapproval', 'pays for a preapproval'],
  TransferPreapproval_Renew: ['preapproval', 'renews a preapproval'],
};

function transferWords(choice: string, sender: Party, receivers: readonly PartyAndAmount[]): Words {
  const paid = PAID[choice];
  if (paid !== undefined) return { about: paid[0], text: `${sender} ${paid[1]}` };
  const moved = receivers.map(
    ({ party, amount }) => `transfer ${amountText(amount)} from ${sender} to ${party}`,
  );
  if (moved.length === 0) return { about: 'merge', text: `${sender} merges amulets` };
  return { about: 'transfer', text: moved.join(', ') };
}

function entryWords(entry: LogEntry): Words | undefined {
  switch (entry.kind) {
    case 'balanceChange':
      return changeWords(entry.subtype.choice, entry.receiver, amountText(entry.amount));
    case 'transfer':
      return transferWords(entry.subtype.choice, entry.sender.party, entry.receivers);
    case 'notification':
      return {
        about: 'wallet',
        text: `${entry.subtype.choice.replace(/^.*_/, '')}: ${entry.details}`,
      };
    case 'offer':
      return {
        about: 'offer',
        text: `transfer offer ${entry.status.kind}: from ${entry.sender} to ${entry.receiver}`,
      };
    case 'traffic':
      return {
        about: 'traffic',
        text: `request of ${entry.buyer} for traffic ${entry.status.kind}`,
      };
    case 'couponCreated':
      return {
        about: 'coupon',
        text: `coupon of ${amountText(entry.amount)} for ${entry.beneficiary}`,
      };
    case 'couponArchived':
      return { about: 'coupon', text: `coupon ${entry.status}` };
    case 'unknown':
      return undefined;
  }
}

type Created = (payload: DamlRecord) => Words;

const round =
  (what: string): Created =>
  (payload) => {
    const { number } = payload['round'] as { readonly number: bigint };
    return { about: 'round', text: `round ${number} ${what}` };
  };

/** Contracts created by the DSO, validators and wallets, for transactions without a matching wallet rule. */
const CREATED: Readonly<Record<string, Created>> = {
  'Splice.Round:OpenMiningRound': round('opens'),
  'Splice.Round:SummarizingMiningRound': round('is summarized'),
  'Splice.Round:IssuingMiningRound': round('issues rewards'),
  'Splice.Round:ClosedMiningRound': round('closes'),
  'Splice.Ans:AnsEntry': ({ name, user }) => ({ about: 'name', text: `${name} is ${user}` }),
  'Splice.AmuletRules:TransferPreapproval': ({ receiver }) => ({
    about: 'preapproval',
    text: `transfers to ${receiver} are preapproved`,
  }),
  'Splice.Wallet.Install:WalletAppInstall': ({ endUserParty }) => ({
    about: 'wallet',
    text: `wallet of ${endUserParty} set up`,
  }),
  'Splice.Amulet:FeaturedAppRight': ({ provider }) => ({
    about: 'featured app',
    text: `${provider} is a featured app`,
  }),
  'Splice.ValidatorLicense:ValidatorLicense': ({ validator }) => ({
    about: 'license',
    text: `license of ${validator}`,
  }),
  'Splice.DsoRules:VoteRequest': () => ({ about: 'vote', text: 'a vote is asked for' }),
  'Splice.DsoRules:Confirmation': ({ confirmer }) => ({
    about: 'confirmation',
    text: `${confirmer} confirms`,
  }),
};

function createdWords({ transaction }: TransactionUpdate): readonly Words[] {
  return transaction.nodes
    .filter((node): node is CreateNode => isEvent(node) && node.kind === 'create')
    .flatMap(
      ({ contract }) => CREATED[qualifiedNameOf(contract.templateId)]?.(contract.payload) ?? [],
    );
}
