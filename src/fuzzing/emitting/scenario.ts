/** A finding as a scenario file, which fails as long as the model has the bug. */
import { encodeValue } from '../../daml/codec/json/codec.js';
import { boundBody, template as templateOf } from '../../daml/model/package.js';
import type { Command, ContractInstance } from '../../daml/model/transaction.js';
import { formatDuration, formatTimestamp } from '../../daml/model/time.js';
import { splitTypeId, type DamlType, type TypeId } from '../../daml/model/types.js';
import type { DamlRecord, DamlValue } from '../../daml/model/values.js';
import type { Assertion } from '../model/assertion.js';
import type { Outcome, Submitted } from '../model/outcome.js';
import { contractKeyType, targetOf } from './command-types.js';
import { ShownNames, type Reproduction } from './reproduction.js';
import { Twins } from './twins.js';
import { asSentence, headOf, THE_TEST } from './words.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * YAML, in which each step is one line.
 * @param dars the paths of the DARs, as a scenario in its folder names them
 * @param test the name of the emitted test
 */
export function asScenario(
  reproduction: Reproduction,
  dars = reproduction.dars,
  test = THE_TEST,
): string {
  return new ScenarioWriter({ ...reproduction, dars }, test).written();
}

class ScenarioWriter {
  private readonly names: ShownNames;
  private readonly lines: string[] = [];
  private readonly found = new Set<string>();

  private readonly twins = new Twins(({ templateId, payload }) =>
    JSON.stringify(this.json(templateOf(this.of.packages, templateId)!.payloadType, payload)),
  );

  constructor(
    private readonly of: Reproduction,
    private readonly test: string,
  ) {
    this.names = new ShownNames(of);
    for (const contract of of.start.contracts) this.twins.add(contract);
  }

  written(): string {
    const { finding, outcomes, origin, start, dars } = this.of;
    const { everyone } = this.names;
    const head = headOf(finding).map((line) => `# ${line}`);
    head.push(`name: ${flow(asSentence(finding))}`, `time: ${flow(formatTimestamp(start.now))}`);
    head.push(`packages: ${flow(dars)}`);
    const hosted = origin.kind === 'script' ? start.parties.length : 0;
    const parties = everyone.slice(hosted).map((each) => this.names.party(each));
    if (parties.length > 0) head.push(`parties: ${flow(parties)}`);
    if (origin.kind === 'script') this.step({ script: origin.name });
    for (const contract of start.contracts) this.look(contract);
    const before = this.lines.splice(0);
    for (const outcome of outcomes) this.outcome(outcome);
    const { assertion } = finding;
    this.assert(assertion);
    const steps = this.lines.map((line) => `      ${line}`);
    const attempt = ['  - attempt:', ...steps, ...expected(assertion).map((line) => `    ${line}`)];
    const all = steps.length === 0 ? [] : attempt;
    return [...head, '', 'steps:', ...before.map((line) => `  ${line}`), ...all, ''].join('\n');
  }

  private step(fields: Fields): void {
    this.lines.push(`- ${flow(fields)}`);
  }

  private outcome({ step, submitted }: Outcome): void {
    switch (step.kind) {
      case 'advance':
        this.step({ advance: formatDuration(step.micros) });
        break;
      case 'custom':
        this.lines.push(`# Here the fuzzer ran the action ${step.action} of the test.`);
        break;
      default:
        for (const each of submitted) this.submission(each);
    }
  }

  private submission(of: Submitted): void {
    const { actAs, readAs, commands } = of.submission;
    const submitters: Fields = {
      by: actAs.map((each) => this.names.party(each)),
      ...(readAs.length > 0 && { readAs: readAs.map((each) => this.names.party(each)) }),
    };
    const disclosed = of.disclosed.flatMap(({ contractId }) => {
      const name = this.names.contract(contractId);
      return name === undefined ? [] : [`$${name}`];
    });
    const all = { ...submitters, ...(disclosed.length > 0 && { disclosed }) };
    if (commands.length > 1) this.lines.push('# The fuzzer submitted the next steps together.');
    for (const command of commands)
      for (const step of this.steps(command)) this.step({ ...step, ...all });
    if (of.transaction !== undefined) this.twins.apply(of.transaction);
    for (const node of of.transaction?.nodes ?? [])
      if (node.kind === 'create') this.look(node.contract);
  }

