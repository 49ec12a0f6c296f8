/** Contracts of real networks, disclosed by their blobs. The answers are those of a real participant. */
import { createCanticle } from 'canticle';
import blobs from '../../daml/contract/real-blobs.json' with { type: 'json' };
import { describeWithDars } from '../../support/foreign-files.js';

type Refusal = { readonly code: string; readonly cause: string };
const AUTHENTICATION = 'INTERPRETATION_UPGRADE_ERROR_AUTHENTICATION_FAILED';
const VALIDATION = 'INTERPRETATION_UPGRADE_ERROR_VALIDATION_FAILED';

const real = (version: string, entity: string) =>
  blobs.find((each) => each.version === version && each.template.endsWith(`:${entity}`))!;
const RIGHT = real('V12', 'FeaturedAppRight');
const OLD_RIGHT = real('V11', 'FeaturedAppRight');
const ROUND = real('V12', 'OpenMiningRound');

describeWithDars(
  'a contract of a real network',
  ['splice-amulet-0.1.17.dar', 'splice-amulet-0.1.9.dar'] as const,
  (...dars) => {
    const canticle = createCanticle({ seed: 1 });
    for (const dar of dars) canticle.participant.uploadDar(dar);
    const alice = canticle.participant.allocateParty('alice');

    async function exercise(
      { template, packageId, contractId }: typeof RIGHT,
      createdEventBlob: string,
      choice = 'Archive',
      choiceArgument: object = {},
    ): Promise<Refusal> {
      const templateId = `${packageId}:${template}`;
      const command = { ExerciseCommand: { templateId, contractId, choice, choiceArgument } };
      const { json } = await canticle.handle({
        method: 'POST',
        path: '/v2/commands/submit-and-wait',
        body: {
          commands: [command],
          commandId: 'c',
          userId: 'u',
          actAs: [alice],
          disclosedContracts: [{ createdEventBlob }],
          packageIdSelectionPreference: [packageId],
        },
      });
      return json() as Refusal;
    }

    it('is interpreted, and then rejected because its parties are unknown here', async () => {
      expect(
        await exercise(ROUND, ROUND.blob, 'OpenMiningRound_Fetch', { p: alice }),
      ).toMatchObject({
        code: 'UNKNOWN_INFORMEES',
      });
    });

    it.each([
      ['V12', RIGHT],
      ['V11', OLD_RIGHT],
    ])('requires the authority of its stakeholders, in %s', async (_version, right) => {
      expect(await exercise(right, right.blob)).toMatchObject({ code: 'DAML_AUTHORIZATION_ERROR' });
    });

    it.each([
      [
        'V12',
        RIGHT,
        { argument: VALIDATION, signatory: VALIDATION, time: AUTHENTICATION, salt: AUTHENTICATION },
      ],
      [
        'V11',
        OLD_RIGHT,
        {
          argument: AUTHENTICATION,
          signatory: AUTHENTICATION,
          time: AUTHENTICATION,
          salt: AUTHENTICATION,
        },
      ],
    ] as const)('is rejected with other contents, in %s', async (_version, right, codes) => {
      const bytes = Buffer.from(right.blob, 'base64');
      const fingerprint = bytes.indexOf('DSO::1220') + 20;
      const places = {
        argument: fingerprint,
        signatory: bytes.lastIndexOf('DSO::1220') + 20,
        time: bytes.length - 50,
        salt: bytes.length - 3,
      };
      for (const [what, place] of Object.entries(places)) {
        const changed = Buffer.from(bytes);
        changed[place]! ^= changed[place]! === 0x61 ? 3 : 1;
        const { code } = await exercise(right, changed.toString('base64'));
        expect([what, code]).toEqual([what, codes[what as keyof typeof codes]]);
      }
    });
  },
);
