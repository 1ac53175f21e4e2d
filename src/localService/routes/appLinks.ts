/** The paths of apps and of what is below them. */
import type { App, Platform } from '../store/model.ts';

export const APPS_LINK = '/api/v1/apps';

/** The path of an app's resource. */
export function appLink(app: App): string {
  return `${APPS_LINK}/${app.id}`;
}

/** The path of the builds of an app, or of that for one platform. */
export function buildLink(app: App, platform?: Platform): string {
  return `${appLink(app)}/build${platform === undefined ? '' : `/${platform}`}`;
}

/** The path of the log of an app's latest build for a platform. */
export function logLink(app: App, platform: Platform): string {
  return `${appLink(app)}/logs/${platform}/build`;
}

/** The path of the links by which others install an app. */
export function shareLink(app: App): string {
  return `${appLink(app)}/share`;
}

/** The path of the page that a phone opens to install an app. */
export function installPath(app: App): string {
  return `/apps/${app.id}/install`;
}
