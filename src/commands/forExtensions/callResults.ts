import type { ServiceResponse } from '../../api/http/response.ts';
import type { Link } from '../../api/hypermedia/resource.ts';
import type { BuildState, PlatformBuild } from '../../apps/model/app.ts';
import { shareableJson, shareableText } from './shareable.ts';

/** What `appBuild.openResource` answers another extension. */
export interface OpenedResource {
  /** Absolute address of what is shown. */
  readonly url: string;
}

/** What `appBuild.getResource` answers another extension. */
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
  /** The links of the resource itself, whichever way the service writes them. */
  readonly links: readonly ResourceLink[];
}

export interface ResourceLink {
  /** Relation type, or the name of the member that stands for one. */
  readonly rel: string;
  readonly title?: string;
  /** Absolute; absent for a template. */
  readonly url?: string;
  /** RFC 6570. */
  readonly template?: string;
}

/** What `appBuild.buildApp` answers another extension. */
export interface StartedBuild {
  /** Absolute address of the app. */
  readonly app: string;
  readonly title: string;
  /** One a platform that was asked for. */
  readonly builds: readonly StartedPlatformBuild[];
}

export interface StartedPlatformBuild {
  readonly platform: string;
  /** `waiting` and `building` change without anybody asking. */
  readonly state: BuildState;
  /** Why it failed. */
  readonly error?: string;
  /** Absolute address of the log. */
  readonly log?: string;
  /** Absolute address of the file that was built. */
  readonly download?: string;
}

/** A response as plain JSON without credentials. */
export function readResource({ url, status, mediaType, body }: ServiceResponse): ReadResource {
  const base = { url: shareableText(url), status, mediaType };
  switch (body.kind) {
    case 'json':
      return { ...base, resource: shareableJson(body.text), links: body.resource.links.map(linkOf) };
    case 'text':
      return { ...base, text: shareableText(body.text), links: [] };
    case 'binary':
    case 'none':
      return { ...base, links: [] };
  }
}

/** Builds as plain JSON without credentials. */
export function startedBuild(
  { url, title }: { readonly url: string; readonly title: string },
  builds: readonly PlatformBuild[],
): StartedBuild {
  return {
    app: shareableText(url),
    title: shareableText(title),
    builds: builds.map(({ platform, state, error, logUrl, downloadUrl }) => ({
      platform,
      state,
      ...(error !== undefined && { error: shareableText(error) }),
      ...(logUrl !== undefined && { log: shareableText(logUrl) }),
      ...(downloadUrl !== undefined && { download: shareableText(downloadUrl) }),
    })),
  };
}

function linkOf({ rel, title, target }: Link): ResourceLink {
  return {
    rel,
    ...(title !== undefined && { title: shareableText(title) }),
    ...(target.kind === 'template' ? { template: shareableText(target.template) } : { url: shareableText(target.url) }),
  };
}
