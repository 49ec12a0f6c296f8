// The facts of an API with room for every release: TypeScript types are made of these, so that one handler serves all
// releases. The usual release decides what is required; members, variants and values of others are added to it.

/** @param releases the facts of each release, the usual one first */
export function widest([usual, ...others]) {
  const schemas = { ...usual.schemas };
  const operations = new Map(usual.operations.map((row) => [row.operationId, row]));
  for (const facts of others) {
    for (const [name, schema] of Object.entries(facts.schemas))
      schemas[name] = schemas[name] === undefined ? schema : united(schemas[name], schema);
    for (const row of facts.operations) {
      const known = operations.get(row.operationId);
      operations.set(row.operationId, known === undefined ? row : unitedRow(known, row));
    }
  }
  return { ...usual, schemas, operations: [...operations.values()] };
}

/** An operation with the parameters of another release. They are optional, as the usual release lacks them. */
function unitedRow(row, other) {
  const known = row.parameters ?? [];
  const added = (other.parameters ?? []).filter(
    ({ name, in: place }) => !known.some((each) => each.name === name && each.in === place),
  );
  if (added.length === 0) return row;
  return { ...row, parameters: [...known, ...added.map((each) => ({ ...each, required: false }))] };
}

function united(base, other) {
  const out = { ...base };
  if (other.properties) {
    out.properties = { ...base.properties };
    for (const [name, member] of Object.entries(other.properties)) {
      const own = base.properties?.[name];
      out.properties[name] = own === undefined ? member : united(own, member);
    }
  }
  if (base.items && other.items) out.items = united(base.items, other.items);
  if (base.enum && other.enum) out.enum = [...new Set([...base.enum, ...other.enum])];
  if (base.oneOf && other.oneOf) {
    const known = new Set(base.oneOf.map((variant) => JSON.stringify(variant)));
    const added = other.oneOf.filter((variant) => !known.has(JSON.stringify(variant)));
    out.oneOf = [...base.oneOf, ...added];
  }
  return out;
}
