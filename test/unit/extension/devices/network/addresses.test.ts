import assert from 'node:assert/strict';
import type { NetworkInterfaceInfo } from 'node:os';

import { getOwnAddresses, networkAddresses } from '../../../../../src/extension/devices/network/shareConsent.ts';

function info(address: string, { internal = false } = {}): NetworkInterfaceInfo {
  const family = address.includes(':') ? 'IPv6' : 'IPv4';
  const common = { address, netmask: '', mac: '', internal, cidr: null };
  return family === 'IPv4' ? { ...common, family } : { ...common, family, scopeid: 0 };
}

const INTERFACES = {
  lo: [info('127.0.0.1', { internal: true }), info('::1', { internal: true })],
  docker0: [info('172.17.0.1')],
  'vEthernet (WSL)': [info('172.29.0.1')],
  eth1: [info('169.254.7.7')],
  eth0: [info('10.0.0.5'), info('fd00::5')],
  wlan0: [info('192.168.1.20')],
  gone: undefined,
};

describe('the list of addresses that phones can reach', () => {
  it('lists IPv4 addresses assigned by a network, with virtual interfaces last', () => {
    assert.deepEqual(networkAddresses(INTERFACES, undefined), [
      { name: 'eth0', address: '10.0.0.5' },
      { name: 'wlan0', address: '192.168.1.20' },
      { name: 'docker0', address: '172.17.0.1' },
      { name: 'vEthernet (WSL)', address: '172.29.0.1' },
    ]);
  });

  it('starts with the address of the default route', () => {
    const addresses = networkAddresses(INTERFACES, '192.168.1.20').map(({ name }) => name);
    assert.deepEqual(addresses, ['wlan0', 'eth0', 'docker0', 'vEthernet (WSL)']);
  });

  it('is empty on a computer without a network', () => {
    assert.deepEqual(networkAddresses({ lo: INTERFACES.lo }, undefined), []);
  });

  it('reads this computer’s addresses without an error', async () => {
    for (const { name, address } of await getOwnAddresses()) {
      assert.match(address, /^\d+\.\d+\.\d+\.\d+$/);
      assert.doesNotMatch(address, /^127\.|^169\.254\./);
      assert.notEqual(name, '');
    }
  });
});
