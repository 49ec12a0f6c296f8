/**
 * Packages and Node modules that not every Canticle needs. Each is loaded on first use, because together they take as
 * long as the rest of the start.
 */
import type * as Https from 'node:https';
import type * as Tls from 'node:tls';
import type Express from 'express';
import type * as Ws from 'ws';
import { packageOf } from '../spec/loading/node-realm.js';

export const express = (): typeof Express => packageOf('express');
export const https = (): typeof Https => packageOf('node:https');
export const tls = (): typeof Tls => packageOf('node:tls');
export const ws = (): typeof Ws => packageOf('ws');
