/** A finding as a Daml script, which fails as long as the model has the bug. */
import { contractKeyType, targetOf } from './command-types.js';
import { DamlSource } from './daml-values.js';
import { template as templateOf } from '../../daml/model/package.js';
import type { Command, ContractInstance } from '../../daml/model/transaction.js';
import type { DamlRecord, Party } from '../../daml/model/values.js';
import type { Assertion } from '../model/assertion.js';
import type { Outcome } from '../model/outcome.js';
import type { Submission } from '../model/step.js';
import { ShownNames, type Reproduction } from './reproduction.js';
import { Twins } from './twins.js';
import { asSentence, headOf, THE_TEST } from './words.js';

/**
 * @param module the name of the module, `Reproductions.SplitMints`
 * @param test the name of the emitted test
 */
export function asDamlScript(reproduction: Reproduction, module: string, test = THE_TEST): string {
  return new DamlScriptWriter(reproduction, test).written(module);
}

class DamlScriptWriter {
  private readonly names: ShownNames;
  private readonly source: DamlSource;
  private readonly lines: string[] = [];
  /** Each step before the last one nests the steps after it. */
  private indent = '';
  private readonly imports = new Set<string>();
  private readonly found = new Set<string>();

  private readonly twins = new Twins(({ templateId, payload }) =>
    this.source.value(templateOf(this.of.packages, templateId)!.payloadType, payload),
  );

  constructor(
    private readonly of: Reproduction,
    private readonly test: string,
  ) {
    this.names = new ShownNames(of);
    this.source = new DamlSource(of.packages, this.names);
    for (const contract of of.start.contracts) this.twins.add(contract);
  }

  written(module: string): string {
    const { outcomes, finding } = this.of;
    this.start();
    outcomes.slice(0, -1).forEach((outcome, place) => this.tried(outcome, place + 1));
    const last = outcomes.at(-1);
    if (last !== undefined) this.last(last, finding.assertion);
    const imports = [...new Set([...this.source.imports, ...this.imports])].sort();
    return [
      ...headOf(this.of.finding).map((line) => `-- ${line}`),
      `module ${module} where`,
      '',
      'import Daml.Script',
      ...imports,
      '',
      'reproduction : Script ()',
      'reproduction = do',
      ...this.lines.map((line) => `  ${line}`),
      `  ${this.indent}pure ()`,
      '',
    ].join('\n');
  }

  private start(): void {
    const { origin, start } = this.of;
    if (origin.kind === 'script') {
      const [module, name] = origin.name.split(':') as [string, string];
      this.imports.add(`import qualified ${module}`);
      this.add(`_ <- ${module}.${name}`, 'known <- listKnownParties');
      this.imports.add('import DA.Optional (fromSome)');
      this.imports.add('import DA.List (find)');
      for (const party of start.parties)
        this.add(
          `let ${this.names.party(party)} = (fromSome (find (\\each -> partyToText each.party == ${JSON.stringify(party)}) known)).party`,
        );
    }
    const hosted = origin.kind === 'script' ? start.parties.length : 0;
    for (const party of this.names.everyone.slice(hosted))
      this.add(
        `${this.names.party(party)} <- allocateParty ${JSON.stringify(party.split('::')[0])}`,
      );
    for (const contract of start.contracts) this.look(contract);
  }

  /** Looks a contract up by its payload, unless no step mentions it. */
  private look(contract: ContractInstance): void {
    const { contractId, templateId, payload, signatories } = contract;
    const name = this.names.contract(contractId);
    if (name === undefined || this.found.has(name)) return;
    this.found.add(name);
    const type = templateOf(this.of.packages, templateId)!.payloadType;
    const template = this.source.name(templateId);
    const same = this.source.value(type, payload);
    const reader = this.names.party(signatories[0]!);
    const others = '_ :: '.repeat(this.twins.placeOf(contract) - 1);
    this.add(`${others}(${name}, _) :: _ <- queryFilter @${template} ${reader} (== ${same})`);
  }

  /** A step before the last one. If the corrected model rejects it, the script ends. */
  private tried(outcome: Outcome, number: number): void {
    const { step, submitted } = outcome;
    if (step.kind !== 'submit') {
      this.step(outcome);
      return;
    }
    this.submit(`step${number} <- trySubmit`, step.submission);
    this.add(`case step${number} of`, '  Left _ -> pure ()', '  Right _ -> do');
    this.indent += '    ';
    this.lookAll(submitted);
  }

  private step({ step, submitted }: Outcome): void {
    switch (step.kind) {
      case 'advance':
        this.imports.add('import DA.Time (microseconds)');
        this.add(`passTime (microseconds ${step.micros})`);
        break;
      case 'submit':
        this.submit('submit', step.submission);
        break;
      case 'race':
        for (const each of step.submissions) this.submit('_ <- trySubmit', each);
        break;
      case 'custom':
        this.add(`-- ${step.action}: run this action of the test here.`);
        break;
    }
    this.lookAll(submitted);
  }

  private lookAll(submitted: Outcome['submitted']): void {
    for (const { transaction } of submitted) if (transaction) this.twins.apply(transaction);
    for (const { transaction } of submitted)
      for (const node of transaction?.nodes ?? [])
        if (node.kind === 'create') this.look(node.contract);
  }

