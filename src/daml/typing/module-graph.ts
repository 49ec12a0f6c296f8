/** Finds cycles of modules and of synonyms. */
import { dottedNameHash, scalaOrder, type HashOf } from '../errors/scala-order.js';
import { entriesInOrder, referenceHash } from '../model/definition-order.js';
import { splitTypeId } from '../model/types.js';
import { validationError } from '../archive/dar-refusals.js';
import type { LfPackage } from '../archive/lf-package.js';
import type { Type, Types } from './type.js';

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** The vertices of a cycle, in the order in which the real checker names them; undefined without a cycle. */
function cycleOf(graph: Graph, hashOf: HashOf<string>): readonly string[] | undefined {
  const targetsOf = (vertex: string): readonly string[] =>
    scalaOrder([...graph.get(vertex)!], hashOf);
  const white = new Set(graph.keys());
  const black = new Set<string>();
  for (const targets of graph.values())
    for (const target of targets) if (!white.has(target)) black.add(target);
  const visit = (vertex: string): string | undefined => {
    if (black.has(vertex)) return undefined;
    if (!white.has(vertex)) return vertex;
    white.delete(vertex);
    for (const target of targetsOf(vertex)) {
      const found = visit(target);
      if (found !== undefined) return found;
    }
    black.add(vertex);
    return undefined;
  };
  const isGray = (vertex: string): boolean => !white.has(vertex) && !black.has(vertex);
  for (const vertex of scalaOrder([...graph.keys()], hashOf)) {
    const start = visit(vertex);
    if (start === undefined) continue;
    const cycle: string[] = [];
    let current = start;
    do {
      cycle.unshift(current);
      current = targetsOf(current).find(isGray)!;
    } while (current !== start);
    return cycle;
  }
  return undefined;
}

/**
 * Refuses cycles of synonyms in a module. Without them, and without cycles of modules, the expansion of synonyms
 * ends.
 */
export function checkSynonymCycles(lf: LfPackage, types: Types): void {
  const modules = new Map<string, Set<string>>();
  const graphs = [...entriesInOrder(lf.modules, dottedNameHash)].map(([, module]) => {
    const others = new Set<string>();
    modules.set(module.name, others);
    const graph = new Map<string, ReadonlySet<string>>();
    const { synonyms } = module;
    const names = synonyms.size === 0 ? [] : module.definitionNames;
    for (const name of names) {
      const synonym = synonyms.get(name);
      if (synonym === undefined) continue;
      const references = new Set<string>();
      synonymsOf(types.of(synonym.type), references);
      graph.set(`${lf.id}:${module.name}:${name}`, references);
      for (const id of references) {
        const { packageId, module: other } = splitTypeId(id);
        if (packageId === lf.id && other !== module.name) others.add(other);
      }
    }
    return graph;
  });
  checkModuleCycles(modules);
  for (const graph of graphs) {
    const cycle = cycleOf(graph, referenceHash);
    if (cycle === undefined) continue;
    const text = `cycle in type synonym definitions ${cycle.join(' -> ')}`;
    throw validationError('ETypeSynCycle', '', text);
  }
}

function synonymsOf(type: Type, into: Set<string>): void {
  if (type.plain) return;
  if (type.tag === 'syn') into.add(type.name);
  for (const part of type.inner) synonymsOf(part, into);
}

/** Refuses cycles of modules. */
export function checkModuleCycles(references: Graph): void {
  const cycle = cycleOf(references, dottedNameHash);
  if (cycle !== undefined)
    throw validationError('EImportCycle', '', `cycle in module dependency ${cycle.join(' -> ')}`);
}
