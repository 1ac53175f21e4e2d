import type { Context } from 'hono';

/** The redirect to a binary, with the target in the body too: some clients read only that. */
export function redirectToDownload(c: Context, path: string): Response {
  const location = absoluteUrl(c, path);
  return Response.json({ location }, { status: 302, headers: { Location: location } });
}

/** A path of this service as an address, by the origin that the client asked. */
export function absoluteUrl(c: Context, path: string): string {
  return new URL(path, c.req.url).href;
}
