/** Amulet as the registry's metadata tells it: names of this network, and how much of it there is (R-MD-006, R-MD-007, R-MD-010). */
import { Numeric } from '../daml/numeric.js';
import type { DamlRecord } from '../daml/values.js';
import type { Instrument } from '../token/instruments.js';
import { contractsOf } from './amulet-contracts.js';
import { AMULET_INSTRUMENT } from './amulet-registry.js';
import type { Splice } from './splice.js';

const DECIMALS = 10;

const APIS: Readonly<Record<string, number>> = {
  'splice-api-token-metadata-v1': 1,
  'splice-api-token-holding-v1': 1,
  'splice-api-token-transfer-instruction-v1': 1,
  'splice-api-token-allocation-v1': 1,
  'splice-api-token-allocation-instruction-v1': 1,
};

export function amuletInstrument(splice: Splice): Instrument {
  const { amuletName: name, amuletNameAcronym: symbol } = splice.instanceNames;
  return {
    id: AMULET_INSTRUMENT,
    name,
    symbol,
    decimals: DECIMALS,
    totalSupply: totalSupply(splice),
    supportedApis: APIS,
  };
}

/** NOTE: of now; the real registry tells that of Scan's latest snapshot. */
function totalSupply(splice: Splice): Numeric {
  let sum = Numeric.of('0', DECIMALS);
  for (const { payload } of contractsOf(splice, 'amulet')) sum = sum.add(initialAmount(payload));
  for (const { payload } of contractsOf(splice, 'lockedAmulet'))
    sum = sum.add(initialAmount(payload.amulet as DamlRecord));
  return sum;
}

function initialAmount({ amount }: DamlRecord): Numeric {
  return (amount as DamlRecord).initialAmount as Numeric;
}
