/** Elements that widely used plugins read. */
import { sentence } from '../../../api/errors/sentence.ts';
import type { AttributeRule, ElementRule } from '../rule.ts';
import { pluginPage } from '../sources.ts';
import { IOS, TEXT } from '../valueTypes.ts';

const ANYWHERE = ['widget', 'platform'];
const UNIVERSAL_LINKS = pluginPage('cordova-universal-links-plugin');
const HOT_CODE_PUSH = pluginPage('cordova-hot-code-push-plugin');
const CUSTOM_CONFIG = pluginPage('cordova-custom-config');
const COCOAPODS = pluginPage('cordova-plugin-cocoapod-support');

const EVENT: AttributeRule = {
  name: 'event',
  type: TEXT,
  description: sentence('The event that the page is told.'),
  source: UNIVERSAL_LINKS,
};

export const PLUGIN_ELEMENTS: readonly ElementRule[] = [
  {
    name: 'universal-links',
    parents: ANYWHERE,
    attributes: [],
    description: sentence('Links of websites that open the app (cordova-universal-links-plugin).'),
    source: UNIVERSAL_LINKS,
  },
  {
    name: 'ios-team-id',
    parents: ['universal-links'],
    platforms: IOS,
    attributes: [
      {
        name: 'value',
        type: TEXT,
        isRequired: true,
        description: sentence('The identifier of the team at Apple.'),
        source: UNIVERSAL_LINKS,
      },
    ],
    description: sentence('The team at Apple that the app belongs to.'),
    source: UNIVERSAL_LINKS,
  },
  {
    name: 'host',
    parents: ['universal-links'],
    attributes: [
      {
        name: 'name',
        type: TEXT,
        isRequired: true,
        description: sentence('The website, such as example.com.'),
        source: UNIVERSAL_LINKS,
      },
      {
        name: 'scheme',
        type: TEXT,
        description: sentence('http or https; http when it is missing.'),
        source: UNIVERSAL_LINKS,
      },
      EVENT,
    ],
    description: sentence('A website whose links open the app.'),
    source: UNIVERSAL_LINKS,
  },
  {
    name: 'path',
    parents: ['host'],
    attributes: [
      {
        name: 'url',
        type: TEXT,
        isRequired: true,
        description: sentence('The path of the links, such as /news/*.'),
        source: UNIVERSAL_LINKS,
      },
      EVENT,
    ],
    description: sentence('A path of the website.'),
    source: UNIVERSAL_LINKS,
  },
  {
    name: 'chcp',
    parents: ANYWHERE,
    isOpen: true,
    attributes: [],
    description: sentence('How the app updates its pages (cordova-hot-code-push-plugin).'),
    source: HOT_CODE_PUSH,
  },
  ...['custom-preference', 'custom-config-file', 'custom-resource'].map((name): ElementRule => ({
    name,
    parents: ANYWHERE,
    isOpen: true,
    attributes: [],
    description: sentence('A change of a file of a platform (cordova-custom-config).'),
    source: CUSTOM_CONFIG,
  })),
  {
    name: 'branch-config',
    parents: ANYWHERE,
    isOpen: true,
    attributes: [],
    description: sentence('How links open the app by way of Branch (branch-cordova-sdk).'),
    source: pluginPage('branch-cordova-sdk'),
  },
  {
    name: 'pods-config',
    parents: ANYWHERE,
    platforms: IOS,
    isOpen: true,
    attributes: [],
    description: sentence('How CocoaPods is used (cordova-plugin-cocoapod-support).'),
    source: COCOAPODS,
  },
  {
    name: 'pod',
    parents: ANYWHERE,
    platforms: IOS,
    isOpen: true,
    attributes: [],
    description: sentence('A library of CocoaPods (cordova-plugin-cocoapod-support).'),
    source: COCOAPODS,
  },
];
