import { sentence } from '../../api/errors/sentence.ts';
import { keyFaults, type KeyFault, type SigningKey } from '../../apps/model/signingKey.ts';
import type { ProjectFinding } from './projectFinding.ts';

/** What the keys of an app are checked for. */
export interface CheckedKeys {
  /** Those that would be built. */
  readonly platforms: readonly string[];
  /** Of the user, with what is known of them on this machine. */
  readonly keys: readonly SigningKey[];
  /** IDs of the keys that the app is built with, by platform; of the others the default one is used. */
  readonly chosen: ReadonlyMap<string, string>;
  /** The identifier that the app has on a platform; undefined when it is not known. */
  readonly packageIdOn: (platform: string) => string | undefined;
  readonly now: Date;
}

/** What is right and wrong with the keys that a build would sign with. */
export function keyFindings({ platforms, keys, chosen, packageIdOn, now }: CheckedKeys): ProjectFinding[] {
  return platforms.flatMap((platform) => {
    const own = keys.filter((key) => key.platform === platform);
    const key = own.find(({ id }) => id === chosen.get(platform)) ?? own.find(({ isDefault }) => isDefault);
    if (key === undefined) {
      return missingKey(platform);
    }
    const faults = keyFaults(key, packageIdOn(platform), now);
    return faults.length === 0 ? [rightKey(key)] : faults.map((fault) => faultFinding(fault, key));
  });
}

/** Without a key, apps for iOS are not built at all, and those for Android are built for tests. */
function missingKey(platform: string): readonly ProjectFinding[] {
  switch (platform) {
    case 'ios':
      return [
        {
          code: 'keyMissing',
          verdict: 'fails',
          message: sentence('There is no signing key for ios, without which no app is built for it.'),
          next: sentence('Add one with Add Signing Key, or choose one for the app.'),
          platform,
        },
      ];
    case 'android':
      return [
        {
          code: 'keyMissing',
          verdict: 'fine',
          message: sentence('There is no signing key for android: the app is built for tests.'),
          platform,
        },
      ];
    default:
      return [];
  }
}

function rightKey({ title, platform, locked, expiresAt }: SigningKey): ProjectFinding {
  const until = expiresAt && dateOf(expiresAt);
  const message =
    until === undefined
      ? locked === false
        ? sentence('The signing key “{0}” is unlocked.', title)
        : sentence('The signing key “{0}” is used.', title)
      : locked === false
        ? sentence('The signing key “{0}” is unlocked, and valid until {1}.', title, until)
        : sentence('The signing key “{0}” is valid until {1}.', title, until);
  return { code: 'key', verdict: 'fine', message, said: [title], platform };
}

function faultFinding(fault: KeyFault, { title, platform }: SigningKey): ProjectFinding {
  const about = { said: [title], platform } as const;
  switch (fault.kind) {
    case 'locked':
      return {
        ...about,
        code: 'keyLocked',
        verdict: 'fails',
        message: sentence('The signing key “{0}” is locked.', title),
        next: sentence('Unlock it with Unlock Signing Key on its row.'),
      };
    case 'expired':
      return {
        ...about,
        code: 'keyExpired',
        verdict: 'fails',
        message: sentence('The signing key “{0}” expired on {1}.', title, dateOf(fault.at)),
        next: sentence('Add a key with a valid certificate and profile, and choose it for the app.'),
      };
    case 'expiresSoon':
      return {
        ...about,
        code: 'keyExpiresSoon',
        verdict: 'mayFail',
        message: sentence('The signing key “{0}” expires on {1}.', title, dateOf(fault.at)),
        next: sentence('Renew it, and add it again, before that.'),
      };
    case 'otherApp':
      return {
        ...about,
        code: 'keyOfOtherApp',
        verdict: 'mayFail',
        message: sentence(
          'The profile of the signing key “{0}” is for {1}, not for {2}: devices refuse the app.',
          title,
          fault.profileAppId,
          fault.packageId,
        ),
        said: [title, fault.profileAppId],
        next: sentence('Choose a key whose profile fits, or correct the id in config.xml.'),
      };
  }
}

/** ISO 8601: a sentence is made before it is known in which language it is shown. */
function dateOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
