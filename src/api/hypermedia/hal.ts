import type { ConventionReader } from './convention.ts';
import { addForm, formFields } from './forms.ts';
import { isObject, member, text } from './json.ts';
import type { JsonObject } from './json.ts';
import { readLinkObject } from './linkObject.ts';
import type { Node } from './node.ts';
import { pointerTo } from './pointer.ts';

/**
 * HAL (draft-kelly-json-hal-11) with HAL-FORMS. CURIEs are links of the relation `curies`, whose template leads to the
 * documentation of a relation; relations keep their short names.
 */
export const hal: ConventionReader = {
  convention: 'hal',
  mediaTypes: ['application/hal+json', 'application/vnd.hal+json', 'application/prs.hal-forms+json'],
  markers: ['_links', '_embedded', '_templates'],
  read(node) {
    eachMember(node, '_links', (rel, value, pointer) => readLinkObject(node, 'hal', rel, value, pointer));
    eachMember(node, '_embedded', (rel, value, pointer) => {
      node.embed(rel, value, pointer);
    });
    eachMember(node, '_templates', (name, value, pointer) => {
      readTemplate(node, name, value, pointer);
    });
  },
};

function eachMember(node: Node, name: string, read: (name: string, value: unknown, pointer: string) => void): void {
  const object = node.unclaimed(name);
  if (object === undefined) {
    return;
  }
  node.claim(name);
  const pointer = pointerTo(node.pointer, name);
  if (!isObject(object)) {
    node.skip(pointer, `${name} is not an object.`);
    return;
  }
  for (const key of Object.keys(object)) {
    read(key, object[key], pointerTo(pointer, key));
  }
}

/** HAL-FORMS: without `target` the form goes to the resource itself, without `method` it is a GET. */
function readTemplate(node: Node, name: string, value: unknown, pointer: string): void {
  if (!isObject(value)) {
    node.skip(pointer, 'Not a form: the template is not an object.');
    return;
  }
  const target = member(value, 'target');
  addForm(node, 'hal', pointer, {
    name,
    title: member(value, 'title'),
    method: member(value, 'method'),
    target: target === undefined ? node.self?.target : undefined,
    href: target ?? '',
    contentType: text(value, 'contentType') ?? 'application/json',
    fields: formFields(node, member(value, 'properties'), pointerTo(pointer, 'properties'), (property: JsonObject) =>
      member(property, 'prompt'),
    ),
  });
}
