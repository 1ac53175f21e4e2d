import { sentence } from '../../api/errors/sentence.ts';
import { changeFix, type ConfigProblem, preferredFix, type ProblemFix } from '../configProblem.ts';
import type { ElementRule } from '../rules/rule.ts';
import type { XmlAttribute, XmlElement } from '../xmlDocument.ts';
import { shown } from './valueChecks.ts';
import { attributeOf } from './widgetParts.ts';

/**
 * An `<edit-config>` with the attributes of `<config-file>`: both change a file of a platform, and name it and the place in it by
 * other attributes. Cordova stops at one without a file.
 *
 * @param renamed makes the fix that gives the element another name
 * @returns undefined for any other element
 */
export function mixedUpPlace(
  element: XmlElement,
  rule: ElementRule,
  renamed: (element: XmlElement, name: string) => ProblemFix,
): ConfigProblem | undefined {
  const parent = attributeOf(element, 'parent');
  if (rule.name !== 'edit-config' || parent === undefined || attributeOf(element, 'file') !== undefined) {
    return undefined;
  }
  const target = attributeOf(element, 'target');
  const rename = ({ nameSpan }: XmlAttribute, newText: string) => ({ span: nameSpan, newText });
  const changes = [...(target === undefined ? [] : [rename(target, 'file')]), rename(parent, 'target')];
  return {
    code: 'unknownAttribute',
    severity: 'warning',
    span: parent.nameSpan,
    message: sentence(
      '<edit-config> has no attribute “parent”: it names the file in “file”, and the place in it in “target”.',
    ),
    next: sentence('It changes attributes that are there; <config-file> adds elements.'),
    fixes: [
      preferredFix(sentence('Change to “{0}”', changes.map(({ newText }) => newText).join(', ')), ...changes),
      { ...renamed(element, 'config-file'), isPreferred: false },
    ],
    source: rule.source,
  };
}

/** A bare text for a property list, of which Cordova takes elements only. */
export function textInPropertyList(text: string, element: XmlElement, rule: ElementRule): ConfigProblem | undefined {
  const file = attributeOf(element, rule.name === 'edit-config' ? 'file' : 'target')?.value ?? '';
  const { textSpan, children } = element;
  const isFileChange = rule.name === 'edit-config' || rule.name === 'config-file';
  if (!isFileChange || !/\.plist$/i.test(file.trim()) || textSpan === undefined || children.length > 0) {
    return undefined;
  }
  const written = text.slice(textSpan.start, textSpan.end);
  const word = written.toLowerCase();
  const value = word === 'true' || word === 'false' ? `<${word}/>` : `<string>${written}</string>`;
  // A CDATA section, or a comment, stands in the text.
  const isPlain = !text.slice(element.startTag.end, element.endTag?.start).includes('<');
  return {
    code: 'badValue',
    severity: 'warning',
    span: textSpan,
    message: sentence('A text has no effect here: a value of {0} is an element, such as <string>.', file),
    fixes: isPlain ? [changeFix(textSpan, value, sentence('Write it as {0}', shown(value)))] : [],
    source: rule.source,
  };
}
