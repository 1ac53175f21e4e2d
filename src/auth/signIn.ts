import * as vscode from 'vscode';
import type { BuildServiceClient } from '../api/client.ts';
import { CancelledError } from '../api/errors/cancelledError.ts';
import { isLoopback } from '../api/serviceUrl.ts';
import { inert } from '../workbench/inert.ts';
import { withProgress } from '../workbench/progress.ts';
import { SignInTimedOutError } from './authErrors.ts';
import { flowsFor, type Environment, type Flow, type Grant } from './flows/flow.ts';
import type { ClientRegistration } from './clientRegistration.ts';
import type { Service } from './service.ts';
import { newSession, type Session } from './session.ts';
import type { SessionStore } from './sessionStore.ts';

/** How long a person has for the browser. */
const defaultMinutes = 5;

export interface SignInOptions {
  readonly scopes: readonly string[];
  /** Label of the account that is to sign in again. */
  readonly account?: string;
  /** Lets the person choose the way even where one is plainly the best. */
  readonly choose?: boolean;
}

/** From "sign in" to a stored session. One sign-in per service at a time: callers that come meanwhile share it. */
export class SignIn {
  readonly #flows: readonly Flow[];
  readonly #sessions: SessionStore;
  readonly #clientFor: (service: Service) => Promise<BuildServiceClient>;
  readonly #minutes: number;
  readonly #pending = new Map<string, Promise<Session>>();

  constructor(
    flows: readonly Flow[],
    sessions: SessionStore,
    clientFor: (service: Service) => Promise<BuildServiceClient>,
    minutes = defaultMinutes,
  ) {
    this.#flows = flows;
    this.#sessions = sessions;
    this.#clientFor = clientFor;
    this.#minutes = minutes;
  }

  /**
   * Signs in at `service` and stores the session.
   *
   * @throws CancelledError when the person cancels; another BuildServiceError for every failure.
   */
  async run(service: Service, options: SignInOptions): Promise<Session> {
    const key = service.url.origin;
    const pending = this.#pending.get(key) ?? this.#start(service, options).finally(() => this.#pending.delete(key));
    this.#pending.set(key, pending);
    return pending;
  }

  async #start(service: Service, options: SignInOptions): Promise<Session> {
    await service.ready();
    const registration = await service.registration();
    const flows = flowsFor(this.#flows, environmentOf(service, registration));
    // The local service is for trying out: the best way is good enough unless the person asks.
    const flow = (service.local && !options.choose ? flows[0] : undefined) ?? (await choose(flows));
    const title = vscode.l10n.t('Signing in to {0}', new URL(service.url.href).host);
    const { grant, session, email } = await withProgress({ notification: title }, async (cancelled, report) => {
      const late = new AbortController();
      const timer = setTimeout(() => {
        late.abort();
      }, this.#minutes * 60_000);
      const signal = AbortSignal.any([cancelled, late.signal]);
      try {
        const client = await this.#clientFor(service);
        const grant = await flow.run({ service, client, registration, signal, report });
        const user = await client.withCredentials(grant.token).currentUser(signal);
        return {
          grant,
          session: newSession(service.url, user.username, grant.token, options.scopes),
          email: user.email,
        };
      } catch (error) {
        throw late.signal.aborted && error instanceof CancelledError ? new SignInTimedOutError(this.#minutes) : error;
      } finally {
        clearTimeout(timer);
      }
    });
    // Who was signed out by the service signs in again, or says that it is somebody else.
    await this.#confirm(grant, session, email, options.account ?? this.#sessions.endedAt(service.url.origin));
    await this.#sessions.store(session);
    return session;
  }

  /** Nothing is stored before the person has seen whose account it is, where that is not beyond doubt. */
  async #confirm(
    grant: Grant,
    session: Session,
    email: string | undefined,
    expected: string | undefined,
  ): Promise<void> {
    const other = expected !== undefined && expected !== session.account.label;
    if (grant.proven && !other) {
      return;
    }
    const { username, service } = session;
    const who = inert(email === undefined ? username : `${username} (${email})`);
    const { host } = new URL(service.href);
    const question = other
      ? vscode.l10n.t('You are signing in as {0} at {1}, not as {2}. Go on?', who, host, inert(expected))
      : vscode.l10n.t('Signed in as {0} at {1}?', who, host);
    const goOn = vscode.l10n.t('Yes, That Is Me');
    const chosen = await vscode.window.showWarningMessage(
      question,
      { modal: true, detail: vscode.l10n.t('If this is not your account, cancel: nothing is stored then.') },
      goOn,
    );
    if (chosen !== goOn) {
      throw new CancelledError();
    }
  }
}

/** Asks which way to go, unless there is only one. */
async function choose(flows: readonly Flow[]): Promise<Flow> {
  const [only, ...others] = flows;
  if (only !== undefined && others.length === 0) {
    return only;
  }
  const items = flows.map((flow) => ({ label: flow.label, detail: flow.detail, flow }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Sign In'),
    placeHolder: vscode.l10n.t('How do you want to sign in?'),
    ignoreFocusOut: true,
  });
  if (chosen === undefined) {
    throw new CancelledError();
  }
  return chosen.flow;
}

function environmentOf(service: Service, registration: ClientRegistration | undefined): Environment {
  const url = registration?.callbackUrl;
  return {
    host: vscode.env.uiKind === vscode.UIKind.Web ? 'web' : 'desktop',
    remote: vscode.env.remoteName !== undefined,
    registered: registration !== undefined,
    callback: url === undefined ? 'extension' : isLoopbackCallback(url) ? 'loopback' : 'other',
    ownCallback: service.registerCallback !== undefined,
  };
}

/** RFC 8252 §7.3: plain HTTP, on this machine by name. */
function isLoopbackCallback(url: string): boolean {
  return URL.canParse(url) && new URL(url).protocol === 'http:' && isLoopback(new URL(url));
}
