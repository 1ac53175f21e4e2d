/** Performs the user's actions on the local service's pages without a browser. */
import type { Fetch } from './inProcessFetch.ts';
import type { LocalService } from './localService.ts';

type Credentials = Pick<LocalService, 'baseUrl' | 'username' | 'password'> & { readonly fetch?: Fetch | undefined };

/** Requests pages and sends forms like a browser with cookies. Follows redirects only on request. */
export class Browser {
  readonly #origin: string;
  readonly #fetch: Fetch;
  readonly cookies = new Map<string, string>();

  constructor(origin: string, send: Fetch = fetch) {
    this.#origin = origin;
    this.#fetch = send;
  }

  /** Opens a page of the service. */
  open(url: string): Promise<Response> {
    return this.#request(url, { method: 'GET' });
  }

  /** Opens a page and follows the service's redirects. */
  async follow(url: string): Promise<Response> {
    const response = await this.open(url);
    const next = response.headers.get('location');
    return next === null ? response : this.follow(next);
  }

  /** Submits the form in `page` with this `action`. Sends its hidden fields and `fields`. */
  submit(page: string, action: string, fields: Readonly<Record<string, string>> = {}): Promise<Response> {
    const body = new URLSearchParams({ ...hiddenFields(page, action), ...fields });
    return this.#request(action, { method: 'POST', body, headers: { Origin: this.#origin } });
  }

  async #request(path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('Accept', 'text/html');
    headers.set('Cookie', [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    const response = await this.#fetch(new URL(path, this.#origin), { ...init, headers, redirect: 'manual' });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      this.cookies.set(name, value);
    }
    return response;
  }
}

/** Returns the hidden fields of the form with this action. */
export function hiddenFields(page: string, action: string): Record<string, string> {
  const form = page.split('<form ').find((part) => part.includes(`action="${action}"`));
  if (form === undefined) {
    throw new Error(`The page has no form for ${action}: ${page}`);
  }
  const [inside = ''] = form.split('</form>', 1);
  const inputs = [...inside.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
  return Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, unescapeHtml(value)]));
}

/** Signs in and opens `path`. `user` defaults to the demo user. It's `octo-demo` for the user with the code-hosting login. */
export async function signIn(
  service: Credentials,
  path = '/account',
  user = service.username,
): Promise<{ browser: Browser; page: Response }> {
  const browser = new Browser(service.baseUrl, service.fetch);
  const signInPage = await (await browser.open(`/sign-in?return_to=${encodeURIComponent(path)}`)).text();
  const answer =
    user === service.username
      ? await browser.submit(signInPage, '/sign-in', { username: user, password: service.password })
      : await browser.submit(signInPage, '/sign-in/code-hosting');
  const next = answer.headers.get('location');
  if (answer.status !== 303 || next === null) {
    throw new Error(`Signing in was answered with ${answer.status}.`);
  }
  return { browser, page: await browser.follow(next) };
}

/** Registers a client application on the account page of a signed-in browser. */
export async function registerClient(
  browser: Browser,
  { name = 'Other', callbackUrl = 'https://example.com/callback' } = {},
): Promise<Pick<LocalService, 'clientId' | 'clientSecret'>> {
  const form = await (await browser.open('/account/clients/new')).text();
  const fields = { name, main_url: 'https://example.com/', callback_url: callbackUrl };
  const page = await (await browser.submit(form, '/account/clients', fields)).text();
  const [, clientId, clientSecret] = /<code>([0-9a-f]{20})<\/code>.*<code>([0-9a-f]{40})<\/code>/s.exec(page) ?? [];
  if (clientId === undefined || clientSecret === undefined) {
    throw new Error(`The page shows no registered client: ${page}`);
  }
  return { clientId, clientSecret };
}

/**
 * Opens the authorize page, signs in, and submits an answer.
 * @returns the address that the service redirects to
 */
export async function approve(
  service: Credentials,
  authorizeUrl: string,
  { deny = false, user }: { deny?: boolean; user?: string } = {},
): Promise<string> {
  const { pathname, search } = new URL(authorizeUrl);
  const { browser, page } = await signIn(service, pathname + search, user);
  return decide(browser, page, deny);
}

/**
 * Answers the authorize page that a browser shows.
 * @returns the address that the service redirects to
 */
export async function decide(browser: Browser, page: Response, deny = false): Promise<string> {
  const answer = await browser.submit(await page.text(), '/authorize/decision', { decision: deny ? 'deny' : 'allow' });
  const location = answer.headers.get('location');
  if (location === null) {
    throw new Error(`The decision was answered with ${answer.status} and no redirect.`);
  }
  return location;
}

function unescapeHtml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
