/**
 * Packages, and a part of Node, that not every Canticle needs, each loaded when it is first asked for: together they take as long as
 * all else of the start.
 */
import type * as Https from 'node:https';
import { createRequire } from 'node:module';
import type Express from 'express';
import type * as Ws from 'ws';

const load = createRequire(import.meta.url);

export const express = (): typeof Express => load('express') as typeof Express;
export const https = (): typeof Https => load('node:https') as typeof Https;
export const ws = (): typeof Ws => load('ws') as typeof Ws;
