/** The token standard's packages have the names, ids, choices and types that clients know (D-V1-*, D-V2-*). */
import { STABLE_PACKAGES, type DamlPackage, type DamlType } from '../../src/daml/index.js';
import { TOKEN_PACKAGES } from '../../src/token/package.js';

const packages = new Map<string, DamlPackage>(
  [...STABLE_PACKAGES, ...TOKEN_PACKAGES].map((each) => [each.id, each]),
);
const standard = TOKEN_PACKAGES.filter(({ name }) => name.startsWith('splice-'));

test.each([
  [
    'splice-api-token-metadata-v1',
    '4ded6b668cb3b64f7a88a30874cd41c75829f5e064b3fbbadf41ec7e8363354f',
  ],
  [
    'splice-api-token-holding-v1',
    '718a0f77e505a8de22f188bd4c87fe74101274e9d4cb1bfac7d09aec7158d35b',
  ],
  [
    'splice-api-token-transfer-instruction-v1',
    '55ba4deb0ad4662c4168b39859738a0e91388d252286480c7331b3f71a517281',
  ],
  [
    'splice-api-token-allocation-v1',
    '93c942ae2b4c2ba674fb152fe38473c507bda4e82b4e4c5da55a552a9d8cce1d',
  ],
  [
    'splice-api-token-allocation-instruction-v1',
    '275064aacfe99cea72ee0c80563936129563776f67415ef9f13e4297eecbc520',
  ],
  [
    'splice-api-token-allocation-request-v1',
    '6fe848530b2404017c4a12874c956ad7d5c8a419ee9b040f96b5c13172d2e193',
  ],
  [
    'splice-api-token-holding-v2',
    '4b7ecfc366d79ccc5ed07c80f26fe489cf2dfd43ce2856c06a78e6a048db7032',
  ],
  [
    'splice-api-token-transfer-instruction-v2',
    '29317e3b7b165d2bbf16721bcca0ec4869e53eddb2738bddf790d61af28e0099',
  ],
  [
    'splice-api-token-allocation-v2',
    '051a3b0563a6fa4df4cb34448081e48b061e555aa1a265abf6ae8f3f4cafe439',
  ],
  [
    'splice-api-token-allocation-instruction-v2',
    '9818a0b5b827109de03a04c8f6151cde9d1e7fe5123dbb2dfeb0e52d7271287c',
  ],
  [
    'splice-api-token-allocation-request-v2',
    'adc16315a8943a8433886694720a2a000ae84c2315c4414bd6d0db4d1660de9c',
  ],
  [
    'splice-api-token-transfer-events-v2',
    '5c1097a9bad0af4bcfe6d3fb0fe55112d3d11f18eae57ddfb14c20836fee226c',
  ],
])('%s has its real id', (name, id) => {
  expect(standard.find((each) => each.name === name)).toMatchObject({ id, version: '1.0.0' });
});