  private *steps(command: Command): Generator<Fields, void, undefined> {
    const { packages } = this.of;
    const { templateId } = command;
    if (command.kind === 'create' || command.kind === 'createAndExercise') {
      const type = templateOf(packages, templateId)!.payloadType;
      const create = { create: this.name(templateId), with: this.json(type, command.payload) };
      if (command.kind === 'create') {
        yield create;
        return;
      }
      yield { ...create, as: 'created' };
    }
    const { choice, argument } = command;
    const { type, isInterface } = targetOf(packages, templateId, choice);
    const subject =
      command.kind === 'exercise'
        ? `$${this.names.contract(command.contractId) ?? 'unknown'}`
        : '$created';
    if (command.kind === 'exerciseByKey') {
      const key = this.json(contractKeyType(packages, templateId), command.key);
      this.lines.push(`# By the key ${flow(key)}.`);
    }
    const through = isInterface ? { through: this.name(templateId) } : {};
    yield { exercise: subject, choice, with: this.json(type, argument), ...through };
  }

  /** Finds a contract that a later step mentions. */
  private look(contract: ContractInstance): void {
    const { contractId, templateId, payload } = contract;
    const name = this.names.contract(contractId);
    if (name === undefined || this.found.has(name)) return;
    this.found.add(name);
    const type = templateOf(this.of.packages, templateId)!.payloadType;
    const nth = this.twins.placeOf(contract);
    const which = nth === 1 ? {} : { nth };
    this.step({ find: this.name(templateId), with: this.json(type, payload), ...which, as: name });
  }

  private assert(assertion: Assertion | undefined): void {
    switch (assertion?.kind) {
      case 'rejected':
      case 'noError':
        break;
      case 'script':
        this.step({ script: assertion.name });
        break;
      case 'hidden': {
        const contract = `$${this.names.contract(assertion.contract.contractId)!}`;
        const hiddenFrom = assertion.from.map((each) => this.names.party(each));
        this.step({ expect: { contract, hiddenFrom } });
        break;
      }
      case 'sum': {
        const { templateId, field, sum, where } = assertion;
        const type = templateOf(this.of.packages, templateId)!.payloadType;
        const members = this.some(type, where);
        const only = Object.keys(where).length === 0 ? {} : { with: members };
        this.step({ expect: { sum, template: this.name(templateId), field, ...only } });
        break;
      }
      default:
        this.lines.push(`# A scenario cannot check this: ${this.test} shows it.`);
    }
  }

  /** `package-name:Module:Entity`. */
  private name(id: TypeId): string {
    const { packageId, module, entity } = splitTypeId(id);
    const { name } = this.of.packages.package(packageId)!;
    return `${name}:${module}:${entity}`;
  }

  /** Ledger API JSON with names instead of parties and contracts. */
  private json(type: DamlType, value: DamlValue | DamlRecord): unknown {
    return this.named(encodeValue(this.of.packages, type, value));
  }

  /** Some fields of a record. */
  private some(type: DamlType, record: DamlRecord): Fields {
    const body = type.kind === 'con' ? boundBody(this.of.packages, type) : undefined;
    const fields = body?.kind === 'record' ? body.fields : [];
    return Object.fromEntries(
      fields
        .filter(({ name }) => Object.hasOwn(record, name))
        .map((field) => [field.name, this.json(field.type, record[field.name]!)] as const),
    );
  }

  private named(json: unknown): unknown {
    if (typeof json === 'string') {
      const contract = this.names.contract(json);
      if (contract !== undefined) return `$${contract}`;
      if (this.names.everyone.includes(json)) return `$${this.names.party(json)}`;
      return json.replaceAll('$', '$$$$');
    }
    if (Array.isArray(json)) return json.map((each) => this.named(each));
    if (typeof json !== 'object' || json === null) return json;
    return Object.fromEntries(
      Object.entries(json).map(([key, value]) => [key, this.named(value)] as const),
    );
  }
}

/** The fields of the attempt, which the corrected model meets. */
function expected(assertion: Assertion | undefined): readonly string[] {
  switch (assertion?.kind) {
    case 'rejected':
      return ['refused: ANY'];
    case 'noError':
      return [`notRefusedWith: ${flow(assertion.text)}`];
    default:
      return [];
  }
}

const PLAIN = /^[A-Za-z_$][\w.$:/-]*$/;
const WORDS = new Set(['true', 'false', 'null', 'yes', 'no', 'on', 'off', 'y', 'n', '~']);

/** A value in the flow style of YAML. */
function flow(value: unknown): string {
  if (typeof value === 'string') {
    const isPlain = PLAIN.test(value) && !value.endsWith(':') && !WORDS.has(value.toLowerCase());
    return isPlain ? value : JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${flow(key)}: ${flow(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
