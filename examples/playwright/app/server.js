import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const page = readFileSync(new URL('index.html', import.meta.url));

createServer((_request, response) => {
  response.setHeader('content-type', 'text/html; charset=utf-8').end(page);
}).listen(Number(process.env.PORT), 'localhost');
