import * as vscode from 'vscode';
import type { BuildServiceClient, CurrentUser } from '../api/client.ts';
import { CancelledError } from '../api/errors/cancelledError.ts';
import { Failure } from '../api/errors/buildServiceError.ts';
import { sentence } from '../api/errors/sentence.ts';
import { isDisplayable, label } from '../api/hypermedia/label.ts';
import { mayUsePlainHttp } from '../api/serviceUrl.ts';
import type { Input } from '../workbench/input.ts';
import { CALL_PROGRESS_DELAY_MS } from '../workbench/limits.ts';
import { withProgress } from '../workbench/progress.ts';
import type { CallbackHandler } from './callback/callbackHandler.ts';
import { SIGN_IN_TIMEOUT_MS } from './limits.ts';
import { loopbackFlow, pastedCallbackFlow, uriHandlerFlow } from './flows/browserFlows.ts';
import type { ClientRegistration, Service } from './serviceSelection.ts';
import type { Connections } from './connection.ts';
import { authTokenFlow, ownerFlow, passwordFlow } from './flows/tokenFlows.ts';
import type { Environment, Flow, Grant } from './flows/flow.ts';
import { newSession, sameScopes, type Session } from './session.ts';
import type { SessionStore } from './sessionStore.ts';

export interface SignInOptions {
  readonly scopes: readonly string[];
  /** Label of the account that is to sign in again. */
  readonly account?: string;
  /** Lets the person choose the flow even where one is clearly the best. */
  readonly choose?: boolean;
  /** Signs in as the owner of the service, without a browser, where this window has that service hand over a token. */
  readonly asOwner?: boolean;
}

interface SignInDependencies {
  /** Best first. */
  readonly flows: readonly Flow[];
  readonly sessions: SessionStore;
  /** Makes a client of a service, without credentials. */
  readonly clientFor: (service: Service) => Promise<BuildServiceClient>;
  readonly input: Input;
  readonly timeoutMs?: number;
}

/** A sign-in that runs, or waits for its turn. */
interface Request {
  readonly service: Service;
  readonly options: SignInOptions;
  readonly session: Promise<Session>;
}

/**
 * From "sign in" to a stored session. At each service one sign-in runs at a time: callers that ask for the same meanwhile
 * share it, others wait for their turn.
 */
export class SignIn {
  readonly #dependencies: SignInDependencies;
  readonly #requests = new Set<Request>();

