import * as vscode from 'vscode';
import { BuildServiceClient, parseServiceUrl, Redactor, Transport } from '../../../src/service-client/index.ts';
import type { CallbackHandler } from '../../../src/extension/auth/callback/callbackHandler.ts';
import type { ClientRegistration, Service } from '../../../src/extension/auth/serviceSelection.ts';
import type { FlowContext } from '../../../src/extension/auth/flows/flow.ts';
import { Input } from '../../../src/extension/workbench/input.ts';
import { next } from './extension.ts';

/** Returns a service that lets this extension choose its callback. */
export function serviceAt(url: string, registration?: ClientRegistration): Service {
  return {
    url: parseServiceUrl(url),
    local: true,
    ready: () => Promise.resolve(),
    registration: () => Promise.resolve(registration),
    registerCallback: () => Promise.resolve(),
  };
}

/** Returns a client without credentials. The caller disposes the transport. */
export function clientAt(service: Service, transport: Transport): BuildServiceClient {
  return new BuildServiceClient({ service: service.url, transport, redactor: new Redactor() });
}

/** Returns the context of a flow, and a function to end it. */
export async function contextAt(
  service: Service,
  transport: Transport,
): Promise<FlowContext & { readonly cancel: () => void }> {
  const controller = new AbortController();
  return {
    service,
    client: clientAt(service, transport),
    registration: await service.registration(),
    input: new Input(),
    signal: controller.signal,
    report: () => undefined,
    cancel: () => controller.abort(),
  };
}

/** Returns the page that the next sign-in waits for. Call it before that sign-in starts. */
export async function nextPage(callbacks: CallbackHandler): Promise<string> {
  await next(callbacks.onDidChangePending, (pending) => pending);
  return callbacks.pending.page() ?? '';
}

/** Returns the browser to this window: through its page if VS Code runs in a browser, otherwise as the system would. */
export async function bringBack(callbacks: CallbackHandler, location: string): Promise<void> {
  if (vscode.env.uiKind === vscode.UIKind.Web) {
    await vscode.env.openExternal(vscode.Uri.parse(location, true));
  } else {
    callbacks.handleUri(vscode.Uri.parse(location, true));
  }
}

/** Returns a promise's rejection reason, or undefined if the promise is fulfilled. */
export function captureFailure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** Returns the kind of an extension error. `instanceof` doesn't work, because bundles have their own classes. */
export function getKind(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'kind' in error ? error.kind : error;
}
