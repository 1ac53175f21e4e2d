import { sentence } from '../../../errors/index.ts';
import { addForm, formFields } from '../forms.ts';
import { hasMembers, isObject, member, text, type JsonEntry, type JsonObject } from '../json.ts';
import type { ResourceBuilder, ConventionReader } from '../resourceBuilder.ts';
import { readLinkObject } from './linkObject.ts';

/**
 * Reads HAL (draft-kelly-json-hal-11) with HAL-FORMS. CURIEs become links with the relation `curies`, whose template is
 * the address of a relation's documentation. Relations keep their short names.
 */
export const hal: ConventionReader = {
  convention: 'hal',
  mediaTypes: ['application/hal+json', 'application/vnd.hal+json', 'application/prs.hal-forms+json'],
  read(builder) {
    const base = linksBase(builder.getUnclaimed('_links'));
    builder.linksBase = base ?? builder.linksBase;
    for (const { name, value, pointer } of claimMembers(builder, '_links')) {
      if (base === undefined || (name !== 'base' && name !== 'context')) {
        readLinkObject(builder, name, withBase(builder, value), pointer);
      }
    }
    for (const { name, value, pointer } of claimMembers(builder, '_embedded')) {
      builder.embed(name, value, pointer);
    }
    for (const template of claimMembers(builder, '_templates')) {
      readHalTemplate(builder, template);
    }
  },
};

/** Claims a member that has a meaning in HAL, and returns its members. */
function claimMembers(builder: ResourceBuilder, name: string): readonly JsonEntry[] {
  const object = builder.getUnclaimed(name);
  if (object === undefined) {
    return [];
  }
  builder.claimed.add(name);
  const pointer = `${builder.pointer}/${name}`;
  if (!isObject(object) && object !== null) {
    builder.skip(pointer, sentence('{0} isn’t an object.', name));
  }
  return builder.entries(object, pointer);
}

/**
 * Returns Confluence's `_links.base`, a string that prefixes the paths of the other links. In HAL itself, links can't
 * be strings. Confluence also sends a `context`, the path within the base.
 */
function linksBase(links: unknown): string | undefined {
  const base = isObject(links) ? text(links, 'base') : undefined;
  return base !== undefined && /^https?:\/\//i.test(base) && URL.canParse(base) ? base : undefined;
}

/**
 * Returns a path with the base prepended. Other references, and paths that already begin with the base's path, are
 * unchanged.
 */
function withBase(builder: ResourceBuilder, href: unknown): unknown {
  const base = builder.linksBase;
  if (base === undefined || typeof href !== 'string' || !/^\/(?!\/)/.test(href)) {
    return href;
  }
  const { origin, pathname } = new URL(base);
  const path = pathname.replace(/\/$/, '');
  const address = href.startsWith(`${path}/`) ? `${origin}${href}` : `${origin}${path}${href}`;
  return builder.withMask(address, base, href);
}

/**
 * Reads a HAL-FORMS template. Without `target`, the form submits to the resource itself. Without `method`, it uses GET.
 */
function readHalTemplate(builder: ResourceBuilder, { name, value, pointer }: JsonEntry): void {
  if (!isObject(value)) {
    builder.skip(pointer, sentence('Not a form: the template isn’t an object.'));
    return;
  }
  readOptionLinks(builder, value, pointer);
  addForm(builder, pointer, {
    name,
    title: member(value, 'title'),
    method: member(value, 'method'),
    href: member(value, 'target') ?? '',
    contentType: text(value, 'contentType') ?? 'application/json',
    fields: formFields(builder, value, 'properties', pointer, 'prompt'),
  });
}

/** Reads HAL-FORMS `options.link` (§4.3.1), the list of choices for a field. */
function readOptionLinks(builder: ResourceBuilder, template: JsonObject, pointer: string): void {
  const properties = member(template, 'properties');
  for (const [index, property] of Array.isArray(properties) ? (properties as readonly unknown[]).entries() : []) {
    const options = isObject(property) ? member(property, 'options') : undefined;
    const link = isObject(options) ? member(options, 'link') : undefined;
    if (isObject(property) && hasMembers(link)) {
      const named = isObject(link) ? { ...link, name: text(property, 'name') } : link;
      readLinkObject(builder, 'options', named, `${pointer}/properties/${index}/options/link`);
    }
  }
}
