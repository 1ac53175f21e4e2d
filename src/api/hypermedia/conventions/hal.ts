import { sentence } from '../../errors/sentence.ts';
import { addForm, formFields } from '../forms.ts';
import { hasMembers, isObject, member, text, type Entry, type JsonObject } from '../json.ts';
import type { ResourceBuilder, ConventionReader } from '../resourceBuilder.ts';
import { readLinkObject } from './linkObject.ts';

/**
 * HAL (draft-kelly-json-hal-11) with HAL-FORMS. CURIEs are links of the relation `curies`, whose template leads to the
 * documentation of a relation; relations keep their short names.
 */
export const hal: ConventionReader = {
  convention: 'hal',
  mediaTypes: ['application/hal+json', 'application/vnd.hal+json', 'application/prs.hal-forms+json'],
  read(builder) {
    const base = linksBase(builder.unclaimed('_links'));
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
      readTemplate(builder, template);
    }
  },
};

/** The members of an object that has a meaning in HAL, which is claimed. */
function claimMembers(builder: ResourceBuilder, name: string): readonly Entry[] {
  const object = builder.unclaimed(name);
  if (object === undefined) {
    return [];
  }
  builder.claimed.add(name);
  const pointer = `${builder.pointer}/${name}`;
  if (!isObject(object) && object !== null) {
    builder.skip(pointer, sentence('{0} is not an object.', name));
  }
  return builder.entries(object, pointer);
}

/**
 * Confluence's `_links.base`: a string, which no link of HAL is, that stands in front of the paths of the other links. It
 * comes with a `context`, the path within the base.
 */
function linksBase(links: unknown): string | undefined {
  const base = isObject(links) ? text(links, 'base') : undefined;
  return base !== undefined && /^https?:\/\//i.test(base) && URL.canParse(base) ? base : undefined;
}

/** A path with the base in front; other references, and paths that begin with the path of the base, as they are. */
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

/** HAL-FORMS: without `target` the form goes to the resource itself, without `method` it is a GET. */
function readTemplate(builder: ResourceBuilder, { name, value, pointer }: Entry): void {
  if (!isObject(value)) {
    builder.skip(pointer, sentence('Not a form: the template is not an object.'));
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

/** HAL-FORMS `options.link` (§4.3.1): where the choices of a field are listed. */
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
