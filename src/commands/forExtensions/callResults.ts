import type { ServiceResponse } from '../../api/http/response.ts';
import type { Link, Resource } from '../../api/hypermedia/resource.ts';
import type { BuildState, PlatformBuild } from '../../apps/model/app.ts';

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

const MAX_LINKS = 1_000;

/** Resources inside a document that are looked through for links. */
const MAX_EMBEDDED = 10_000;

/** A response as plain JSON. The client has hidden the secrets in use. */
export function readResource({ url, status, mediaType, body }: ServiceResponse): ReadResource {
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

/** Builds as plain JSON. */
export function startedBuild(
  { url, title }: { readonly url: string; readonly title: string },
  builds: readonly PlatformBuild[],
): StartedBuild {
  return {
    app: url,
    title,
    builds: builds.map(({ platform, state, error, logUrl, downloadUrl }) => ({
      platform,
      state,
      ...(error !== undefined && { error }),
      ...(logUrl !== undefined && { log: logUrl }),
      ...(downloadUrl !== undefined && { download: downloadUrl }),
    })),
  };
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
