// The compiler, not by `import`, which reads the whole of a CommonJS file for its names first: nine megabytes take as long as their work.
import { createRequire } from 'node:module';

export const ts = createRequire(import.meta.url)('typescript');