  constructor(dependencies: SignInDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Signs in at `service` and stores the session.
   *
   * @throws CancelledError when the person cancels; another BuildServiceError for every failure.
   */
  async run(service: Service, options: SignInOptions): Promise<Session> {
    const atService = [...this.#requests].filter((request) => request.service.url.origin === service.url.origin);
    const same = atService.find((request) => isSameRequest(request, service, options));
    if (same !== undefined) {
      return same.session;
    }
    // However the one before ends, a cancellation included.
    const turn = Promise.allSettled(atService.map(({ session }) => session));
    const session = turn.then(() => this.#start(service, options));
    const request: Request = { service, options, session };
    this.#requests.add(request);
    try {
      return await session;
    } finally {
      this.#requests.delete(request);
    }
  }

  async #start(service: Service, options: SignInOptions): Promise<Session> {
    const { sessions } = this.#dependencies;
    await service.ready();
    const registration = await service.registration();
    const isOwner = options.asOwner === true && service.ownerAccessToken !== undefined;
    const flow = isOwner ? ownerFlow : await this.#chooseFlow(service, registration, options);
    // Without a question it is over before a person could read the progress.
    const delayMs = isOwner ? CALL_PROGRESS_DELAY_MS : undefined;
    const { grant, user } = await this.#authorize(flow, service, registration, delayMs);
    const session = newSession(service.url, user.username, grant.token, options.scopes);
    // An account that the service has signed out is expected to sign in again.
    const expected = options.account ?? sessions.endedAt(service.url.origin);
    await this.#confirmAccount(grant, session, user, service, expected);
    await sessions.store(session);
    return session;
  }

  async #chooseFlow(
    service: Service,
    registration: ClientRegistration | undefined,
    { choose = false }: SignInOptions,
  ): Promise<Flow> {
    const environment = environmentOf(service, registration);
    const flows = this.#dependencies.flows.filter((flow) => flow.worksIn(environment));
    const [best] = flows;
    // The local service is for trying out: the best flow will do unless the person asks for another.
    if (best !== undefined && (flows.length === 1 || (service.local && !choose))) {
      return best;
    }
    const items = flows.map((flow) => ({ label: flow.label, detail: flow.detail, flow }));
    const chosen = await this.#dependencies.input.pick(items, {
      title: vscode.l10n.t('Sign In'),
      placeholder: vscode.l10n.t('How do you want to sign in?'),
      ignoreFocusOut: true,
    });
    return chosen.flow;
  }

  /** Runs the flow and asks the service whose token came of it, while progress shows. */
  async #authorize(
    flow: Pick<Flow, 'run'>,
    service: Service,
    registration: ClientRegistration | undefined,
    delayMs: number | undefined,
  ): Promise<{ readonly grant: Grant; readonly user: CurrentUser }> {
    const { clientFor, input, timeoutMs = SIGN_IN_TIMEOUT_MS } = this.#dependencies;
    const title = vscode.l10n.t('Signing in to {0}', service.url.host);
    return withProgress(
      { notification: title, ...(delayMs !== undefined && { delayMs }) },
      async (cancelled, report) => {
        const timeout = AbortSignal.timeout(timeoutMs);
        const signal = AbortSignal.any([cancelled, timeout]);
        try {
          const client = await clientFor(service);
          const grant = await flow.run({ service, client, registration, input, signal, report });
          const user = await client.withCredentials(grant.token).currentUser(signal);
          refuseUnreadable(user);
          return { grant, user };
        } catch (error) {
          if (!timeout.aborted || !(error instanceof CancelledError)) {
            throw error;
          }
          const minutes = String(timeoutMs / 60_000);
          throw new Failure('signInTimedOut', {
            what: sentence('The sign-in was not finished in the browser within {0} minutes.', minutes),
            next: sentence('Sign in again, and choose Allow on the service’s page.'),
            remedy: 'signIn',
          });
        }
      },
    );
  }

  /** Nothing is stored before the person has confirmed the account, unless it is certain whose sign-in this is. */
  async #confirmAccount(
    { stateVerified }: Grant,
    { account }: Session,
    { username, email }: CurrentUser,
    service: Service,
    expected: string | undefined,
  ): Promise<void> {
    const isAnother = expected !== undefined && expected !== account.label;
    if (stateVerified && !isAnother) {
      return;
    }
    const name = email === undefined ? username : `${username} (${email})`;
    const { host } = new URL(service.url.href);
    const question = isAnother
      ? vscode.l10n.t('You are signing in as {0} at {1}, not as {2}. Go on?', name, host, expected)
      : vscode.l10n.t('Signed in as {0} at {1}?', name, host);
    const detail = vscode.l10n.t('If this is not your account, cancel: nothing is stored then.');
    await this.#dependencies.input.confirmOrCancel(question, detail, vscode.l10n.t('Yes, That Is Me'));
  }
}

interface CreateSignInDependencies extends Omit<SignInDependencies, 'flows' | 'clientFor' | 'timeoutMs'> {
  readonly extensionId: string;
  readonly callbacks: CallbackHandler;
  readonly connections: Connections;
  /** Where it is stored which services send `state` back. */
  readonly globalState: vscode.Memento;
}

/** Makes the sign-in with every flow there is. Called when the first sign-in begins, not at activation. */
export function createSignIn({
  extensionId,
  callbacks,
  connections,
  globalState,
  ...dependencies
}: CreateSignInDependencies): SignIn {
  const browser = { callbacks, globalState };
  return new SignIn({
    ...dependencies,
    flows: [
      uriHandlerFlow(extensionId, browser),
      loopbackFlow(browser),
      authTokenFlow(),
      passwordFlow(),
      pastedCallbackFlow(browser),
    ],
    clientFor: (service) => connections.anonymousClient(service),
  });
}

function isSameRequest(
  request: Request,
  service: Service,
  { scopes, account, asOwner = false }: SignInOptions,
): boolean {
  const { options } = request;
  return (
    request.service.url.href === service.url.href &&
    sameScopes(options.scopes, scopes) &&
    options.account === account &&
    (options.asOwner ?? false) === asOwner
  );
}

/**
 * Accounts are compared by eye: before they are stored, and whenever one is chosen. With characters that are not seen, or that change
 * how text reads, another name can look the same. The sentence shows the name without them.
 */
function refuseUnreadable({ username, email }: CurrentUser): void {
  const isReadable = isDisplayable(username);
  if (isReadable && (email === undefined || isDisplayable(email))) {
    return;
  }
  throw new Failure('unreadableName', {
    what: isReadable
      ? sentence(
          'You are not signed in: the email address “{0}” contains characters that cannot be seen.',
          label(email ?? ''),
        )
      : sentence(
          'You are not signed in: the user name “{0}” contains characters that cannot be seen.',
          label(username),
        ),
    next: sentence('Such a name can look like another one. Have the service change it, then sign in again.'),
    remedy: 'signIn',
  });
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
  return URL.canParse(url) && new URL(url).protocol === 'http:' && mayUsePlainHttp(new URL(url));
}
