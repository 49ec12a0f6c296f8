/** Amulet as the registry's metadata tells it: names of this network, and how much of it there is (R-MD-006, R-MD-007, R-MD-010). */
import { Numeric } from '../daml/numeric.js';
import { MAX_TIMESTAMP } from '../daml/time.js';
import type { ContractInstance } from '../daml/transaction.js';
import type { DamlRecord, Timestamp } from '../daml/values.js';
import type { Instrument } from '../token/instruments.js';
import { amuletOf } from './acs-pages.js';
import { templateName } from './amulet-contracts.js';
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

/** Known from Scan's first snapshot of the active contracts on. */
export interface Supply {
  readonly amount: Numeric;
  readonly asOf: Timestamp;
}

export interface AmuletInstrument extends Omit<Instrument, 'totalSupply'> {
  readonly supply: Supply | undefined;
}

export function amuletInstrument(splice: Splice): AmuletInstrument {
  const { amuletName: name, amuletNameAcronym: symbol } = splice.instanceNames;
  return {
    id: AMULET_INSTRUMENT,
    name,
    symbol,
    decimals: DECIMALS,
    supply: supplyIn(splice),
    supportedApis: APIS,
  };
}

/** What all amulets of the latest snapshot come to, locked ones too (R-MD-010). */
function supplyIn({ acsSnapshots, network }: Splice): Supply | undefined {
  const migrationId = network.migrations.current;
  const asOf = acsSnapshots.atOrBefore(migrationId, MAX_TIMESTAMP);
  if (asOf === undefined) return undefined;
  const { contracts, placesOf } = acsSnapshots.at(migrationId, asOf)!;
  const places = [...placesOf(templateName('amulet')), ...placesOf(templateName('lockedAmulet'))];
  const amounts = places.map((place) => initialAmount(contracts[place]!.contract));
  return { amount: amounts.reduce((a, b) => a.add(b), Numeric.of('0', DECIMALS)), asOf };
}

function initialAmount(contract: ContractInstance): Numeric {
  return (amuletOf(contract).amount as DamlRecord).initialAmount as Numeric;
}
