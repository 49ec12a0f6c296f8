// Loaded to see who loads it: see realm.ts.
