/**
 * The roles of parties: the fields of a contract or of a choice's argument that name them. A snapshot of a suite must not
 * depend on the parties of a test, so it has roles in their place.
 */
import { isMap } from '../../daml/errors/realms.js';
import { Numeric } from '../../daml/model/numeric.js';
import { qualifiedNameOf } from '../../daml/model/types.js';
import { DamlVariant, Some, type DamlValue, type Party } from '../../daml/model/values.js';
import type { NodeSights } from './sights.js';

/** The most parts of one value that are searched for parties. */
export const MAX_SEARCHED_PARTS = 10_000;

/** The role of the submitting parties that no field names. */
const SUBMITTER = 'the submitter';
/** The role of all others that no field names. */
const ANOTHER = 'another party';

/** The fields that name parties, by party. */
type Fields = ReadonlyMap<Party, readonly string[]>;

/** Finds roles in one transaction. */
export class Roles {
  private readonly payloads = new Map<NodeSights, Fields>();
  private readonly inputs = new Map<NodeSights, Fields>();

  /** @param actAs the submitting parties */
  constructor(private readonly actAs: readonly Party[]) {}

  /**
   * The role of a party at a node: the fields of the contract that name it, or those of the argument, or those of the
   * innermost exercise around it. Fields with the same party are joined by `+`.
   */
  of(party: Party, node: NodeSights): string {
    const own = this.at(party, node);
    if (own !== undefined) return own;
    for (let outer = node.parent; outer !== undefined; outer = outer.parent) {
      const around = this.at(party, outer);
      if (around !== undefined) return `${around} of ${nameOf(outer)}`;
    }
    return this.actAs.includes(party) ? SUBMITTER : ANOTHER;
  }

  private at(party: Party, node: NodeSights): string | undefined {
    const { action } = node;
    const fields =
      this.fieldsIn(this.payloads, node, () =>
        action.kind === 'queryByKey' ? action.key.value : action.contract.payload,
      ).get(party) ??
      this.fieldsIn(this.inputs, node, () =>
        action.kind === 'exercise' ? { argument: action.argument } : null,
      ).get(party);
    return fields?.join('+');
  }

  private fieldsIn(
    known: Map<NodeSights, Fields>,
    node: NodeSights,
    value: () => DamlValue,
  ): Fields {
    const found = known.get(node) ?? fieldsOf(value(), new Set(node.witnesses.map(partyOf)));
    known.set(node, found);
    return found;
  }
}

const partyOf = ({ party }: { readonly party: Party }): Party => party;

/** `Module:Entity` of the contract of an exercise. */
const nameOf = ({ action }: NodeSights): string =>
  qualifiedNameOf(action.kind === 'queryByKey' ? action.templateId : action.contract.templateId);

/**
 * The places of parties in a value: `owner`, `transfer.sender`, `observers[]`. Values have no types here, so a text that
 * is equal to a party's id counts, too.
 */
function fieldsOf(value: DamlValue, wanted: ReadonlySet<Party>): Fields {
  const found = new Map<Party, string[]>();
  const open: [DamlValue, string][] = [[value, '']];
  for (let searched = 0; open.length > 0 && searched < MAX_SEARCHED_PARTS; searched += 1) {
    const [part, path] = open.pop()!;
    if (typeof part === 'string') {
      if (!wanted.has(part)) continue;
      const places = found.get(part);
      const place = path === '' ? 'key' : path;
      if (places === undefined) found.set(part, [place]);
      else if (!places.includes(place)) places.push(place);
    } else if (typeof part === 'object' && part !== null)
      open.push(...partsOf(part, path).reverse());
  }
  return found;
}

function partsOf(value: object, path: string): [DamlValue, string][] {
  if (value instanceof Numeric) return [];
  if (value instanceof Some) return [[value.value, path]];
  if (value instanceof DamlVariant) return [[value.value, joined(path, value.tag)]];
  if (isMap(value))
    return [...(value as ReadonlyMap<string, DamlValue>)].flatMap(([key, each]) => [
      [key, `${path}[]`],
      [each, `${path}[]`],
    ]);
  if (Array.isArray(value)) return (value as DamlValue[]).map((each) => [each, `${path}[]`]);
  return Object.entries(value as Record<string, DamlValue>).map(([name, each]) => [
    each,
    joined(path, name),
  ]);
}

const joined = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
