/**
 * The traffic cost of a transaction: the bytes of each envelope of its confirmation request, and a share of them for
 * each recipient. The envelopes are an informee tree for the mediator, root hashes, and views, which are compressed
 * and encrypted. The messages have Canton's structure, with {@link Noise} in place of salts, hashes, keys and
 * signatures. Costs are within 0.5% of Canton's costs, which themselves vary by some bytes between runs.
 */
import type { PackageLookup } from '../../daml/model/package.js';
import { namedParties } from '../../daml/model/parties.js';
import type { Transaction } from '../../daml/model/transaction.js';
import type { Party, Timestamp } from '../../daml/model/values.js';
import type { DeduplicationPeriod } from '../model/deduplication-period.js';
import type { ParticipantId } from '../model/ids.js';
import type { ExternalAuthorization } from '../model/updates.js';
import { EncryptedView } from './encrypted-view.js';
import { envelopeCost, type Envelope, type EnvelopeCost } from './envelope.js';
import { hidden, sequence, SequenceHashes, shown, transactionTree } from './merkle.js';
import {
  bytesOf,
  integer,
  join,
  message,
  NOTHING,
  presentInteger,
  raw,
  string,
  strings,
  versioned,
  type Part,
} from './message-bytes.js';
import { Noise, PARTICIPANT_SIGNATURE } from './noise.js';
import { rootHash } from './root-hash.js';
import { viewContents } from './view-contents.js';
import { viewsOf, withSubviews, type View } from './views.js';

/** Message versions: for messages that protocol version 35 changed, and for all others. */
const OLD = 30;
const NEW = 31;
const RANDOMNESS = 16;
const TRANSACTION_VIEW = 1;
/** Microseconds from the record time to the maximal sequencing time. */
const SEQUENCING_TOLERANCE = 60_000_000n;
/**
 * Microseconds from the ledger time to the time of preparation.
 * NOTE: Canton reads the clock twice, one after the other. Equal times would compress better (B-TRF-008).
 */
const PREPARATION = 3_141n;

/** The synchronizer that sequences a request. */
export interface Sequencing {
  readonly groupsViews: boolean;
  readonly physicalSynchronizerId: string;
  readonly packages: PackageLookup;
  /** The participants that host a party there. */
  readonly hosts: (party: Party) => Iterable<ParticipantId>;
}

/** The data of a submission other than its transaction. */
export interface RequestMetadata {
  readonly participantId: ParticipantId;
  readonly actAs: readonly Party[];
  readonly userId: string;
  readonly commandId: string;
  readonly submissionId: string;
  readonly workflowId: string;
  readonly deduplicationPeriod: DeduplicationPeriod;
  /** The signatures of external parties. */
  readonly external?: ExternalAuthorization | undefined;
  readonly recordTime: Timestamp;
}

/** The cost in bytes. */
export function requestCost(
  { nodes }: Pick<Transaction, 'nodes'>,
  metadata: RequestMetadata,
  sequencing: Sequencing,
): number {
  const noise = new Noise();
  const views = viewsOf(nodes, metadata.participantId, sequencing.hosts);
  const request = new Request(views, metadata, sequencing, noise);
  return request.envelopes().reduce((sum, each) => sum + envelopeCost(each), 0);
}

/** The cost of each envelope in bytes. Their sum is the {@link requestCost}. */
export function envelopeCosts(
  { nodes }: Pick<Transaction, 'nodes'>,
  metadata: RequestMetadata,
  sequencing: Sequencing,
): readonly EnvelopeCost[] {
  const views = viewsOf(nodes, metadata.participantId, sequencing.hosts);
  const request = new Request(views, metadata, sequencing, new Noise());
  return request.envelopes().map((each) => ({ cost: envelopeCost(each), views: each.views ?? [] }));
}

/** The size of a request. */
export interface RequestStatistics {
  readonly envelopes: number;
  /**
   * Bytes.
   * NOTE: this is the sum of the envelopes' contents; a participant compresses them together, which saves about 5%.
   */
  readonly requestSize: number;
  /** The number of participants, and the mediator. */
  readonly recipients: number;
}

export function requestStatistics(
  { nodes }: Pick<Transaction, 'nodes'>,
  metadata: RequestMetadata,
  sequencing: Sequencing,
): RequestStatistics {
  const views = viewsOf(nodes, metadata.participantId, sequencing.hosts);
  const envelopes = new Request(views, metadata, sequencing, new Noise()).envelopes();
  return {
    envelopes: envelopes.length,
    requestSize: envelopes.reduce((sum, { length }) => sum + length, 0),
    // All participants receive the root hash.
    recipients: Math.max(...envelopes.map(({ recipients }) => recipients)),
  };
}

