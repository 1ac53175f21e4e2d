import * as vscode from 'vscode';
import { InvalidInputError } from '../../api/errors/invalidInputError.ts';
import { sentence } from '../../api/errors/sentence.ts';
import type { ServiceResponse } from '../../api/http/response.ts';
import type { Link, Resource } from '../../api/hypermedia/resource.ts';
import type { AppCalls } from '../../apps/calls/appCalls.ts';
import { KeyCalls } from '../../apps/calls/keyCalls.ts';
import type { App, BuildState } from '../../apps/model/app.ts';
import { isOwn, usedKeys } from '../../apps/model/signingKey.ts';
import { requireOperation } from '../../apps/model/operation.ts';
import { startBuild } from '../../builds/startBuild.ts';
import { watchedBuilds } from '../../builds/watching/buildProgress.ts';
import { describe } from '../../workbench/notifications.ts';
import { listText } from '../../workbench/values.ts';
import { AnswerForExtension, type CommandId } from '../commandRegistry.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { appNamed } from '../wizard/appSubject.ts';
import { optional } from '../buildApp.ts';
import { urlAtService } from '../wizard/requestSubject.ts';
import { readBuildArgument, readResourceArgument, type BuildArgument } from './callArguments.ts';

/**
 * The answers of commands to other extensions. Each takes one object (`callArguments.ts`), asks nothing, and shows no failure: it rejects
 * with an error whose message is a sentence for a person. Results are plain JSON without the secrets in use. Extensions cannot
 * be distinguished: each reads and builds in the person's name.
 */

/** Opens a resource for another extension. */
export function openForExtension(dependencies: CommandDependencies, argument: object): AnswerForExtension {
  return answer('appBuild.openResource', dependencies, async (id): Promise<OpenedResource | undefined> => {
    const { connections, documents } = dependencies;
    const { url: link } = readResourceArgument(id, argument);
    const { client } = await connections.requireSignedIn();
    const url = urlAtService(client, link);
    return (await documents.open(url)) === 'shown' ? { url } : undefined;
  });
}

/** Reads a resource for another extension. */
export function readForExtension(dependencies: CommandDependencies, argument: object): AnswerForExtension {
  return answer('appBuild.getResource', dependencies, async (id): Promise<ReadResource> => {
    const { url } = readResourceArgument(id, argument);
    const { client } = await dependencies.connections.requireSignedIn();
    return readResource(await client.get(urlAtService(client, url)));
  });
}

/** Builds an app for another extension. */
export function buildForExtension(dependencies: CommandDependencies, argument: object): AnswerForExtension {
  return answer('appBuild.buildApp', dependencies, (id) => build(dependencies, readBuildArgument(id, argument)));
}

/** A failure has a sentence as its message: in another extension host nothing else of it arrives. */
function answer(
  id: CommandId,
  { log, redactor }: CommandDependencies,
  call: (id: CommandId) => Promise<unknown>,
): AnswerForExtension {
  return new AnswerForExtension(() =>
    Promise.resolve(id)
      .then(call)
      .catch((error: unknown) => {
        log.error(id, error);
        // Without its cause, which may say more than the sentence.
        throw new Error(redactor.redact(describe(error)));
      }),
  );
}

/** The answer of `appBuild.openResource`. */
export interface OpenedResource {
  /** Absolute address of what is shown. */
  readonly url: string;
}

/** The answer of `appBuild.getResource`. */
export interface ReadResource {
  /** Absolute address that answered, after redirects. */
  readonly url: string;
  readonly status: number;
  /** Without parameters, lower case; empty when the service names none. */
  readonly mediaType: string;
  /** The JSON that was answered; absent when it was something else. */
  readonly resource?: unknown;
  /** Other text that was answered. Files have neither: `appBuild.download` saves them. */
  readonly text?: string;
  /** The links in it, whichever way the service writes them: those of the resource itself first, and no more than 1,000. */
  readonly links: readonly ResourceLink[];
}

