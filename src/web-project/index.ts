/** Finds the web project in a folder, checks it, and packs it. */
export type { AppFact } from './appFacts.ts';
export { type BuildStep, findBuildStep, newerSource } from './buildStep.ts';
export { findBuildProblem, getFindingCodes, isOutsideFolder } from './check/buildFailure.ts';
export {
  type BuilderSupport,
  BUILTIN_BUILDER,
  getBuilder,
  isAvailable,
  type SupportedPlugin,
} from './check/builderSupport.ts';
export { capacitorFindings } from './check/capacitorCheck.ts';
export { checkProjectConfig } from './check/configCheck.ts';
export type { ConfigFacts } from './check/configFile.ts';
export { packageFindings, packingFailure, planFor } from './check/packageCheck.ts';
export { ageFindings, checkStartPage } from './check/pageCheck.ts';
export {
  appProblems,
  fails,
  type FindingCode,
  type FindingRemedy,
  type FindingVerdict,
  fine,
  hasTrait,
  isConfigProblem,
  leavesBlank,
  mayFail,
  platformName,
  type ProjectFinding,
  type ProjectLocation,
  stoppingFindings,
} from './check/projectFinding.ts';
export { type PackagePermission, scanPages } from './check/scanPages.ts';
export { type PluginFacts, supportFindings } from './check/supportCheck.ts';
export { devServerAddress, findDevServer, hasDevServer } from './devServer.ts';
export {
  type FileProblem,
  fileProblem,
  fileReferences,
  type LogFileReference,
  type LogProblemSeverity,
  pathsInFolder,
} from './fileReferences.ts';
export { MAX_CONFIGURATION_BYTES } from './limits.ts';
export { CONFIG_FILE, joinPluginFiles, joinPluginNames, type KnownApp, makePlainIcon } from './madeConfig.ts';
export { type ConfigFolder, createAppFolder } from './neededFiles.ts';
export { APP_PACKAGE, type FileNameProblem } from './packing/fileNames.ts';
export { planPackage } from './packing/folderPlan.ts';
export { type IgnoredPath, ignoreLine, withLine, withoutLine } from './packing/ignoreRules.ts';
export {
  type LeftOut,
  type LeftOutReason,
  needsConsent,
  type PackagePlan,
  type PlannedFile,
  type PlanWarning,
  type SecretAnswer,
  type SuspectFile,
  withSuspects,
} from './packing/packageContents.ts';
export { readPlanned, type TemporaryPackage, writePackage, writePackageFolder } from './packing/packageFile.ts';
export { absentPages, PackingError } from './packing/packingError.ts';
export {
  countAndSize,
  getBiggestFiles,
  getLeftOutSentences,
  getPlanSummary,
  getSuspicionSentence,
  getWarningSentence,
  LEFT_OUT_KINDS,
} from './packing/planSentences.ts';
export { baseName, join, joinUri } from './paths.ts';
export { getMember, parseObject } from './projectJson.ts';
export { FALLBACK_PAGE, findLayouts, getPackagePath, isBuiltByTool, type ProjectKind } from './projectLayout.ts';
export { projectPlugins } from './projectPlugins.ts';
export {
  findWebProjects,
  type FoundProject,
  type FoundProjects,
  getProjectKey,
  type PagesAnswers,
  projectFolder,
  readProject,
  type WebProject,
} from './projectSearch.ts';
export { findWrittenPages } from './writtenPages.ts';
export { TOOL_NAMES } from './tools/toolNames.ts';
