import type { Hono } from 'hono';

import { authenticateBasic } from '../http/authentication.ts';
import { obtainAuthToken } from '../store/authTokens.ts';
import type { Store } from '../store/store.ts';

/** Adds `POST /token`, which hands out a simple authentication token for basic authentication (contract, endpoint 3). */
export function addTokenRoutes(app: Hono, store: Store): void {
  // Real clients use both paths.
  for (const path of ['/token', '/api/v1/token']) {
    app.post(path, async (c) => {
      const user = await authenticateBasic(c, store);
      const { token } = obtainAuthToken(store, user.id);
      return c.json({ token });
    });
  }
}
