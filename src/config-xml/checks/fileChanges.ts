import { sentence } from '../../errors/index.ts';
import { changeFix, type ConfigProblem, configWarning, preferredFix, renamed } from '../configProblem.ts';
import type { ElementRule } from '../rules.ts';
import type { XmlAttribute, XmlElement } from '../xmlDocument.ts';
import { findAttribute, toDisplayText } from '../widget.ts';

/**
 * Returns the problem for an `<edit-config>` with the attributes of `<config-file>`. Both elements change one of a
 * platform's files, but they have different attributes for the file and for the position in it. Cordova fails if an
 * `<edit-config>` doesn't specify a file.
 *
 * @returns undefined for any other element
 */
export function findMixedUpTarget(element: XmlElement, rule: ElementRule): ConfigProblem | undefined {
  const [parent, target, file] = ['parent', 'target', 'file'].map((name) => findAttribute(element, name));
  if (rule.name !== 'edit-config' || parent === undefined || (file !== undefined && target !== undefined)) {
    return undefined;
  }
  const rename = ({ nameSpan }: XmlAttribute, newText: string) => ({ span: nameSpan, newText });
  const fix =
    target === undefined
      ? preferredFix(sentence('Rename parent to target'), rename(parent, 'target'))
      : preferredFix(
          sentence('Rename target to file, and parent to target'),
          rename(target, 'file'),
          rename(parent, 'target'),
        );
  const message = sentence(
    '<edit-config> has no attribute “parent”. Use “file” for the file, and “target” for the place in it.',
  );
  return configWarning('unknownAttribute', parent.nameSpan, message, {
    next: sentence('It changes existing attributes. To add elements, use <config-file>.'),
    fixes: [fix, ...(file === undefined ? [{ ...renamed(element, 'config-file'), isPreferred: false }] : [])],
    source: rule.source,
  });
}

/** Reports whether an `<edit-config>` changes a property list. Cordova ignores the mode in that case. */
export function ignoresMode(element: XmlElement, { name }: ElementRule): boolean {
  return name === 'edit-config' && isPropertyList(findAttribute(element, 'file'));
}

function isPropertyList(file: XmlAttribute | undefined): boolean {
  return /\.plist\s*$/i.test(file?.value ?? '');
}

/** Elements of a property list that contain only elements. */
const CONTAINERS: ReadonlySet<string> = new Set(['array', 'dict']);

/** Returns the problem for plain text that's meant for a property list, where Cordova accepts only elements. */
export function textInPropertyList(text: string, element: XmlElement, rule: ElementRule): ConfigProblem | undefined {
  const file = findAttribute(element, rule.name === 'edit-config' ? 'file' : 'target');
  const isFileChange = rule.name === 'edit-config' || rule.name === 'config-file';
  const found = isFileChange && isPropertyList(file) ? bareText(element) : undefined;
  if (file === undefined || found?.textSpan === undefined) {
    return undefined;
  }
  const { textSpan, startTag, endTag, name } = found;
  const written = text.slice(textSpan.start, textSpan.end);
  const word = written.toLowerCase();
  const value = word === 'true' || word === 'false' ? `<${word}/>` : `<string>${written}</string>`;
  // Don't replace elements, a CDATA section, or a comment. A dictionary also needs a key.
  const isPlain = name !== 'dict' && !text.slice(startTag.end, endTag?.start).includes('<');
  const message = sentence('Text has no effect here. A value of {0} is an element, such as <string>.', file.value);
  return configWarning('badValue', textSpan, message, {
    fixes: isPlain ? [changeFix(textSpan, value, sentence('Write it as {0}', toDisplayText(value)))] : [],
    source: rule.source,
  });
}

/** Returns the first element with text: the element itself, or a list or dictionary in it. */
function bareText(element: XmlElement): XmlElement | undefined {
  return element.textSpan === undefined
    ? element.children
        .filter(({ name }) => CONTAINERS.has(name))
        .map(bareText)
        .find((found) => found !== undefined)
    : element;
}
