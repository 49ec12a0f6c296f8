/** Where the page starts. */
import './styles/base.css';
import './styles/parts.css';
import './styles/views.css';
import './styles/narrow.css';
import { render } from 'preact';
import { App } from './app.js';
import { applyTheme } from './frame/theme.js';
import { followNetwork } from './state/live.js';

applyTheme();
render(<App />, document.getElementById('app')!);
void followNetwork();
