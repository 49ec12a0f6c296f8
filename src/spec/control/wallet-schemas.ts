/** The messages of the controls of the Wallet Gateway. */
import type { JsonSchema, Schemas } from '../schema.js';
import { flag, integer, list, message, object, text } from './schema-parts.js';

const mode: JsonSchema = { type: 'string', enum: ['approve', 'ask', 'reject'] };
const request = { id: text, kind: { type: 'string', enum: ['transaction', 'message'] } } as const;
const requestMembers: Readonly<Record<string, JsonSchema>> = {
  commandId: text,
  origin: text,
  request: { type: 'object', additionalProperties: true },
  message: text,
};
const requiredMembers = { ...request, party: text, user: text, actions: list(text) };

export const walletSchemas: Schemas = {
  /** `delay`: ISO 8601. `fail`: the error of its signing provider; absent if it signs. */
  Wallet: object(
    {
      mode,
      delay: text,
      failedEvents: flag,
      replayEvents: flag,
      locked: flag,
      wallets: list(message('WalletAccount')),
      pending: list(message('WalletRequest')),
    },
    { fail: text, session: message('WalletSession') },
  ),
  /**
   * Only the given members change. An empty `fail` ends the failures. `party` is a party's id, or the hint of a new or existing
   * wallet. `network` is the id of a network.
   */
  SetWalletRequest: object(
    {},
    {
      mode,
      delay: text,
      fail: text,
      failedEvents: flag,
      replayEvents: flag,
      locked: flag,
      network: text,
      party: text,
    },
  ),
  WalletAccount: object({
    partyId: text,
    hint: text,
    primary: flag,
    signingProviderId: text,
  }),
  WalletSession: object({ id: text, user: text, token: text, network: text }),
  WalletRequest: object(requiredMembers, requestMembers),
  /** `updateId` and `completionOffset`: of an executed transaction. `signature`: base64, of a message. */
  DecidedRequest: object(requiredMembers, {
    ...requestMembers,
    updateId: text,
    completionOffset: integer,
    signature: text,
  }),
  /** By default the oldest request, or the next one. `after`: ISO 8601, the time of the network that passes before. */
  ApproveWalletRequest: object({}, { id: text, after: text, loseAnswer: flag }),
  RejectWalletRequest: object({}, { id: text }),
  /** `silently`: without an event for dApps. */
  DisconnectWalletRequest: object({}, { silently: flag }),
};
