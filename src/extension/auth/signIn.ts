import * as vscode from 'vscode';
import {
  type BuildServiceClient,
  type CurrentUser,
  isDisplayable,
  label,
  mayUsePlainHttp,
} from '../../service-client/index.ts';
import { CancelledError, Failure, sentence } from '../../errors/index.ts';
import type { Input } from '../workbench/input.ts';
import { CALL_PROGRESS_DELAY_MS } from '../workbench/limits.ts';
import { withProgress } from '../workbench/progress.ts';
import type { CallbackHandler } from './callback/callbackHandler.ts';
import { SIGN_IN_TIMEOUT_MS } from './limits.ts';
import { loopbackFlow, pastedCallbackFlow, uriHandlerFlow } from './flows/browserFlows.ts';
import type { ClientRegistration, Service } from './serviceSelection.ts';
import type { Connections } from './connection.ts';
import { authTokenFlow, ownerFlow, passwordFlow } from './flows/tokenFlows.ts';
import type { FlowEnvironment, SignInFlow, SignInGrant } from './flows/flow.ts';
import { newSession, sameScopes, type Session } from './session.ts';
import type { SessionStore } from './sessionStore.ts';

/** Options of a sign-in. */
export interface SignInOptions {
  readonly scopes: readonly string[];
  /** Label of the account that must sign in again. */
  readonly account?: string;
  /** Whether the user chooses the flow even if one is clearly the best. */
  readonly choose?: boolean;
  /**
   * Whether to sign in as the owner of the service, without a browser. Ignored unless the service can provide the owner's token.
   */
  readonly asOwner?: boolean;
}

interface SignInDependencies {
  /** Available flows, best first. */
  readonly flows: readonly SignInFlow[];
  readonly sessions: SessionStore;
  /** Creates a client for a service, without credentials. */
  readonly clientFor: (service: Service) => Promise<BuildServiceClient>;
  readonly input: Input;
  readonly timeoutMs?: number;
}

/** Sign-in that is running or waiting for its turn. */
interface SignInRequest {
  readonly service: Service;
  readonly options: SignInOptions;
  readonly session: Promise<Session>;
}

/** Runs sign-ins and stores their sessions. Only one runs at a time per service. Equal requests share one sign-in. Other requests wait. */
export class SignIn {
  readonly #dependencies: SignInDependencies;
  readonly #requests = new Set<SignInRequest>();

  constructor(dependencies: SignInDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Signs in to `service` and stores the session.
   *
   * @throws {@link CancelledError} when the user cancels; another {@link BuildServiceError} for any failure.
   */
  async run(service: Service, options: SignInOptions): Promise<Session> {
    const atService = [...this.#requests].filter((request) => request.service.url.origin === service.url.origin);
    const same = atService.find((request) => isSameRequest(request, service, options));
    if (same !== undefined) {
      return same.session;
    }
    // Wait until the previous sign-in ends in any way, including cancellation.
    const turn = Promise.allSettled(atService.map(({ session }) => session));
    const session = turn.then(() => this.#start(service, options));
    const request: SignInRequest = { service, options, session };
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
    // Without questions, the sign-in usually ends before the user can read the progress message.
    const delayMs = isOwner ? CALL_PROGRESS_DELAY_MS : undefined;
    const { grant, user } = await this.#authorize(flow, service, registration, delayMs);
    const session = newSession(service.url, user.username, grant.token, options.scopes);
    // An account whose session the service has ended is expected to sign in again.
    const expected = options.account ?? sessions.getEndedAccount(service.url.origin);
    await this.#confirmAccount(grant, session, user, service, expected);
    await sessions.store(session);
    return session;
  }

  async #chooseFlow(
    service: Service,
    registration: ClientRegistration | undefined,
    { choose = false }: SignInOptions,
  ): Promise<SignInFlow> {
    const environment = getEnvironment(service, registration);
    const flows = this.#dependencies.flows.filter((flow) => flow.worksIn(environment));
    const [best] = flows;
    // For the local service, use the best flow unless the user asks to choose.
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

  /** Runs the flow and then fetches the token's user, while showing progress. */
  async #authorize(
    flow: Pick<SignInFlow, 'run'>,
    service: Service,
    registration: ClientRegistration | undefined,
    delayMs: number | undefined,
  ): Promise<{ readonly grant: SignInGrant; readonly user: CurrentUser }> {
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
            what: sentence('The sign-in wasn’t completed in the browser within {0} minutes.', minutes),
            next: sentence('Sign in again, and choose Allow on the service’s page.'),
            remedy: 'signIn',
          });
        }
      },
    );
  }

  /** Asks the user to confirm the account before anything is stored, unless the sign-in is certain to be theirs. */
  async #confirmAccount(
    { stateVerified }: SignInGrant,
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
      ? vscode.l10n.t('You’re signing in as {0} at {1}, not as {2}. Continue?', name, host, expected)
      : vscode.l10n.t('Signed in as {0} at {1}?', name, host);
    const detail = vscode.l10n.t('If this isn’t your account, cancel. Nothing will be stored.');
    await this.#dependencies.input.confirmOrCancel(question, detail, vscode.l10n.t('Yes, That’s Me'));
  }
}

interface CreateSignInDependencies extends Omit<SignInDependencies, 'flows' | 'clientFor' | 'timeoutMs'> {
  readonly extensionId: string;
  readonly callbacks: CallbackHandler;
  readonly connections: Connections;
  /** Stores which services return `state`. */
  readonly globalState: vscode.Memento;
}

/** Creates a sign-in that supports every flow. Called when the first sign-in begins, not at activation. */
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
  request: SignInRequest,
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
 * Rejects names with invisible characters, or with characters that change how text reads, because such a name can look
 * like another one. Users compare account names by eye. The message shows the name without these characters.
 */
function refuseUnreadable({ username, email }: CurrentUser): void {
  const isReadable = isDisplayable(username);
  if (isReadable && (email === undefined || isDisplayable(email))) {
    return;
  }
  throw new Failure('unreadableName', {
    what: isReadable
      ? sentence(
          'You’re not signed in because the email address “{0}” contains invisible characters.',
          label(email ?? ''),
        )
      : sentence('You’re not signed in because the user name “{0}” contains invisible characters.', label(username)),
    next: sentence(
      'Such a name can look like another user’s. Ask the service administrator to change it, then sign in again.',
    ),
    remedy: 'signIn',
  });
}

function getEnvironment(service: Service, registration: ClientRegistration | undefined): FlowEnvironment {
  const url = registration?.callbackUrl;
  return {
    host: vscode.env.uiKind === vscode.UIKind.Web ? 'web' : 'desktop',
    remote: vscode.env.remoteName !== undefined,
    registered: registration !== undefined,
    callback: url === undefined ? 'extension' : isLoopbackCallback(url) ? 'loopback' : 'other',
    ownCallback: service.registerCallback !== undefined,
  };
}

/** Reports whether a callback URL is plain HTTP on this computer, by host name (RFC 8252 §7.3). */
function isLoopbackCallback(url: string): boolean {
  return URL.canParse(url) && new URL(url).protocol === 'http:' && mayUsePlainHttp(new URL(url));
}