  private add(...lines: readonly string[]): void {
    for (const line of lines) this.lines.push(this.indent + line);
  }

  private submit(verb: string, submission: Submission): void {
    const [first, ...rest] = submission.commands.map((each) => this.command(each));
    this.add(`${verb} ${this.submitters(submission)} $`, `  ${first ?? 'pure ()'}`);
    for (const each of rest) this.add(`    *> ${each}`);
  }

  private submitters({ actAs, readAs }: Submission): string {
    if (actAs.length === 1 && readAs.length === 0) return this.names.party(actAs[0]!);
    const list = (parties: readonly Party[]) =>
      `[${parties.map((each) => this.names.party(each)).join(', ')}]`;
    const readers = readAs.length === 0 ? '' : ` <> readAs ${list(readAs)}`;
    return `(actAs ${list(actAs)}${readers})`;
  }

  private command(command: Command): string {
    const { packages } = this.of;
    const { templateId } = command;
    const payload = (record: DamlRecord) =>
      this.source.value(templateOf(packages, templateId)!.payloadType, record);
    if (command.kind === 'create') return `createCmd ${payload(command.payload)}`;
    const { type, isInterface } = targetOf(packages, templateId, command.choice);
    const argument =
      command.choice === 'Archive' ? 'Archive' : this.source.value(type, command.argument);
    switch (command.kind) {
      case 'createAndExercise':
        return `createAndExerciseCmd ${payload(command.payload)} ${argument}`;
      case 'exerciseByKey': {
        const key = this.source.value(contractKeyType(packages, templateId), command.key);
        return `exerciseByKeyCmd @${this.source.name(templateId)} ${key} ${argument}`;
      }
      case 'exercise': {
        const name = this.names.contract(command.contractId) ?? 'unknownContract';
        const contract = isInterface
          ? `(toInterfaceContractId @${this.source.name(templateId)} ${name})`
          : name;
        return `exerciseCmd ${contract} ${argument}`;
      }
    }
  }

  /** The last step, with the assertion that fails as long as the model has the bug. */
  private last(outcome: Outcome, assertion: Assertion | undefined): void {
    const { step } = outcome;
    if (step.kind === 'submit') {
      switch (assertion?.kind) {
        case 'rejected':
          this.submit('submitMustFail', step.submission);
          return;
        case 'noError':
          this.submit('result <- trySubmit', step.submission);
          this.add('case result of', ...this.errorCases(assertion.text), '  _ -> pure ()');
          return;
        default:
          this.submit('_ <- trySubmit', step.submission);
      }
    } else this.step(outcome);
    this.assert(assertion);
  }

  /** The cases of an error with this text. */
  private errorCases(text: string): readonly string[] {
    if (text === 'TEMPLATE_PRECONDITION_VIOLATED')
      return [`  Left (TemplatePreconditionViolated {}) -> abort ${JSON.stringify(text)}`];
    this.imports.add('import DA.Text (isInfixOf)');
    const literal = JSON.stringify(text);
    return [
      `  Left (FailureStatusError failure) | ${literal} \`isInfixOf\` (failure.errorId <> failure.message) ->`,
      '    abort failure.message',
      `  Left (UserError message) | ${literal} \`isInfixOf\` message -> abort message`,
    ];
  }

  private assert(assertion: Assertion | undefined): void {
    switch (assertion?.kind) {
      case 'script': {
        const [module, name] = assertion.name.split(':') as [string, string];
        this.imports.add(`import qualified ${module}`);
        this.add(`_ <- ${module}.${name}`);
        break;
      }
      case 'sum': {
        const { templateId, field, sum, where } = assertion;
        const template = this.source.name(templateId);
        const type = templateOf(this.of.packages, templateId)!.payloadType;
        const fields = this.source.fields(type, where);
        const same = fields.map(([name, value]) => `each.${name} == ${value}`).join(' && ');
        const readers = this.names.everyone.map((each) => this.names.party(each));
        this.add(
          `contracts <- queryFilter @${template} [${readers.join(', ')}] (\\each -> ${same || 'True'})`,
          `sum [each.${field} | (_, each) <- contracts] === ${sum.startsWith('-') ? `(${sum})` : sum}`,
        );
        break;
      }
      case 'hidden': {
        const { contract, from } = assertion;
        const { signatories, observers, contractId } = contract;
        // A query does not find what a party saw as a witness alone.
        if (!from.every((each) => [...signatories, ...observers].includes(each))) {
          this.leave();
          break;
        }
        from.forEach((party, place) => {
          const query = `queryContractId ${this.names.party(party)} ${this.names.contract(contractId)!}`;
          this.add(`seen${place + 1} <- ${query}`, `seen${place + 1} === None`);
        });
        break;
      }
      default:
        this.leave();
    }
  }

  /** Leaves the assertion to the test. */
  private leave(): void {
    this.add(`-- ${asSentence(this.of.finding)}`);
    this.add(`-- Daml Script cannot check this: ${this.test} shows it.`);
  }
}
