// The page of the playground: a ledger in the page, a bar to add parties and DARs, and the inspector, whose requests go to that ledger.
import { createCanticle, quickstartPackage } from 'canticle/browser';

/** The inspector sends its requests below this URL. They do not leave the page. */
const ROOT = new URL('ledger', location.href).href;
const JSON_BODY = { 'content-type': 'application/json' };
const DAR_BODY = { 'content-type': 'application/octet-stream' };

const said = document.querySelector('#said');
const say = (text, isFailure = false) => {
  said.textContent = text;
  said.classList.toggle('failed', isFailure);
};

const canticle = await createCanticle({ seed: 1, openControls: true, parts: ['dars'] });
sendToLedger();
addStart();
addInspector();
listen();
say('Everything stays in this page. A reload starts again.');

/** Requests below the root go to the ledger, and others over the network. */
function sendToLedger() {
  const overNetwork = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const url = typeof input === 'string' ? input : (input.url ?? String(input));
    if (!url.startsWith(`${ROOT}/`)) return overNetwork(input, init);
    return canticle.fetch(new Request(`http://ledger${url.slice(ROOT.length)}`, init));
  };
}

/** Two parties, tokens, and a contract that one gave the other. */
function addStart() {
  const { participant, token } = canticle;
  const [alice, bob] = ['alice', 'bob'].map((hint) => participant.allocateParty(hint));
  token.mint(alice, '100.0');
  const iou = { issuer: alice, owner: bob, currency: 'EUR', amount: '10.0', observers: [] };
  participant.create(`#${quickstartPackage.name}:Quickstart.Iou:Iou`, iou, { actAs: [alice, bob] });
}

function addInspector() {
  const script = document.createElement('script');
  script.src = 'inspector.js';
  script.dataset.root = ROOT;
  document.head.append(script);
}

async function send(path, headers, body) {
  const answer = await fetch(`${ROOT}${path}`, { method: 'POST', headers, body });
  const text = await answer.text();
  if (!answer.ok) throw new Error(causeIn(text));
  return text;
}

function causeIn(text) {
  try {
    return JSON.parse(text).cause ?? text;
  } catch {
    return text;
  }
}

/** Says what happened, also if it failed. */
async function attempt(action) {
  try {
    say(await action());
  } catch (error) {
    say(error.message, true);
  }
}

async function addParty(hint) {
  await send('/v2/parties', JSON_BODY, JSON.stringify({ partyIdHint: hint }));
  return `The party ${hint} is on the ledger.`;
}

async function addDars(files) {
  for (const file of files) await send('/v2/packages', DAR_BODY, await file.arrayBuffer());
  const names = [...files].map(({ name }) => name);
  return `Uploaded: ${names.join(', ')}. Its templates are in Do.`;
}

function listen() {
  const form = document.querySelector('#party');
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const hint = form.elements.hint.value;
    form.reset();
    attempt(() => addParty(hint));
  });
  document.querySelector('#reset').addEventListener('click', () =>
    attempt(async () => {
      canticle.reset();
      addStart();
      return 'The ledger is as at its start.';
    }),
  );
  const zone = document.querySelector('#dars');
  const input = zone.querySelector('input');
  input.addEventListener('change', () => attempt(() => addDars(input.files)));
  zone.addEventListener('dragover', (event) => {
    event.preventDefault();
    zone.classList.add('over');
  });
  zone.addEventListener('dragleave', () => zone.classList.remove('over'));
  zone.addEventListener('drop', (event) => {
    event.preventDefault();
    zone.classList.remove('over');
    attempt(() => addDars(event.dataTransfer.files));
  });
}
