/**
 * Names of results in a scenario: `as: iou` sets a name, `$iou` and `${iou}` refer to it. Names are in the network's journal, so that a
 * revert also removes later names.
 */
import { JournaledMap, type Journal } from '../network/journal/journal.js';
import { suggestion } from '../daml/errors/edit-distance.js';
import { ScenarioError } from '../wallet/scenario-error.js';

const REFERENCE = /^\$([A-Za-z_][\w-]*)((?:\.\w+)*)$/;
const INSIDE = /\$\{([A-Za-z_][\w-]*)((?:\.\w+)*)\}/g;

export class Names {
  private readonly values: JournaledMap<string, unknown>;
  /** A hint for a name without a value. The runner of a file knows more than the ledger. */
  whereDefined: (name: string) => string | undefined = () => undefined;

  /** The party that was allocated with this hint, for example by a script. */
  partyWithHint: (hint: string) => string | undefined = () => undefined;

  constructor(journal: Journal) {
    this.values = new JournaledMap(journal, 'scenario-names');
  }

  get(name: string): unknown {
    return this.values.get(name);
  }

  has(name: string): boolean {
    return this.values.has(name);
  }

  set(name: string, value: unknown): void {
    this.values.set(name, value);
  }

  /**
   * Replaces the references in a text: `$name` by the value, `${name}` by the text of the value, and `$$` by a dollar
   * sign.
   * @throws ScenarioError for an unknown name
   */
  resolve(text: string): unknown {
    if (!text.includes('$')) return text;
    const whole = REFERENCE.exec(text);
    if (whole !== null) return this.follow(whole[1]!, whole[2]!);
    return text
      .replace(INSIDE, (_, name: string, path: string) => {
        const value = this.follow(name, path);
        if (typeof value !== 'object') return String(value);
        throw new ScenarioError(`\${${name}${path}} is not a string. Name a part of it.`);
      })
      .replaceAll('$$', '$');
  }

  private follow(name: string, path: string): unknown {
    if (!this.has(name)) {
      const party = path === '' ? this.partyWithHint(name) : undefined;
      if (party !== undefined) return party;
      const known = this.whereDefined(name) ?? suggestion(name, this.values.sortedKeys()).trim();
      throw new ScenarioError(
        `No earlier step has the name '${name}'. ${known || "Name a step's result with `as`."}`,
      );
    }
    let value = this.get(name);
    for (const key of path.split('.').slice(1)) {
      const parts = typeof value === 'object' && value !== null ? value : {};
      if (!Object.hasOwn(parts, key))
        throw new ScenarioError(
          `'${name}' has no part '${key}'.${suggestion(key, Object.keys(parts))}`,
        );
      value = (parts as Record<string, unknown>)[key];
    }
    return value;
  }

  /** For people: replaces ids that have a name by the name. */
  humanize(text: string): string {
    let result = text;
    for (const name of this.values.sortedKeys()) {
      const value = this.get(name);
      if (typeof value === 'string' && value.length > 40) result = result.replaceAll(value, name);
    }
    return result;
  }
}
