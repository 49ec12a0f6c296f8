// Compiled only to find the context of the sandbox: see realm.ts.
