import { defineConfig } from '@playwright/test';

const port = process.env.PORT ?? '4173';
/** The path of an installed browser, instead of the one that Playwright downloads. */
const executablePath = process.env.CANTICLE_BROWSER;

export default defineConfig({
  testDir: 'e2e',
  webServer: {
    command: `vite build && vite preview --port ${port} --strictPort`,
    port: Number(port),
  },
  use: {
    baseURL: `http://localhost:${port}`,
    ...(executablePath && { launchOptions: { executablePath, args: ['--no-sandbox'] } }),
  },
});
