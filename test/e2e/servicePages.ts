/** Operates the service's pages like a user. */
import type { Page } from 'playwright-core';

/**
 * Signs in as the demo user with a code-hosting login, who has no password, in a browser that the service has signed in as its owner. Then
 * returns to the page that was open.
 */
export async function signInWithCodeHosting(page: Page): Promise<void> {
  const shown = page.url();
  await page.goto(new URL('/account', shown).href);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: /code hosting/ }).click();
  await page.getByRole('heading', { level: 1 }).getByText('Sign in', { exact: true }).waitFor({ state: 'detached' });
  await page.goto(shown);
}

/** Answers the consent page and waits until the browser returns to VS Code's own page. */
export async function decide(page: Page, decision: 'Allow' | 'Deny'): Promise<void> {
  await page.getByRole('button', { name: decision, exact: true }).click();
  await page.getByText('You can close this page now').waitFor();
}

/** Revokes the only application that acts for the user. */
export async function revokeApplication(page: Page, service: string): Promise<void> {
  await page.goto(new URL('/account', service).href);
  await page.getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('No authorized applications.').waitFor();
}