test('its choices are consuming or nonconsuming as in the standard', () => {
  const listed = standard.flatMap(({ interfaces }) =>
    [...interfaces].map(([name, { choices }]) => [
      name.replace('Splice.Api.Token.', ''),
      [...choices.values()]
        .map((choice) => `${choice.name}${choice.consuming ? '' : ' (nonconsuming)'}`)
        .join(', '),
    ]),
  );
  expect(Object.fromEntries(listed)).toMatchInlineSnapshot(`
    {
      "AllocationInstructionV1:AllocationFactory": "AllocationFactory_Allocate (nonconsuming), AllocationFactory_PublicFetch (nonconsuming), Archive",
      "AllocationInstructionV1:AllocationInstruction": "AllocationInstruction_Withdraw, AllocationInstruction_Update, Archive",
      "AllocationInstructionV2:AllocationFactory": "AllocationFactory_Allocate (nonconsuming), AllocationFactory_PublicFetch (nonconsuming), Archive",
      "AllocationInstructionV2:AllocationInstruction": "AllocationInstruction_Accept (nonconsuming), AllocationInstruction_Withdraw (nonconsuming), Archive",
      "AllocationRequestV1:AllocationRequest": "AllocationRequest_Reject, AllocationRequest_Withdraw, Archive",
      "AllocationRequestV2:AllocationRequest": "AllocationRequest_Accept (nonconsuming), AllocationRequest_Reject (nonconsuming), AllocationRequest_Withdraw (nonconsuming), Archive",
      "AllocationV1:Allocation": "Allocation_ExecuteTransfer, Allocation_Cancel, Allocation_Withdraw, Archive",
      "AllocationV2:Allocation": "Allocation_Settle (nonconsuming), Allocation_Cancel (nonconsuming), Allocation_Withdraw (nonconsuming), Archive",
      "AllocationV2:SettlementFactory": "SettlementFactory_SettleBatch (nonconsuming), SettlementFactory_PublicFetch (nonconsuming), Archive",
      "HoldingV1:Holding": "Archive",
      "HoldingV2:Holding": "Archive",
      "MetadataV1:AnyContract": "Archive",
      "TransferEventsV2:EventLog": "EventLog_HoldingsChange (nonconsuming), Archive",
      "TransferInstructionV1:TransferFactory": "TransferFactory_Transfer (nonconsuming), TransferFactory_PublicFetch (nonconsuming), Archive",
      "TransferInstructionV1:TransferInstruction": "TransferInstruction_Accept, TransferInstruction_Reject, TransferInstruction_Withdraw, TransferInstruction_Update, Archive",
      "TransferInstructionV2:TransferFactory": "TransferFactory_Transfer (nonconsuming), TransferFactory_PublicFetch (nonconsuming), Archive",
      "TransferInstructionV2:TransferInstruction": "TransferInstruction_Accept (nonconsuming), TransferInstruction_Reject (nonconsuming), TransferInstruction_Withdraw (nonconsuming), Archive",
    }
  `);
});

test('a package declares every type that it mentions, or depends on a package that does', () => {
  const missing: string[] = [];
  for (const { id: own, dataTypes, dependencies, interfaces, templates } of TOKEN_PACKAGES) {
    const check = (type: DamlType): void => {
      if (type.kind === 'con') {
        const [id = '', ...name] = type.id.split(':');
        if (!packages.get(id)?.dataTypes.has(name.join(':'))) missing.push(type.id);
        if (id !== own && !dependencies.includes(id))
          missing.push(`${own} does not depend on ${id}`);
        type.args.forEach(check);
      }
      if ('of' in type) check(type.of);
      if (type.kind === 'genMap') [type.key, type.value].forEach(check);
    };
    for (const { body } of dataTypes.values()) {
      if (body.kind === 'record') body.fields.forEach((field) => check(field.type));
      if (body.kind === 'variant') body.constructors.forEach((each) => check(each.type));
    }
    for (const { choices } of [...interfaces.values(), ...templates.values()])
      for (const { argumentType, returnType } of choices.values())
        [argumentType, returnType].forEach(check);
  }
  expect(missing).toEqual([]);
});

test('the test token implements both versions', () => {
  const token = TOKEN_PACKAGES.at(-1)!;
  const implemented = [...token.templates].map(([name, { implementations }]) => [
    name,
    [...implementations.keys()].map(
      (id) => `${packages.get(id.slice(0, 64))?.name}:${id.split(':').at(-1)}`,
    ),
  ]);
  expect(Object.fromEntries(implemented)).toEqual({
    'Canticle.TestToken:TokenRules': [
      'splice-api-token-transfer-instruction-v1:TransferFactory',
      'splice-api-token-transfer-instruction-v2:TransferFactory',
      'splice-api-token-allocation-instruction-v2:AllocationFactory',
      'splice-api-token-allocation-v2:SettlementFactory',
      'splice-api-token-transfer-events-v2:EventLog',
    ],
    'Canticle.TestToken:Token': [
      'splice-api-token-holding-v1:Holding',
      'splice-api-token-holding-v2:Holding',
    ],
    'Canticle.TestToken:TokenAllocation': ['splice-api-token-allocation-v2:Allocation'],
    'Canticle.TestToken:TransferOffer': [
      'splice-api-token-transfer-instruction-v1:TransferInstruction',
      'splice-api-token-transfer-instruction-v2:TransferInstruction',
    ],
  });
});
