import { BuildServiceError, CancelledError, sentence } from '../../errors/index.ts';
import type { AppCalls } from '../apps/calls/appCalls.ts';
import { KeyCalls } from '../apps/calls/keyCalls.ts';
import type { App } from '../apps/model/app.ts';
import { isOwn, getKeyIds, type SigningKey, type KeyFault, keyFaults } from '../apps/model/signingKey.ts';
import {
  type BuilderSupport,
  type ConfigFacts,
  fails,
  fine,
  mayFail,
  type PluginFacts,
  type ProjectFinding,
  supportFindings,
} from '../../web-project/index.ts';

/** Time in milliseconds that a check waits for a service. Anything without a response by then isn't checked. */
const ANSWER_TIMEOUT_MS = 10_000;

const NO_ANSWER = sentence('The service didn’t respond in time, so keys and platforms weren’t checked.');

/** Platforms whose apps are signed with keys stored on the service. */
const SIGNED_PLATFORMS: ReadonlySet<string> = new Set(['android', 'ios', 'winphone']);

/** The parameters of a check's requests to a service. */
export interface ServiceQuestion {
  readonly calls: AppCalls;
  /** Undefined for an app that the upload creates. */
  readonly app: App | undefined;
  /** Platforms that the user asked for. Defaults to the platforms of the app. */
  readonly requested: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface ServiceAnswer {
  /** Platforms that would be built. */
  readonly platforms: readonly string[];
  /** The app, including its chosen keys. */
  readonly app: App | undefined;
  /** Support information. Undefined if the service provides none. */
  readonly support: BuilderSupport | undefined;
  /** Undefined if the app's keys belong to another user or the app uses none. */
  readonly keys: readonly SigningKey[] | undefined;
  /** Findings about failed requests. */
  readonly failures: readonly ProjectFinding[];
}

/**
 * Asks a service for the data that a check needs: its home, its supported platforms, and its keys if the app uses any.
 *
 * @throws CancelledError. Any other error is among the findings.
 */
export async function askService({ calls, app, requested, signal }: ServiceQuestion): Promise<ServiceAnswer> {
  const timeout = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  const options = { signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]) };
  const failures = new Map<string, ProjectFinding>();
  const optional = async <T>(ask: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await ask();
    } catch (error) {
      const isLate = error instanceof CancelledError && !signal?.aborted && timeout.aborted;
      if (!isLate && (!(error instanceof BuildServiceError) || error instanceof CancelledError)) {
        throw error;
      }
      const failure = isLate ? mayFail('service', NO_ANSWER) : mayFail('service', error.what, { next: error.next });
      // All requests may fail for the same reason, so keep one finding per message.
      failures.set(JSON.stringify(failure.message), failure);
      return undefined;
    }
  };
  const home = await optional(() => calls.home(options));
  const known = getPlatforms(app);
  const mayUseKeys =
    app === undefined || (isOwn(app) && (requested ?? known).some((each) => SIGNED_PLATFORMS.has(each)));
  const usesKeys = mayUseKeys && home?.keysUrl !== undefined;
  const [support, keys, whole] =
    home === undefined
      ? []
      : await Promise.all([
          optional(() => calls.support(options, home)),
          usesKeys ? optional(() => new KeyCalls(calls).list(undefined, options, home)) : undefined,
          usesKeys && app !== undefined ? optional(() => calls.fetchComplete(app, options)) : app,
        ]);
  const buildable = (support?.platforms ?? []).flatMap(({ platform, unavailable }) =>
    unavailable === undefined ? [platform] : [],
  );
  // Skips the platforms that the service reports as unavailable, unless the user asked for them.
  const supported = support === undefined ? known : known.filter((platform) => buildable.includes(platform));
  const platforms = requested ?? [supported, buildable, known].find(({ length }) => length > 0) ?? [];
  return { platforms, app: whole ?? app, support, keys, failures: [...failures.values()] };
}

/**
 * Returns the findings about an app in a service's response.
 *
 * @param complete adds the facts that this computer stores about a key
 * @param plugins the project's plugins, or undefined if nothing can be sent
 */
