/** The reader of users, on texts small enough to see through. */
import { missingUsers } from './users.js';

it.each([
  ["body: JSON.stringify({ commands, userId: 'shop', actAs })", 'shop'],
  ['-d \'{"commands": {"userId": "shop"}}\'', 'shop'],
  ["commands.Commands(user_id='shop')", 'shop'],
  ["await canticle.accessToken({ sub: 'shop' })", 'shop'],
  ["const credentials = { clientId: 'shop' };", 'shop'],
  ['curl -d client_id=shop http://localhost:7575/canticle/v1/issuer/token', 'shop'],
  ['npx canticle script --user-id shop --json-api http://localhost:7575', 'shop'],
  ['curl http://localhost:7575/v2/users/shop/rights', 'shop'],
  [
    "createCanticle({ bare: true }); credentials = { clientId: 'ledger-api-user' }",
    'ledger-api-user',
  ],
  ['curl -d client_id=ledger-api-user', 'ledger-api-user'],
])('finds a missing user in %s', (text, user) => {
  expect(missingUsers(text)).toEqual([user]);
});

it.each([
  "{ commands, userId: 'participant_admin' }",
  "useCanticle(); const credentials = { clientId: 'ledger-api-user' };",
  'canticle sandbox --additional-admin-user app; curl -d client_id=app',
  "ask('/v2/users', { user: { id: 'shop', primaryParty }, rights }); submit({ userId: 'shop' })",
  "const user = { id: 'shop', primaryParty }; submit({ userId: 'shop' })",
  'curl :7575/v2/users -d \'{"user": {"id": "shop"}}\'; curl :7575/v2/users/shop',
  "sdk.user.create({ userId: 'shop', primaryParty }); grant({ userId: 'shop' })",
  "canticle.scenario.user('shop', { actAs: ['alice'] }); submit({ userId: 'shop' })",
  "users:\n  - { user: shop, actAs: alice }\nsteps:\n  - revoke: shop\n# userId: 'shop'",
  'steps:\n  - user: shop\n# --user shop',
  'curl http://localhost:7575/v2/users/$USER; submit({ userId: `of-${name}`, more: userId })',
  '`userId?: string`: `participant_admin` by default; `PATCH /v2/users/{id}`',
])('finds no missing user in %s', (text) => {
  expect(missingUsers(text)).toEqual([]);
});
