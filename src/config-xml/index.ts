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
export { CHANGE_PAUSE_MS, MAX_CONFIG_LENGTH } from './limits.ts';
export { markupAt, readStartTag, type Span, type StartTag, type XmlAttribute } from './markup.ts';
export {
  type MissingFile,
  findAbsence,
  type MissingFiles,
  filesNamedIn,
  type NamedFile,
  type SearchedFolder,
} from './namedFiles.ts';
export {
  attributeRule,
  type AttributeRule,
  elementRule,
  type ElementRule,
  elementsIn,
  LEFT_OUT_REASONS,
  type ConfigPlatform,
  PLATFORM_NAMES,
  preferenceRule,
  type PreferenceRule,
  PREFERENCES,
  typeIn,
  type ValueType,
} from './rules.ts';
export { syntaxProblems } from './syntax.ts';
export {
  findAttribute,
  DEFAULT_START_PAGE,
  isWebAddress,
  isWidget,
  getPluginName,
  toDisplayText,
  getStartPage,
  type WidgetPart,
  widgetParts,
  withoutQuery,
} from './widget.ts';
export { parseXml, type XmlDocument, type XmlElement } from './xmlDocument.ts';
