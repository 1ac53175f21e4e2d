import type { ConventionReader } from './convention.ts';
import { addForm } from './forms.ts';
import { isObject, member, text } from './json.ts';
import type { JsonObject } from './json.ts';
import type { Node } from './node.ts';
import { pointerTo } from './pointer.ts';

/** Control information that is a link (OData JSON Format 4.01 §4.6), and the relation it stands for. */
const LINKS = new Map([
  ['readLink', 'self'],
  ['id', 'self'],
  ['editLink', 'edit'],
  ['nextLink', 'next'],
  ['deltaLink', 'delta'],
  ['mediaReadLink', 'media'],
  ['mediaEditLink', 'edit-media'],
  ['navigationLink', 'related'],
  ['associationLink', 'related'],
]);

/** Also in JSON-LD, so that without `odata.` they need a document that declares OData. */
const AMBIGUOUS = ['id', 'context', 'type'];

/** OData 4.0 and 4.01 control information. Documents are recognised by the names, or by the header `OData-Version`. */
export const odata: ConventionReader = {
  convention: 'odata',
  mediaTypes: [],
  markers: ['@'],
  read(node, object) {
    readContext(node);
    for (const key of Object.keys(object)) {
      const [property, name] = controlInformation(node, key);
      const rel = LINKS.get(name);
      if (rel === undefined || node.claimed.includes(key)) {
        continue;
      }
      const pointer = pointerTo(node.pointer, key);
      node.claim(key);
      if (property === '') {
        node.link('odata', rel, object[key], pointer);
      } else {
        node.link('odata', property, object[key], pointer, name === 'navigationLink' ? {} : { name });
      }
    }
    for (const key of Object.keys(object)) {
      const action = object[key];
      if (key.startsWith('#') && isObject(action) && text(action, 'target') !== undefined) {
        readAction(node, key, action);
      }
    }
  },
};

/** Relative references resolve against the context URL, in the object and everything inside (§4.5). */
function readContext(node: Node): void {
  for (const key of node.format === 'odata' ? ['@odata.context', '@context'] : ['@odata.context']) {
    const context = node.unclaimed(key);
    if (typeof context !== 'string') {
      continue;
    }
    node.claim(key);
    const target = node.target(context, pointerTo(node.pointer, key));
    if (target !== undefined && target.kind !== 'template') {
      node.link('odata', 'context', context, pointerTo(node.pointer, key));
      node.base = target.url;
    }
  }
}

/** Splits `Orders@odata.navigationLink` into property and name; the name is empty when it is something else. */
function controlInformation(node: Node, key: string): readonly [property: string, name: string] {
  const at = key.indexOf('@');
  if (at < 0) {
    return ['', ''];
  }
  const rest = key.slice(at + 1);
  if (rest.startsWith('odata.')) {
    return [key.slice(0, at), rest.slice('odata.'.length)];
  }
  return [key.slice(0, at), node.format !== 'odata' && AMBIGUOUS.includes(rest) ? '' : rest];
}

/** An action is called by POST (OData Protocol 4.01 §11.5.5). */
function readAction(node: Node, key: string, action: JsonObject): void {
  node.claim(key);
  addForm(node, 'odata', pointerTo(node.pointer, key), {
    name: key.slice(key.lastIndexOf('.') + 1).replace(/^#/, ''),
    title: member(action, 'title'),
    method: 'POST',
    href: member(action, 'target'),
    contentType: 'application/json',
    fields: [],
  });
}
