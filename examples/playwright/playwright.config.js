import { defineConfig } from '@playwright/test';

const port = process.env.PORT ?? '5180';
/** The path of an installed browser, instead of the one that Playwright downloads. */
const executablePath = process.env.CANTICLE_BROWSER;

export default defineConfig({
  webServer: { command: 'node app/server.js', env: { PORT: port }, port: Number(port) },
  use: {
    baseURL: `http://localhost:${port}`,
    ...(executablePath && { launchOptions: { executablePath, args: ['--no-sandbox'] } }),
  },
});