export interface ResourceLink {
  /** Relation type, or the name of the member that stands for one. */
  readonly rel: string;
  /** JSON Pointer of its place in `resource`; empty for one of a header. */
  readonly pointer: string;
  readonly title?: string;
  /** Absolute; absent for a template. */
  readonly url?: string;
  /** RFC 6570. */
  readonly template?: string;
}

/** The answer of `appBuild.buildApp`. */
export interface StartedBuild {
  readonly app: string;
  readonly title: string;
  /** One a platform that was asked for. */
  readonly builds: readonly StartedPlatformBuild[];
}

export interface StartedPlatformBuild {
  readonly platform: string;
  /** `waiting` and `building` change by themselves. */
  readonly state: BuildState;
  readonly error?: string;
  readonly log?: string;
  readonly download?: string;
}

const MAX_LINKS = 1_000;

/** Resources inside a document that are looked through for links. */
const MAX_EMBEDDED = 10_000;

/** A response as plain JSON. The client has hidden the secrets in use. */
function readResource({ url, status, mediaType, body }: ServiceResponse): ReadResource {
  const base = { url, status, mediaType };
  switch (body.kind) {
    case 'json':
      return { ...base, resource: JSON.parse(body.text) as unknown, links: linksIn(body.resource).map(linkOf) };
    case 'text':
      return { ...base, text: body.text, links: [] };
    case 'binary':
    case 'none':
      return { ...base, links: [] };
  }
}

/** Level by level. A resource in another one is linked to by the name that it has there. */
function linksIn(root: Resource): readonly Link[] {
  const named = [{ rel: 'self', resource: root }];
  const links: Link[] = [];
  for (const { rel, resource } of named) {
    links.push(
      ...(resource.self === undefined ? [] : [{ ...resource.self, rel }]),
      ...resource.links.slice(0, MAX_LINKS),
    );
    if (links.length >= MAX_LINKS) {
      break;
    }
    named.push(...resource.embedded.slice(0, Math.max(0, MAX_EMBEDDED - named.length)));
  }
  return links.slice(0, MAX_LINKS);
}

function linkOf({ rel, pointer, title, target }: Link): ResourceLink {
  return {
    rel,
    pointer,
    ...(title !== undefined && { title }),
    ...(target.kind === 'template' ? { template: target.template } : { url: target.url }),
  };
}

/**
 * Builds an app with its current keys, and watches the build. It asks no questions, so missing information is an error. The user
 * sees the build in the status bar and in the app's row, and is notified when it ends.
 *
 * @throws BuildServiceError
 */
async function build(
  { connections, apps, notifications }: CommandDependencies,
  { app: name, platforms: wanted }: BuildArgument,
): Promise<StartedBuild> {
  const connection = await connections.requireSignedIn();
  const calls = apps.callsOf(connection);
  const app = await appNamed(name, { calls, client: connection.client });
  requireOperation(app, 'build');
  await refuseLockedKeys(calls, app, wanted);
  const { app: answer, platforms } = await startBuild(apps, calls, app, wanted);
  notifications.done(vscode.l10n.t('“{0}” is being built for {1}.', app.title, listText(platforms)));
  return {
    app: app.url,
    title: app.title,
    builds: watchedBuilds(platforms, answer.builds).map(({ platform, state, error, logUrl, downloadUrl }) => ({
      platform,
      state,
      ...(error !== undefined && { error }),
      ...(logUrl !== undefined && { log: logUrl }),
      ...(downloadUrl !== undefined && { download: downloadUrl }),
    })),
  };
}

/** The service could not sign with a locked key, and its password is the person's to give. */
async function refuseLockedKeys(calls: AppCalls, app: App, platforms: readonly string[] | undefined): Promise<void> {
  const keys = isOwn(app) ? await optional(new KeyCalls(calls).list()) : undefined;
  for (const [platform, { title, locked }] of usedKeys(app, keys ?? [])) {
    if (locked === true && (platforms === undefined || platforms.includes(platform))) {
      throw new InvalidInputError(
        sentence('The signing key “{0}” for {1} is locked.', title, platform),
        sentence('Unlock it in the Resources view, then build again.'),
      );
    }
  }
}