export function serviceFindings(
  { platforms, app, support, keys, failures }: ServiceAnswer,
  facts: ConfigFacts | undefined,
  complete: (key: SigningKey) => SigningKey,
  plugins?: PluginFacts,
): ProjectFinding[] {
  const reasons = new Map(support?.platforms.map(({ platform, unavailable }) => [platform, unavailable]));
  const signed = platforms.filter((platform) => SIGNED_PLATFORMS.has(platform) && reasons.get(platform) === undefined);
  const id = facts?.id ?? app?.packageId;
  const chosen = app === undefined ? new Map<string, string>() : getKeyIds(app);
  return [
    ...(support === undefined ? [] : supportFindings(platforms, support, plugins)),
    ...(keys === undefined ? [] : signed).flatMap((platform) => {
      const own = (keys ?? []).filter((key) => key.platform === platform).map(complete);
      const key = own.find((each) => each.id === chosen.get(platform)) ?? own.find(({ isDefault }) => isDefault);
      const packageId = platform === 'ios' ? (facts?.iosId ?? id) : id;
      return key === undefined ? missingKey(platform) : keyFindings(key, packageId);
    }),
    ...idFindings(facts, app?.packageId),
    ...failures,
  ];
}

function getPlatforms(app: App | undefined): readonly string[] {
  return app?.builds.map(({ platform }) => platform) ?? [];
}

/**
 * Returns the finding for a platform without a key. iOS apps can't be built without one. Android apps are built for
 * testing.
 */
function missingKey(platform: string): readonly ProjectFinding[] {
  switch (platform) {
    case 'ios': {
      const message = sentence('Apps for iOS need a signing key.');
      const next = sentence('Add one, or choose one for the app.');
      return [fails('keyMissing', message, { next, platform, remedies: ['addKey'] })];
    }
    case 'android': {
      const message = sentence('Signed with a test key. Fine for your own phones, not for app stores.');
      return [fine('keyMissing', message, { about: sentence('Signing key'), short: sentence('test key'), platform })];
    }
    default:
      return [];
  }
}

/** Returns the findings about a key. @param packageId the app's identifier on the platform, or undefined if unknown */
function keyFindings(key: SigningKey, packageId: string | undefined): readonly ProjectFinding[] {
  const faults = keyFaults(key, packageId, new Date());
  return faults.length === 0 ? [rightKey(key)] : faults.map((fault) => faultFinding(fault, key));
}

function rightKey({ title, platform, locked, expiresAt }: SigningKey): ProjectFinding {
  const until = expiresAt && formatDate(expiresAt);
  const message =
    until === undefined
      ? locked === false
        ? sentence('The signing key “{0}” is unlocked.', title)
        : sentence('The app is signed with the key “{0}”.', title)
      : locked === false
        ? sentence('The signing key “{0}” is unlocked, and valid until {1}.', title, until)
        : sentence('The signing key “{0}” is valid until {1}.', title, until);
  return fine('key', message, { about: title, platform });
}

function faultFinding(fault: KeyFault, { title, platform }: SigningKey): ProjectFinding {
  const subject = { about: title, platform };
  switch (fault.kind) {
    case 'locked':
      return fails('keyLocked', sentence('The signing key “{0}” is locked.', title), {
        ...subject,
        next: sentence('Unlock it before you build.'),
        remedies: ['unlockKey'],
      });
    case 'expired':
      return fails('keyExpired', sentence('The signing key “{0}” expired on {1}.', title, formatDate(fault.at)), {
        ...subject,
        next: sentence('Add a key with a valid certificate and profile, and choose it for the app.'),
        remedies: ['addKey'],
      });
    case 'expiresSoon':
      return mayFail('keyExpiresSoon', sentence('The signing key “{0}” expires on {1}.', title, formatDate(fault.at)), {
        ...subject,
        next: sentence('Renew it, and add it again, before that.'),
        short: sentence('expires on {0}', formatDate(fault.at)),
      });
    case 'otherApp': {
      const message = sentence(
        'The profile of the signing key “{0}” is for {1}, not for {2}. Phones will reject the app.',
        title,
        fault.profileAppId,
        fault.packageId,
      );
      const next = sentence('Choose a key with a matching profile, or correct the ID in config.xml.');
      return mayFail('keyOfOtherApp', message, { ...subject, next });
    }
  }
}

/** Returns a finding if the upload changes the app's identifier. @param packageId the identifier on the service */
function idFindings(facts: ConfigFacts | undefined, packageId: string | undefined): readonly ProjectFinding[] {
  if (facts?.id === undefined || facts.id === '' || packageId === undefined || facts.id === packageId) {
    return [];
  }
  const message = sentence(
    'The ID of the app is {0} at the service, but {1} in config.xml. Phones treat it as a different app.',
    packageId,
    facts.id,
  );
  const next = sentence('The next build changes the ID at the service. Correct config.xml to keep it.');
  return [mayFail('idChanges', message, { next, location: facts.idLocation })];
}

/** Returns a date in ISO 8601, because sentences are created before the language is known. */
function formatDate(date: Date): string {
  return date.toISOString().slice(0, 10);
}
