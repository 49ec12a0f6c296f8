/** A transaction of the model while its commands run: what it uses, makes, ends, and who learns of it. */
import { Refusal, stakeholders, type Contract } from './contract.js';
import { homeOf, type Host } from './world.js';

export class Transaction {
  readonly created: Contract[] = [];
  readonly consumed = new Set<number>();
  readonly informees = new Set<string>();
  /** Contracts that were there before, in order of use. */
  readonly inputs: number[] = [];

  constructor(
    private readonly ledger: readonly Contract[],
    private readonly at: Host,
    private readonly actAs: readonly string[],
    private readonly disclosed: readonly number[],
  ) {}

  /** A contract that the submitters may know of, and that this transaction has not ended. */
  use(name: number): Contract {
    const own = this.created.find((contract) => contract.name === name);
    const contract = own ?? this.ledger[name];
    if (contract === undefined || (own === undefined && !this.isVisible(contract)))
      throw new Refusal('CONTRACT_NOT_FOUND');
    if (this.consumed.has(name)) throw new Refusal('CONTRACT_NOT_ACTIVE');
    if (own === undefined && !this.inputs.includes(name)) this.inputs.push(name);
    return contract;
  }

  private isVisible(contract: Contract): boolean {
    if (this.disclosed.includes(contract.name)) return true;
    const concerned = stakeholders(contract);
    return (
      contract.place !== 'archived' &&
      concerned.some((party) => homeOf(party) === this.at) &&
      concerned.some((party) => this.actAs.includes(party))
    );
  }

  /** The commands' own authority: only who acts can consent. */
  consent(parties: readonly string[]): void {
    if (!parties.every((party) => this.actAs.includes(party)))
      throw new Refusal('DAML_AUTHORIZATION_ERROR');
    this.addInformees(parties);
  }

  addInformees(parties: readonly string[]): void {
    for (const party of parties) this.informees.add(party);
  }

  archive(name: number): void {
    this.addInformees(stakeholders(this.use(name)));
    this.consumed.add(name);
  }

  create(
    template: string,
    signatories: readonly string[],
    observers: readonly string[],
    data: Contract['data'],
  ): number {
    const name = this.ledger.length + this.created.length;
    const watching = observers.filter((party) => !signatories.includes(party));
    this.created.push({
      name,
      template,
      signatories,
      observers: watching,
      data,
      place: 'archived',
      counter: 0,
    });
    this.addInformees([...signatories, ...watching]);
    return name;
  }

  /** The assertions of the code. */
  demand(condition: boolean): void {
    if (!condition) throw new Refusal('DAML_FAILURE');
  }
}
