/** What an app may load, go to, and hand to other apps. */
import { sentence } from '../../../api/errors/sentence.ts';
import type { AttributeRule, ElementRule } from '../rule.ts';
import { ALLOW_LIST, at, phoneGapBuildAt } from '../sources.ts';
import { ALL_PLATFORMS, BOOLEAN, IOS, oneOf, ORIGIN, TEXT } from '../valueTypes.ts';

const ANYWHERE = ['widget', 'platform'];
const PHONEGAP_BUILD = phoneGapBuildAt('access-elements');

/** Apple's App Transport Security. */
const TRANSPORT_SECURITY: readonly AttributeRule[] = [
  {
    name: 'minimum-tls-version',
    type: oneOf('TLSv1.0', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'),
    platforms: IOS,
    description: sentence('The lowest version of TLS that a connection may have.'),
    source: ALLOW_LIST,
  },
  {
    name: 'requires-forward-secrecy',
    type: BOOLEAN,
    platforms: IOS,
    description: sentence('False allows connections without forward secrecy.'),
    source: ALLOW_LIST,
  },
  {
    name: 'requires-certificate-transparency',
    type: BOOLEAN,
    platforms: IOS,
    description: sentence('True demands that the certificate of the server stands in a public log.'),
    source: ALLOW_LIST,
  },
  {
    name: 'allows-arbitrary-loads-for-media',
    type: BOOLEAN,
    platforms: IOS,
    description: sentence('True allows unencrypted connections for media, with the origin *.'),
    source: ALLOW_LIST,
  },
  {
    name: 'allows-arbitrary-loads-in-media',
    type: BOOLEAN,
    platforms: IOS,
    description: sentence('An earlier name of allows-arbitrary-loads-for-media.'),
    source: ALLOW_LIST,
  },
  {
    name: 'allows-arbitrary-loads-in-web-content',
    type: BOOLEAN,
    platforms: IOS,
    description: sentence('True allows unencrypted connections in web pages, with the origin *.'),
    source: ALLOW_LIST,
  },
  {
    name: 'allows-local-networking',
    type: BOOLEAN,
    platforms: IOS,
    description: sentence('True allows connections to the local network, with the origin *.'),
    source: ALLOW_LIST,
  },
];

const SUBDOMAINS: AttributeRule = {
  name: 'subdomains',
  type: BOOLEAN,
  platforms: ALL_PLATFORMS,
  description: sentence('True includes the subdomains of the origin.'),
  source: PHONEGAP_BUILD,
};

const LAUNCH_EXTERNAL: AttributeRule = {
  name: 'launch-external',
  type: oneOf('yes', 'no', 'true', 'false'),
  description: sentence('“yes” opened the URL in another app before cordova-android 4. Use <allow-intent>.'),
  source: PHONEGAP_BUILD,
};

export const ACCESS_ELEMENTS: readonly ElementRule[] = [
  {
    name: 'access',
    parents: ANYWHERE,
    attributes: [
      {
        name: 'origin',
        type: ORIGIN,
        isRequired: true,
        description: sentence(
          'An origin such as https://example.com, a pattern such as https://*.example.com, or * for all.',
        ),
        source: at('access'),
      },
      SUBDOMAINS,
      LAUNCH_EXTERNAL,
      {
        name: 'browserOnly',
        type: BOOLEAN,
        description: sentence('PhoneGap Build read it. Cordova does not.'),
        source: PHONEGAP_BUILD,
      },
      ...TRANSPORT_SECURITY,
    ],
    description: sentence('A server that the app may load images, scripts and data from.'),
    source: at('access'),
  },
  {
    name: 'allow-navigation',
    parents: ANYWHERE,
    attributes: [
      {
        name: 'href',
        type: ORIGIN,
        isRequired: true,
        description: sentence('A URL or a pattern, such as https://*.example.com/*.'),
        source: at('allow-navigation'),
      },
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
      {
        name: 'href',
        type: ORIGIN,
        isRequired: true,
        description: sentence('A URL or a pattern, such as https://*/* or tel:*.'),
        source: at('allow-intent'),
      },
      LAUNCH_EXTERNAL,
      { name: 'subdomains', type: TEXT, description: SUBDOMAINS.description, source: SUBDOMAINS.source },
    ],
    description: sentence('A URL that the app may ask the device to open in another app.'),
    source: at('allow-intent'),
  },
];
