import type { LinkTarget, Resource } from '../../api/hypermedia/resource.ts';

/** Where conventions keep the address when the reader names the object around it. */
const addresses = ['href', '@id', 'url', 'template', 'hydra:template'];

/** A map that may be asked as a set of its keys. */
export type Targets = ReadonlyMap<string, LinkTarget>;

/** Every link of a document, by the JSON Pointer of the string that holds it. Links in headers have no place in it. */
export function linkTargets(root: Resource): Targets {
  const targets = new Map<string, LinkTarget>();
  const pending: Resource[] = [root];
  for (let resource = pending.pop(); resource !== undefined; resource = pending.pop()) {
    for (const { pointer, target, convention } of resource.self === undefined
      ? resource.links
      : [resource.self, ...resource.links]) {
      if (convention === 'link-header' || pointer === '') {
        continue;
      }
      for (const place of [pointer, ...addresses.map((name) => `${pointer}/${name}`)]) {
        if (!targets.has(place)) {
          targets.set(place, target);
        }
      }
    }
    for (const embedded of resource.embedded) {
      pending.push(embedded.resource);
    }
  }
  return targets;
}