class Request {
  private readonly submitter: Part;
  private readonly common: Part;
  private readonly participant: Part;
  private readonly commonData = new Map<View, Part>();
  private readonly contents = new Map<View, Part>();
  private readonly hashes = new Map<View | undefined, SequenceHashes>();
  private readonly changed: number;
  private readonly signedBy: string;

  constructor(
    private readonly roots: readonly View[],
    private readonly metadata: RequestMetadata,
    private readonly sequencing: Sequencing,
    private readonly noise: Noise,
  ) {
    this.changed = sequencing.groupsViews ? NEW : OLD;
    this.signedBy = noise.fingerprint();
    const { recordTime, workflowId } = metadata;
    const { physicalSynchronizerId } = sequencing;
    this.submitter = fixed(shown(versioned(this.changed, this.submitterMetadata())));
    const common = [noise.salt(), string(3, physicalSynchronizerId), string(4, noise.uuid())];
    this.common = fixed(shown(versioned(OLD, ...common)));
    const times = [integer(2, recordTime), integer(3, recordTime + PREPARATION)];
    this.participant = fixed(shown(versioned(OLD, noise.salt(), ...times, string(4, workflowId))));
  }

  envelopes(): readonly Envelope[] {
    const views = this.roots.flatMap((each) => [...withSubviews(each)]);
    const participants = new Set(views.flatMap((each) => [...each.participants]));
    const mediator = 1;
    return [
      { length: this.informeeTree().length, recipients: mediator },
      { length: this.rootHash().length, recipients: participants.size + mediator },
      ...this.viewEnvelopes(views),
    ];
  }

  private submitterMetadata(): Part {
    const { actAs, userId, commandId, participantId, submissionId, recordTime } = this.metadata;
    return join(
      this.noise.salt(),
      strings(2, actAs),
      string(3, userId),
      string(4, commandId),
      string(5, participantId),
      string(6, submissionId),
      message(7, this.deduplication()),
      integer(8, recordTime + SEQUENCING_TOLERANCE),
      this.externalAuthorization(),
    );
  }

  private deduplication(): Part {
    const period = this.metadata.deduplicationPeriod;
    if (period.kind === 'offset') return presentInteger(2, period.offset);
    const [seconds, rest] = [period.microseconds / 1_000_000n, period.microseconds % 1_000_000n];
    return message(1, integer(1, seconds), integer(2, rest * 1000n));
  }

  private externalAuthorization(): Part {
    const { external, recordTime } = this.metadata;
    if (external === undefined) return NOTHING;
    const { parties, hashingVersion, hasMaxRecordTime } = external;
    const signed = parties.map(({ party, signatures }) =>
      message(
        1,
        string(1, party),
        ...signatures.map((form) => message(2, this.noise.signature(form))),
      ),
    );
    const isNew = this.changed === NEW;
    const latest = isNew && hasMaxRecordTime ? integer(3, recordTime) : NOTHING;
    return message(9, ...signed, integer(2, hashingVersion), latest);
  }

  private signature(): Part {
    return this.noise.signature({ ...PARTICIPANT_SIGNATURE, signedBy: this.signedBy });
  }

  private informeeTree(): Part {
    const elements = this.roots.map((view) => this.informees(view));
    const views = sequence(elements, this.hashesBelow(undefined));
    const tree = transactionTree(this.submitter, this.common, hidden(this.noise), views);
    return versioned(
      this.changed,
      message(1, message(1, message(1, tree)), message(2, this.signature())),
    );
  }

  /** A view, as the mediator sees it. */
  private informees(view: View): Part {
    const elements = view.subviews.map((each) => this.informees(each));
    const subviews = sequence(elements, this.hashesBelow(view));
    return viewNode(this.shownCommonData(view), hidden(this.noise), subviews);
  }

  private hashesBelow(view: View | undefined): SequenceHashes {
    const known = this.hashes.get(view);
    if (known !== undefined) return known;
    const made = new SequenceHashes(this.noise);
    this.hashes.set(view, made);
    return made;
  }

