import assert from 'node:assert/strict';
import {
  describePlugin,
  pluginFacts,
  type PluginSupport,
  supportedPlugins,
} from '../../../../src/extension/config-editor/plugins.ts';
import { getNativePlugin, NATIVE_PLUGINS } from '../../../../src/android-package/index.ts';

const BUILTIN: PluginSupport = { builder: 'builtin', plugins: [] };
const CORDOVA: PluginSupport = { builder: 'cordova', plugins: [{ name: 'cordova-plugin-ble-central' }] };

describe('the plugin list in a config.xml', () => {
  it('lists the built-in builder’s plugins, unless the service builds only with Cordova', () => {
    const known = supportedPlugins(undefined);
    assert.ok(known.includes('cordova-plugin-camera') && !known.some((name) => name.startsWith('@capacitor/')));
    assert.deepEqual(known, supportedPlugins(BUILTIN));
    assert.deepEqual(supportedPlugins(CORDOVA), ['cordova-plugin-ble-central']);
    const others = ['org.apache.cordova.camera', 'cordova-plugin-whitelist', '@capacitor/camera'];
    assert.deepEqual(supportedPlugins({ ...BUILTIN, plugins: others.map((name) => ({ name })) }), known);
    const unavailable = { android: 'No SDK.' };
    const withEngine = { ...BUILTIN, plugins: [{ name: 'plugin-a' }, { name: 'plugin-b', unavailable }] };
    assert.deepEqual(supportedPlugins(withEngine), [...known, 'plugin-a'].sort());
  });

  it('describes every plugin', () => {
    const silent = NATIVE_PLUGINS.filter((name) => !name.startsWith('@cap') && describePlugin(name) === undefined);
    assert.deepEqual(silent, []);
    assert.equal(describePlugin('org.apache.cordova.camera'), describePlugin('cordova-plugin-camera'));
    assert.equal(describePlugin('cordova-plugin-ble-central'), undefined);
  });

  it('shows whether a plugin is supported, and its dependencies', () => {
    const reason = { builder: 'builtin', plugins: [{ name: 'plugin-b', unavailable: { android: 'No SDK.' } }] };
    for (const [name, support, expected] of [
      ['cordova-plugin-device', undefined, /^Supported: the built-in builder/],
      ['org.apache.cordova.device', BUILTIN, /^Supported: the built-in builder/],
      ['cordova-plugin-device', CORDOVA, /^Not available from the service\.$/],
      ['cordova-plugin-ble-central', CORDOVA, /^Supported by the service\.$/],
      ['cordova-plugin-ble-central', BUILTIN, /^Not available in the built-in builder\. Install the Cordova engine/],
      ['cordova-plugin-whitelist', BUILTIN, /^Not needed on Android\./],
      ['plugin-b', reason, /^Not available for Android on this computer: No SDK\.$/],
      ['plugin-b', { builder: 'cordova', plugins: undefined }, /^The service doesn’t list its plugins\.$/],
    ] as const) {
      assert.match(pluginFacts(name, support)[0] ?? '', expected, name);
    }
    const [needs] = getNativePlugin('cordova-plugin-zip')?.needs ?? [];
    assert.ok(pluginFacts('cordova-plugin-zip', undefined).includes(`Requires: ${needs ?? ''}`));
  });
});
