// The facts of an API with room for every release: TypeScript types are made of these, so that one handler serves all
// releases. The usual release decides what is required; members, variants and values of others are added to it.

/** @param facts with the rows of every release */
export function widest({ variants = [], ...facts }) {
  const schemas = { ...facts.schemas };
  for (const { name, schema } of variants)
    schemas[name] = schemas[name] === undefined ? schema : united(schemas[name], schema);
  const operations = new Map();
  for (const row of facts.operations)
    if (!operations.has(row.operationId)) operations.set(row.operationId, row);
  return { ...facts, schemas, operations: [...operations.values()] };
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