  private shownCommonData(view: View): Part {
    return this.cachedPart(this.commonData, view, () => {
      const parties = namedParties([...view.informees]);
      const quorums = view.quorums.map((confirmers) =>
        message(
          3,
          ...confirmers.map((party) =>
            message(1, integer(1, parties.indexOf(party)), integer(2, 1)),
          ),
          integer(2, confirmers.length),
        ),
      );
      return shown(versioned(OLD, this.noise.salt(), strings(2, parties), ...quorums));
    });
  }

  private shownContents(view: View): Part {
    const { packages } = this.sequencing;
    return this.cachedPart(this.contents, view, () =>
      shown(versioned(this.changed, viewContents(view, packages, this.noise))),
    );
  }

  /** Creates a part once, because its salts must not change. */
  private cachedPart(parts: Map<View, Part>, view: View, make: () => Part): Part {
    const known = parts.get(view);
    if (known !== undefined) return known;
    const made = fixed(make());
    parts.set(view, made);
    return made;
  }

  private rootHash(): Part {
    return rootHash(this.noise, {
      version: this.changed,
      physicalSynchronizerId: this.sequencing.physicalSynchronizerId,
      viewType: TRANSACTION_VIEW,
      recordTime: this.metadata.recordTime,
    });
  }

  private viewEnvelopes(views: readonly View[]): readonly Envelope[] {
    const trees = (group: readonly View[]) => group.map((view) => this.viewTree(view));
    // Before protocol version 35, each view has a separate envelope.
    const positions = new Map(views.map((view, position) => [view, position]));
    const envelopeOf = (group: readonly View[], content: Part): Envelope => ({
      ...this.viewEnvelope(group, content),
      views: group.map((view) => positions.get(view)!),
    });
    if (this.changed === OLD)
      return views.map((view) => envelopeOf([view], join(...trees([view]))));
    const groups = new Map<string, View[]>();
    for (const view of views) {
      const group = groups.get(recipientsOf(view));
      if (group === undefined) groups.set(recipientsOf(view), [view]);
      else group.push(view);
    }
    return [...groups.values()].map((group) =>
      envelopeOf(group, join(...trees(group).map((tree) => message(1, tree)))),
    );
  }

  /** The envelope of views with the same recipients. */
  private viewEnvelope(views: readonly View[], content: Part): Envelope {
    const [view] = views;
    const length = new EncryptedView(this.sequencing, this.noise).length(content, {
      views: views.length,
      participants: view!.participants.size,
      type: TRANSACTION_VIEW,
      signature: () => this.signature(),
    });
    return { length, recipients: witnessesOf(view!).size };
  }

  /** The whole tree, as the recipients of one view see it. */
  private viewTree(view: View): Part {
    const views = this.pathTo(
      view,
      viewNode(this.shownCommonData(view), this.shownContents(view), this.hiddenSubviews(view)),
    );
    const isRoot = view.parent === undefined;
    const submitter = isRoot ? this.submitter : hidden(this.noise);
    const tree = transactionTree(submitter, this.common, this.participant, views);
    const keys = view.subviews.map(() =>
      message(2, message(1, this.noise.hash()), message(2, raw(this.noise.bytes(RANDOMNESS)))),
    );
    return versioned(OLD, message(1, tree), ...keys);
  }

  private hiddenSubviews(view: View): Part {
    return sequence(
      view.subviews.map(() => undefined),
      this.hashesBelow(view),
    );
  }

  /** The sequence of root views that shows only the path to one view. */
  private pathTo(view: View, node: Part): Part {
    const { parent } = view;
    const siblings = parent?.subviews ?? this.roots;
    const views = sequence(
      siblings.map((each) => (each === view ? node : undefined)),
      this.hashesBelow(parent),
    );
    if (parent === undefined) return views;
    return this.pathTo(parent, viewNode(hidden(this.noise), hidden(this.noise), views));
  }
}

const viewNode = (commonData: Part, contents: Part, subviews: Part): Part =>
  versioned(OLD, message(1, commonData), message(2, contents), message(3, subviews));

const fixed = (part: Part): Part => raw(bytesOf(part));

/** All participants that see a view: its recipients, and those of the views around it. */
function witnessesOf(view: View): ReadonlySet<ParticipantId> {
  const above = view.parent === undefined ? [] : [...witnessesOf(view.parent)];
  return new Set([...view.participants, ...above]);
}

/** Views with the same tree of recipients share an envelope. */
const recipientsOf = ({ participants, parent }: View): string =>
  `${[...participants].sort().join()}${parent === undefined ? '' : `<${recipientsOf(parent)}`}`;
