/**
 * Resolves the names in commands and choices: templates, interfaces and choices by their references. Also converts
 * contracts to the named version of their template.
 */
import { keyOfPayload } from '../contract/contract-key.js';
import {
  interfaceDefinition,
  packagesFor,
  resolveTypeId,
  template as templateOf,
  type Choice,
  type ChoiceTarget,
  type CodeContext,
  type PackageLookup,
  type Template,
} from '../model/package.js';
import { parties } from '../model/parties.js';
import { authenticationFailed } from '../refusals/authentication-refusal.js';
import * as refuse from '../refusals/refusals.js';
import type { ContractInstance } from '../model/transaction.js';
import { qualifiedNameOf, typeId, type TypeId } from '../model/types.js';
import { checkMetadata, translate } from '../upgrade/version.js';
import { checkLabels } from '../upgrade/labels.js';
import type { ContractId, DamlRecord } from '../model/values.js';
import type { Claim } from './input.js';

const NO_METHODS: ChoiceTarget['methods'] = Object.freeze({});

export class Resolution {
  /** Payloads in other versions of their templates, by contract id and template id. */
  private upgraded: Map<string, DamlRecord> | undefined;

  constructor(
    private readonly context: CodeContext,
    /** Runs package code whose errors no handler may catch. */
    private readonly guarded: <T>(code: () => T) => T,
    private readonly claim: (id: ContractId) => Claim | undefined = () => undefined,
  ) {}

  private get packages(): PackageLookup {
    return this.context.packages;
  }

  resolve(reference: string): TypeId {
    const id = resolveTypeId(this.packages, reference);
    if (id === undefined) throw refuse.unknownDefinition(reference);
    return id;
  }

  template(reference: string): Template {
    const template = templateOf(this.packages, this.resolve(reference));
    if (template === undefined) throw refuse.unknownDefinition(reference);
    return template;
  }

  /** A template whose contracts have keys. */
  templateWithKey(reference: string): Template {
    const template = this.template(reference);
    if (template.key === undefined || template.code.maintainers === undefined)
      throw refuse.noKey(template.id);
    return template;
  }

  choice(
    reference: string,
    name: string,
  ): { choice: Choice; definitionId: TypeId; interfaceId: TypeId | undefined } {
    const definitionId = this.resolve(reference);
    const viaInterface = interfaceDefinition(this.packages, definitionId);
    const choices = viaInterface?.choices ?? templateOf(this.packages, definitionId)?.choices;
    if (choices === undefined) throw refuse.unknownDefinition(reference);
    const choice = choices.get(name);
    if (choice === undefined)
      throw refuse.unknownChoice(viaInterface ? 'interface' : 'template', definitionId, name);
    return { choice, definitionId, interfaceId: viaInterface && definitionId };
  }

  /** Checks that the contract matches the reference, and binds the methods of an interface. */
  target(
    contract: ContractInstance,
    definitionId: TypeId,
    interfaceId: TypeId | undefined,
  ): ChoiceTarget {
    const { contractId, templateId } = contract;
    if (interfaceId === undefined) {
      if (
        templateId !== definitionId &&
        qualifiedNameOf(templateId) !== qualifiedNameOf(definitionId)
      )
        throw refuse.wronglyTyped(contractId, definitionId, templateId);
      return {
        contractId,
        templateId: definitionId,
        payload: this.payloadAs(contract, definitionId),
        methods: NO_METHODS,
        context: this.context,
      };
    }
    const preferredId = this.preferredVersion(contract);
    const template = templateOf(this.packages, preferredId);
    const implementation = template?.implementations.get(interfaceId);
    if (template === undefined || implementation === undefined)
      throw refuse.interfaceNotImplemented(
        contractId,
        preferredId,
        interfaceId,
        template?.implementations.keys(),
      );
    const { methods } = implementation.code;
    return {
      contractId,
      templateId: template.id,
      payload: this.payloadAs(contract, template.id),
      methods,
      context: this.context,
    };
  }

  /** The contract's template in the preferred version of its package name. */
  private preferredVersion({ templateId, packageName }: ContractInstance): TypeId {
    const preferred = this.packages.packageIdForName(packageName);
    if (preferred === undefined) throw refuse.unresolvedPackageName(packageName);
    return typeId(preferred, qualifiedNameOf(templateId));
  }

  /**
   * The contract's payload in another version of its template. Throws if that version computes other metadata for
   * the contract.
   */
  private payloadAs(contract: ContractInstance, version: TypeId): DamlRecord {
    const claim = this.claim(contract.contractId);
    if (contract.templateId === version && claim === undefined) return contract.payload;
    const packages = packagesFor(this.packages, contract.templateId);
    const source = templateOf(packages, contract.templateId);
    const target = templateOf(this.packages, version);
    if (source === undefined || target === undefined) {
      if (claim?.error !== undefined) throw claim.error;
      return contract.payload;
    }
    const key = `${contract.contractId} ${version}`;
    this.upgraded ??= new Map();
    const known = this.upgraded.get(key);
    if (known !== undefined) return known;
    const payload = translate(packages, source, target, contract.payload, contract.contractId);
    this.guarded(() => {
      const { code } = target;
      if (!code.precondition(payload, this.context))
        throw refuse.preconditionViolated(packages, target, payload);
      const signatories = parties(code.signatories(payload, this.context));
      const observers = parties(code.observers(payload, this.context)).filter(
        (party) => !signatories.includes(party),
      );
      checkMetadata(packages, contract, target, {
        packageName: target.packageName,
        signatories,
        observers,
        key: keyOfPayload(this.context, target, payload),
      });
    });
    if (claim?.error !== undefined) {
      const { explanation } = claim.error.details;
      throw authenticationFailed(packages, { contract, target, payload }, explanation);
    }
    checkLabels(packages, contract, target, payload);
    this.upgraded.set(key, payload);
    return payload;
  }
}
