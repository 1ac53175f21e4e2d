/** A build that something is done with; every platform of the app when none is named. */
export interface BuildSubject {
  readonly appUrl: string;
  readonly platform?: string;
}

/** Commands about a build. Each shows its own progress, and rejects with the sentence for a notification. */
export type BuildCommandId =
  | 'appBuild.downloadBuild'
  | 'appBuild.installOnDevice'
  | 'appBuild.installOnConnectedDevice'
  | 'appBuild.showBuildLog'
  | 'appBuild.buildAgain'
  | 'appBuild.cancelBuild';

/** Runs such a command. */
export type RunBuildCommand = (id: BuildCommandId, subject: BuildSubject) => Promise<unknown>;
