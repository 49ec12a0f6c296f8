/**
 * All mutants of a source in one text: `globalThis.mutantAt(id)` tells that a place is reached and answers whether the mutant there is
 * the one that runs. So one set of loaded modules serves many mutants.
 */
const ts = require('typescript');
const { changesIn, mutantsOf, parse } = require('./operators.cjs');

const textAt = (text, { start, end, replacement }, node) =>
  text.slice(node.getStart(), start) + replacement + text.slice(end, node.getEnd());

/** Where brackets would end the chain of `?.` that it is in. */
const isInChain = (node) =>
  (node.flags & ts.NodeFlags.OptionalChain) !== 0 && node.parent.expression === node;

/**
 * @param first the id of the first mutant: the others follow as `mutantsOf` has them
 * @returns the text, and the ids that have no switch in it
 */
function withSwitches(text, file, first) {
  const source = parse(text, file);
  const ids = new Map(
    mutantsOf(text, file).map((mutant, i) => [
      `${mutant.start} ${mutant.end} ${mutant.replacement}`,
      first + i,
    ]),
  );
  /** By the node in whose place the switch comes: ids, each with the mutated text of that place. */
  const switches = new Map();
  /** By access to a property: the id, and the other name. */
  const names = new Map();
  const unswitched = new Set(ids.values());

  for (const { node, place, replacement } of changesIn(source)) {
    const [start, end] = [place.getStart(), place.getEnd()];
    const id = ids.get(`${start} ${end} ${replacement}`);
    const isName = ts.isCallExpression(node) && place === node.expression.name;
    const at = ts.isBinaryExpression(node) && place === node.operatorToken ? node : place;
    if (!isName && isInChain(at)) continue;
    unswitched.delete(id);
    if (isName) names.set(node.expression, { id, name: replacement });
    else
      switches.set(at, [
        ...(switches.get(at) ?? []),
        { id, text: textAt(text, { start, end, replacement }, at) },
      ]);
  }

  const rendered = (node) => {
    let [output, from] = ['', node.getStart()];
    const children = [];
    ts.forEachChild(node, (child) => void children.push(child));
    for (const child of children.sort((a, b) => a.getStart() - b.getStart())) {
      output += text.slice(from, child.getStart()) + rendered(child);
      from = child.getEnd();
    }
    output += text.slice(from, node.getEnd());
    const named = names.get(node);
    if (named !== undefined) {
      const dot = node.questionDotToken === undefined ? '' : '?.';
      output = `${rendered(node.expression)}${dot}[${switched(named.id)} ? '${named.name}' : '${node.name.text}']`;
    }
    const here = switches.get(node) ?? [];
    if (ts.isExpressionStatement(node) && here.length > 0)
      return `{ if (!${switched(here[0].id)}) ${output} }`;
    return here.reduceRight(
      (otherwise, { id, text: mutated }) => `(${switched(id)} ? (${mutated}) : ${otherwise})`,
      here.length > 0 ? `(${output})` : output,
    );
  };
  return { text: text.slice(0, source.getStart()) + rendered(source), unswitched: [...unswitched] };
}

const switched = (id) => `globalThis.mutantAt(${id})`;

module.exports = { withSwitches };
