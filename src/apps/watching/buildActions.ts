/** A build that something is done with; every platform of the app when none is named. */
export interface BuildSubject {
  readonly appUrl: string;
  readonly platform?: string;
}

/** What can be done with a build, as commands do it. Each shows its own progress, and rejects with what a notification says. */
export interface BuildActions {
  download(subject: BuildSubject): Promise<unknown>;
  installOnDevice(subject: BuildSubject): Promise<unknown>;
  showLog(subject: BuildSubject): Promise<unknown>;
  buildAgain(subject: BuildSubject): Promise<unknown>;
}
