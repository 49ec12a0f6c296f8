/** A DAR of Daml-LF 2.4 with a template whose choice makes an external call. */
import { buildDar } from './dar-builder.js';
import { e, u } from './lf-code.js';
import { encodePackage } from './lf-encoder.js';
import { t } from './lf-types.js';

const ORACLE_ID = 'Main:Oracle';
const ORACLE = t.con(ORACLE_ID);
const ASK = t.con('Main:Ask');
const field = (name: string) => e.field(ORACLE, name, e.var('this'));
const parties = (...names: string[]) => e.list(t.party, names.map(field));
const asked = (name: string) => e.field(ASK, name, e.var('arg'));
const call = e.call(
  e.builtin('EXTERNAL_CALL'),
  e.text('prices'),
  e.text('latest'),
  asked('config'),
  asked('input'),
);
/** `Ask` calls function `latest` of extension `prices`, and `Twice` again in a choice below it. `Greet` calls nothing. */
export const oraclesDar = buildDar(
  encodePackage({
    lf: '4',
    name: 'oracles',
    modules: {
      Main: {
        types: { Ask: { record: { config: t.text, input: t.text } } },
        templates: {
          Oracle: {
            fields: { owner: t.party, other: t.party },
            signatories: parties('owner'),
            observers: parties('other'),
            choices: {
              Greet: {
                consuming: false,
                argument: ASK,
                returns: t.text,
                controllers: parties('other'),
                update: u.pure(t.text, asked('input')),
              },
              Ask: {
                consuming: false,
                argument: ASK,
                returns: t.text,
                controllers: parties('other'),
                update: call,
              },
              Twice: {
                consuming: false,
                argument: ASK,
                returns: t.text,
                controllers: parties('other'),
                update: u.block(
                  [['first', t.text, call]],
                  u.exercise(ORACLE_ID, 'Ask', e.var('self'), e.var('arg')),
                ),
              },
            },
          },
        },
      },
    },
  }),
);
