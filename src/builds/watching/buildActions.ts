/** A build that something is done with; every platform of the app when none is named. */
export interface BuildSubject {
  readonly appUrl: string;
  readonly platform?: string;
}

/** Commands about a build. Each shows its own progress, and rejects with what a notification says. */
export interface BuildActions {
  download(subject: BuildSubject): Promise<unknown>;
  installOnDevice(subject: BuildSubject): Promise<unknown>;
  installOnConnectedDevice(subject: BuildSubject): Promise<unknown>;
  showLog(subject: BuildSubject): Promise<unknown>;
  buildAgain(subject: BuildSubject): Promise<unknown>;
  cancel(subject: BuildSubject): Promise<unknown>;
}

/** The commands behind the actions. */
export type BuildHandlers = Readonly<
  Record<
    | 'appBuild.downloadBuild'
    | 'appBuild.installOnDevice'
    | 'appBuild.installOnConnectedDevice'
    | 'appBuild.showBuildLog'
    | 'appBuild.buildAgain'
    | 'appBuild.cancelBuild',
    (subject: BuildSubject) => unknown
  >
>;

/** The actions, as the commands do them. @param load the commands; called with the first action. */
export function createBuildActions(load: () => Promise<BuildHandlers>): BuildActions {
  const action = (id: keyof BuildHandlers) => async (subject: BuildSubject) => (await load())[id](subject);
  return {
    download: action('appBuild.downloadBuild'),
    installOnDevice: action('appBuild.installOnDevice'),
    installOnConnectedDevice: action('appBuild.installOnConnectedDevice'),
    showLog: action('appBuild.showBuildLog'),
    buildAgain: action('appBuild.buildAgain'),
    cancel: action('appBuild.cancelBuild'),
  };
}
