/** What an app may load, go to, and hand to other apps. */
import { sentence } from '../../api/errors/sentence.ts';
import { ANYWHERE, attribute, type AttributeRow, BOOLEAN, type ElementRow, IOS, NAME, oneOf, ORIGIN } from './rule.ts';
import { ALLOW_LIST, at, phoneGapBuildAt } from './sources.ts';

const PHONEGAP_BUILD = phoneGapBuildAt('access-elements');

/** Apple's App Transport Security. */
const TRANSPORT_SECURITY: readonly AttributeRow[] = [
  attribute(
    'minimum-tls-version',
    oneOf('TLSv1.0', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'),
    sentence('The lowest version of TLS that a connection may have.'),
  ),
  attribute('requires-forward-secrecy', BOOLEAN, sentence('False allows connections without forward secrecy.')),
  attribute(
    'requires-certificate-transparency',
    BOOLEAN,
    sentence('True demands that the certificate of the server stands in a public log.'),
  ),
  attribute(
    'allows-arbitrary-loads-for-media',
    BOOLEAN,
    sentence('True allows unencrypted connections for media, with the origin *.'),
  ),
  attribute(
    'allows-arbitrary-loads-in-media',
    BOOLEAN,
    sentence('An earlier name of allows-arbitrary-loads-for-media.'),
  ),
  attribute(
    'allows-arbitrary-loads-in-web-content',
    BOOLEAN,
    sentence('True allows unencrypted connections in web pages, with the origin *.'),
  ),
  attribute(
    'allows-local-networking',
    BOOLEAN,
    sentence('True allows connections to the local network, with the origin *.'),
  ),
].map((row) => ({ ...row, platforms: IOS, source: ALLOW_LIST }));

const SUBDOMAINS = attribute('subdomains', BOOLEAN, sentence('True includes the subdomains of the origin.'), {
  source: PHONEGAP_BUILD,
});

const LAUNCH_EXTERNAL = attribute(
  'launch-external',
  oneOf('yes', 'no', 'true', 'false'),
  sentence('“yes” opened the URL in another app before cordova-android 4. Use <allow-intent>.'),
  { source: PHONEGAP_BUILD },
);

export const ACCESS_ELEMENTS: readonly ElementRow[] = [
  {
    name: 'access',
    parents: ANYWHERE,
    attributes: [
      attribute(
        'origin',
        ORIGIN,
        sentence('An origin such as https://example.com, a pattern such as https://*.example.com, or * for all.'),
        { isRequired: true },
      ),
      SUBDOMAINS,
      LAUNCH_EXTERNAL,
      attribute('browserOnly', BOOLEAN),
      ...TRANSPORT_SECURITY,
    ],
    description: sentence('A server that the app may load images, scripts and data from.'),
    source: at('access'),
  },
  {
    name: 'allow-navigation',
    parents: ANYWHERE,
    attributes: [
      attribute('href', ORIGIN, sentence('A URL or a pattern, such as https://*.example.com/*.'), { isRequired: true }),
      SUBDOMAINS,
      ...TRANSPORT_SECURITY,
    ],
    description: sentence('A URL that the app itself may go to, in place of its pages.'),
    source: at('allow-navigation'),
  },
  {
    name: 'allow-intent',
    parents: ANYWHERE,
    attributes: [
      attribute('href', ORIGIN, sentence('A URL or a pattern, such as https://*/* or tel:*.'), { isRequired: true }),
      LAUNCH_EXTERNAL,
      attribute('subdomains', NAME),
    ],
    description: sentence('A URL that the app may ask the device to open in another app.'),
    source: at('allow-intent'),
  },
];
