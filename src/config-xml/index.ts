/** Reads and checks config.xml files. */
export { checkConfig } from './checkConfig.ts';
export { idFault, proposedId, toWebAddress } from './checks/appId.ts';
export { allowsCleartext } from './checks/cleartext.ts';
export { identityProblems } from './checks/identity.ts';
export { declaredPrefixes } from './checks/prefixes.ts';
export {
  configError,
  type ConfigProblem,
  configWarning,
  NOT_READABLE,
  NOT_WELL_FORMED,
  type ProblemCode,
  type ProblemFix,
  removal,
  type TextChange,
} from './configProblem.ts';
export { MAX_CONFIG_LENGTH } from './limits.ts';
export { markupAt, readStartTag, type Span, type StartTag, type XmlAttribute } from './markup.ts';
export {
  filesNamedIn,
  findAbsence,
  type MissingFile,
  type MissingFiles,
  type NamedFile,
  type SearchedFolder,
} from './namedFiles.ts';
export {
  attributeRule,
  type AttributeRule,
  type ConfigPlatform,
  elementRule,
  type ElementRule,
  elementsIn,
  LEFT_OUT_REASONS,
  PLATFORM_NAMES,
  preferenceRule,
  type PreferenceRule,
  PREFERENCES,
  typeIn,
  type ValueType,
} from './rules.ts';
export { syntaxProblems } from './syntax.ts';
export {
  DEFAULT_START_PAGE,
  findAttribute,
  getPluginName,
  getStartPage,
  isWebAddress,
  isWidget,
  toDisplayText,
  type WidgetPart,
  widgetParts,
  withoutQuery,
} from './widget.ts';
export { parseXml, type XmlDocument, type XmlElement } from './xmlDocument.ts';
