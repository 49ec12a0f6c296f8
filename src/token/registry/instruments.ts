/** The instruments in the registry's metadata: names, decimals and total supply. */
import type { Numeric } from '../../daml/model/numeric.js';
import type { Party } from '../../daml/model/values.js';
import type { RegistryLedger } from './registry.js';
import { Token, ZERO, type TokenPayload } from '../holdings/token.js';

/** The presentation of an instrument. `decimals` is for display; ledger amounts always have ten. */
export interface InstrumentDescription {
  readonly id: string;
  readonly name: string;
  readonly symbol: string;
  /** 0 to 10. */
  readonly decimals: number;
}

export interface Instrument extends InstrumentDescription {
  readonly totalSupply: Numeric;
  readonly supportedApis: Readonly<Record<string, number>>;
}

/** Minor versions. Wallets require exactly 1. */
const REGISTRY_APIS: Readonly<Record<string, number>> = {
  'splice-api-token-metadata-v1': 1,
};
const INSTRUMENT_APIS: Readonly<Record<string, number>> = {
  'splice-api-token-metadata-v1': 1,
  'splice-api-token-holding-v1': 1,
  'splice-api-token-transfer-instruction-v1': 1,
  'splice-api-token-holding-v2': 1,
  'splice-api-token-transfer-instruction-v2': 1,
  'splice-api-token-transfer-events-v2': 1,
  'splice-api-token-allocation-v2': 1,
  'splice-api-token-allocation-instruction-v2': 1,
};

const DEFAULT_INSTRUMENT: InstrumentDescription = {
  id: 'TestToken',
  name: 'Canticle Test Token',
  symbol: 'TEST',
  decimals: 10,
};

export function registryInfo(ledger: RegistryLedger): {
  adminId: Party;
  supportedApis: Readonly<Record<string, number>>;
} {
  return { adminId: ledger.admin, supportedApis: REGISTRY_APIS };
}

/** The described instruments and all others that the admin has minted, sorted by id. */
export function instruments(
  ledger: RegistryLedger,
  described: readonly InstrumentDescription[] = [DEFAULT_INSTRUMENT],
): readonly Instrument[] {
  const supply = supplyByInstrument(ledger);
  const known = new Map(described.map((instrument) => [instrument.id, instrument]));
  const ids = [...new Set([...known.keys(), ...supply.keys()])].sort();
  return ids.map((id) => ({
    ...(known.get(id) ?? { id, name: id, symbol: id, decimals: DEFAULT_INSTRUMENT.decimals }),
    totalSupply: supply.get(id) ?? ZERO,
    supportedApis: INSTRUMENT_APIS,
  }));
}

/** Whether the instrument exists; cheaper than {@link instruments}, because it computes no supply. */
export function hasInstrument(ledger: RegistryLedger, id: string): boolean {
  if (id === DEFAULT_INSTRUMENT.id) return true;
  for (const { contract } of ledger.contractsOf(Token.id)) {
    const { instrumentId } = contract.payload as unknown as TokenPayload;
    if (instrumentId.id === id && instrumentId.admin === ledger.admin) return true;
  }
  return false;
}

function supplyByInstrument(ledger: RegistryLedger): ReadonlyMap<string, Numeric> {
  const supply = new Map<string, Numeric>();
  for (const { contract } of ledger.contractsOf(Token.id)) {
    const { instrumentId, amount } = contract.payload as unknown as TokenPayload;
    if (instrumentId.admin === ledger.admin)
      supply.set(instrumentId.id, (supply.get(instrumentId.id) ?? ZERO).add(amount));
  }
  return supply;
}
