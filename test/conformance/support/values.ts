/** Templates of values that are deep, large, or contract ids. */
import { d, definePackage, defineTemplate, type Type } from 'canticle';

/** A natural number as deep as it is large: `Z`, or one more than another. */
interface Nat {
  readonly tag: 'Z' | 'S';
  readonly value: Nat | Readonly<Record<string, never>>;
}

const natType = d.variant('Values:Nat', { Z: d.unit, S: d.lazy(() => NAT) });
const NAT = natType as unknown as Type<Nat>;
const zero = natType.of('Z', {}) as unknown as Nat;

function nat(depth: bigint): Nat {
  let made = zero;
  for (let i = 0n; i < depth; i++) made = natType.of('S', made) as unknown as Nat;
  return made;
}

function depthOf(number: Nat): bigint {
  let depth = 0n;
  for (let each = number; each.tag === 'S'; each = each.value as Nat) depth++;
  return depth;
}

const Deep = defineTemplate({
  name: 'Values:Deep',
  fields: { party: d.party, number: d.int64, nat: NAT },
  signatories: (it) => [it.party],
});

const Handler = defineTemplate({
  name: 'Values:Handler',
  fields: { party: d.party },
  signatories: (it) => [it.party],
  choices: (choice) => ({
    Construct: choice({
      argument: { number: d.int64 },
      consuming: false,
      result: NAT,
      controllers: (it) => [it.party],
      run: (_update, _self, { number }) => nat(number),
    }),
    Destruct: choice({
      argument: { nat: NAT },
      consuming: false,
      result: d.int64,
      controllers: (it) => [it.party],
      run: (_update, _self, argument) => depthOf(argument.nat),
    }),
    ConstructThenDestruct: choice({
      argument: { number: d.int64 },
      consuming: false,
      result: d.int64,
      controllers: (it) => [it.party],
      run: ({ untyped }, { template, contractId }, { number }) =>
        untyped.exercise(template.id, contractId, 'Destruct', {
          nat: nat(number) as never,
        }) as bigint,
    }),
    Create: choice({
      argument: { number: d.int64 },
      consuming: false,
      result: d.contractId(Deep),
      controllers: (it) => [it.party],
      run: (update, { payload: { party } }, { number }) =>
        update.create(Deep, { party, number, nat: nat(number) }),
    }),
  }),
});

const Contract = defineTemplate({
  name: 'Values:Contract',
  fields: { party: d.party },
  signatories: (it) => [it.party],
});

const ContractRef = defineTemplate({
  name: 'Values:ContractRef',
  fields: { party: d.party, ref: d.contractId(Contract) },
  signatories: (it) => [it.party],
  choices: (choice) => ({
    Change: choice({
      argument: { newId: d.contractId(Contract) },
      result: d.contractId('Values:ContractRef'),
      controllers: (it) => [it.party],
      run: (update, { template, payload }, { newId }) =>
        update.create(template, { ...payload, ref: newId }),
    }),
  }),
});

/** One container of each kind, and a choice that makes it larger. */
const Container = defineTemplate({
  name: 'Values:Container',
  fields: {
    owner: d.party,
    texts: d.textMap(d.text),
    parties: d.genMap(d.text, d.party),
    list: d.list(d.text),
  },
  signatories: (it) => [it.owner],
  choices: (choice) => ({
    Look: choice({
      consuming: false,
      result: d.unit,
      controllers: (it) => [it.owner],
      run: () => ({}),
    }),
    AddTexts: choice({
      argument: { texts: d.textMap(d.text) },
      result: d.textMap(d.text),
      controllers: (it) => [it.owner],
      run: (update, { template, payload }, { texts }) => {
        const merged = new Map([...payload.texts, ...texts]);
        update.create(template, { ...payload, texts: merged });
        return merged;
      },
    }),
    AddParties: choice({
      argument: { parties: d.genMap(d.text, d.party) },
      result: d.contractId('Values:Container'),
      controllers: (it) => [it.owner],
      run: (update, { template, payload }, { parties }) =>
        update.create(template, { ...payload, parties: [...payload.parties, ...parties] }),
    }),
    AddToList: choice({
      argument: { list: d.list(d.text) },
      result: d.contractId('Values:Container'),
      controllers: (it) => [it.owner],
      run: (update, { template, payload }, { list }) =>
        update.create(template, { ...payload, list: [...payload.list, ...list] }),
    }),
  }),
});

const Tree = defineTemplate({
  name: 'Values:Tree',
  fields: { owner: d.party },
  signatories: (it) => [it.owner],
  choices: (choice) => ({
    /** Exercises itself, so deep and so wide. @returns the number of exercises */
    Build: choice({
      argument: { depth: d.int64, branching: d.int64 },
      consuming: false,
      result: d.int64,
      controllers: (it) => [it.owner],
      run: ({ untyped }, { template, contractId }, { depth, branching }) => {
        let nodes = 1n;
        if (depth > 0n)
          for (let i = 0n; i < branching; i++)
            nodes += untyped.exercise(template.id, contractId, 'Build', {
              depth: depth - 1n,
              branching,
            }) as bigint;
        return nodes;
      },
    }),
  }),
});

export const valuesPackage = definePackage({
  name: 'conformance-values',
  version: '1.0.0',
  templates: [Deep, Handler, Contract, ContractRef, Container, Tree],
});

/** `#conformance-values:Values:<entity>`, as clients name it. */
export const values = (entity: string): string => `#conformance-values:Values:${entity}`;
