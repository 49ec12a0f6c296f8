import { createRoot } from 'react-dom/client';
import { App } from './App';

// The registry of the token is behind a proxy on the origin of the page.
createRoot(document.getElementById('root')!).render(<App registry="" />);
