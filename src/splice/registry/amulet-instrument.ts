/** Amulet in the registry's metadata: the network's names for it, and its total supply (R-MD-006, R-MD-007, R-MD-010). */
import { Numeric } from '../../daml/model/numeric.js';
import { template } from '../../daml/model/package.js';
import { MAX_TIMESTAMP } from '../../daml/model/time.js';
import type { ContractInstance } from '../../daml/model/transaction.js';
import { packageIdOf } from '../../daml/model/types.js';
import type { DamlRecord, Timestamp } from '../../daml/model/values.js';
import type { Instrument } from '../../token/registry/instruments.js';
import { AllocationFactory } from '../../token/standard/allocation-instruction-v2.js';
import { AMULET_MODEL } from '../model/packages.js';
import { amuletOf } from '../scan/acs-pages.js';
import { latestOf, templateName } from '../dso/amulet-contracts.js';
import { AMULET_INSTRUMENT } from './amulet-registry.js';
import type { Splice } from '../splice.js';

const DECIMALS = 10;

type Apis = Readonly<Record<string, number>>;

const APIS_V1: Apis = {
  'splice-api-token-metadata-v1': 1,
  'splice-api-token-holding-v1': 1,
  'splice-api-token-transfer-instruction-v1': 1,
  'splice-api-token-allocation-v1': 1,
  'splice-api-token-allocation-instruction-v1': 1,
};
const APIS_V2: Apis = {
  'splice-api-token-holding-v2': 1,
  'splice-api-token-allocation-v2': 1,
  'splice-api-token-allocation-instruction-v2': 1,
  'splice-api-token-transfer-instruction-v2': 1,
  'splice-api-token-transfer-events-v2': 1,
};

/** The simplified Amulet has no events for changes of holdings. */
const { 'splice-api-token-transfer-events-v2': _, ...V2_OF_MODEL } = APIS_V2;
const APIS_OF_MODEL: Apis = { ...APIS_V1, ...V2_OF_MODEL };

/** Known from Scan's first ACS snapshot on. */
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
    supportedApis: apisOf(splice),
  };
}

/**
 * Includes version 2 if the running package implements it, from splice-amulet 0.1.21 on. NOTE: a real Scan of this release lists version 2
 * for any package, and wallets then exercise choices that fail.
 */
function apisOf(splice: Splice): Apis {
  const factory = latestOf(splice, 'externalPartyRules');
  const packageId = factory && packageIdOf(factory.templateId);
  if (AMULET_MODEL.some(({ id }) => id === packageId)) return APIS_OF_MODEL;
  const code = factory && template(splice.packages, factory.templateId);
  return code?.implementations.has(AllocationFactory.id) ? { ...APIS_V1, ...APIS_V2 } : APIS_V1;
}

/** The sum of all amulets in the latest snapshot, including locked ones (R-MD-010). */
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
