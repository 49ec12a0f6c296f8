/** The frame of the page: navigation, the selected party or participant, the time, and the view of the URL. */
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { Contract } from './contracts/contract.js';
import { Contracts } from './contracts/contracts.js';
import { Do } from './do/do.js';
import { EyesSelect } from './frame/eyes.js';
import { Search } from './frame/search.js';
import { ThemeButton } from './frame/theme.js';
import { TokenForm } from './frame/token.js';
import { Network } from './network/network.js';
import { PartyPage } from './network/party.js';
import { PackagePage } from './packages/package.js';
import { Packages } from './packages/packages.js';
import { Empty } from './parts/frames.js';
import { clockText } from './parts/format.js';
import { Request } from './requests/request.js';
import { Requests } from './requests/requests.js';
import { tokenWanted } from './state/api.js';
import { connected, useNetworkTime } from './state/live.js';
import { href, useRoute } from './state/route.js';
import { useStore } from './state/store.js';
import { useFollowedWorld } from './state/world.js';
import { TimeView } from './time/time.js';
import { Token } from './token/token.js';
import { TraceOf } from './updates/trace.js';
import { Updates } from './updates/updates.js';

interface View {
  readonly name: string;
  readonly label: string;
  readonly list: ComponentType;
  /** The view of one item, by the path after the view's name. */
  readonly one?: ComponentType<{ path: readonly string[] }>;
}

const VIEWS: readonly View[] = [
  { name: 'updates', label: 'Updates', list: Updates, one: TraceOf },
  { name: 'contracts', label: 'Contracts', list: Contracts, one: Contract },
  { name: 'time', label: 'Time', list: TimeView },
  { name: 'network', label: 'Network', list: Network, one: PartyPage },
  { name: 'packages', label: 'Packages', list: Packages, one: PackagePage },
  { name: 'requests', label: 'Requests', list: Requests, one: Request },
  { name: 'token', label: 'Token', list: Token },
  { name: 'do', label: 'Do', list: Do },
];

export function App() {
  useFollowedWorld();
  const { path } = useRoute();
  const [name = 'updates', ...rest] = path;
  const view = VIEWS.find((each) => each.name === name);
  const One = view?.one;
  useEffect(() => {
    document.title = `${view?.label ?? 'Canticle'} · Canticle`;
  }, [view]);
  return (
    <div class="frame">
      <a class="skip" href="#main" onClick={skip}>
        To the content
      </a>
      <nav class="side" aria-label="Views of the network">
        <a class="brand" href={href(['updates'])}>
          Canticle
        </a>
        {VIEWS.map((each) => (
          <a
            key={each.name}
            href={href([each.name])}
            aria-current={each === view ? 'page' : undefined}
          >
            {each.label}
          </a>
        ))}
        <Clock />
      </nav>
      <header class="top">
        <Search />
        <EyesSelect />
        <ThemeButton />
      </header>
      <main id="main" tabIndex={-1}>
        {useStore(tokenWanted) ? (
          <TokenForm />
        ) : view === undefined ? (
          <Empty>There is no such view.</Empty>
        ) : rest.length > 0 && One !== undefined ? (
          <One path={rest} />
        ) : (
          <view.list />
        )}
      </main>
    </div>
  );
}

function skip(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

function Clock() {
  const isConnected = useStore(connected);
  const time = useNetworkTime();
  return (
    <div class="clock" role="status">
      <span class={isConnected ? 'dot' : 'dot lost'} aria-hidden="true" />
      {isConnected ? 'live' : 'no answer'}
      {time !== undefined && <div class="mono">{clockText(time)}</div>}
    </div>
  );
}
