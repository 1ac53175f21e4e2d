import { isWidget } from './checkConfig.ts';
import { attributeOf } from './checks/widgetParts.ts';
import { startPageOf } from './checks/files.ts';
import { parseXml, type XmlDocument } from './xmlDocument.ts';

/** What a config.xml says of its app, as far as it can be read. */
export interface Config extends XmlDocument {
  /** False for the config.xml of another tool. */
  readonly isWidget: boolean;
  /** As written; undefined when there is none, or it is empty. */
  readonly id: string | undefined;
  /** As written; undefined when there is none, or it is empty. */
  readonly version: string | undefined;
  /** In one line; undefined when there is none, or it is empty. */
  readonly name: string | undefined;
  /** The page that the app begins with, below the folder of its pages; `index.html` where nothing is named. */
  readonly startPage: string;
}

/** Longer names and IDs are cut: they are shown, and sent. */
const MAX_FACT_LENGTH = 200;

/**
 * Reads a config.xml, which may be malformed or anybody's. Never throws.
 *
 * @param text of which the first {@link MAX_CONFIG_LENGTH} characters are read
 */
export function parseConfig(text: string): Config {
  const document = parseXml(text);
  const { root } = document;
  const attribute = (name: string) => fact(root?.name === 'widget' ? attributeOf(root, name)?.value : undefined);
  const name = root?.children.find((element) => element.name === 'name');
  return {
    ...document,
    isWidget: isWidget(document),
    id: attribute('id'),
    version: attribute('version'),
    name: fact(name?.text),
    startPage: startPageOf(document),
  };
}

function fact(written: string | undefined): string | undefined {
  const text = (written ?? '').replace(/\s+/g, ' ').trim().slice(0, MAX_FACT_LENGTH).trim();
  return text === '' ? undefined : text;
}
