/** Secrets of well-known forms, made up here: none stands in the source, where those who look for secrets would find it. */
import { createHash } from 'node:crypto';

const CAPITALS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LETTERS = `${CAPITALS}${CAPITALS.toLowerCase()}0123456789`;

/** Characters that look random, the same ones for the same seed. */
export function randomText(length: number, seed = 'a', alphabet = LETTERS): string {
  const bytes = Array.from({ length: Math.ceil(length / 32) }, (_, index) => [
    ...createHash('sha256').update(`${seed}${index}`).digest(),
  ]);
  return bytes
    .flat()
    .slice(0, length)
    .map((byte) => alphabet.charAt(byte % alphabet.length))
    .join('');
}

/** A private key in PEM. @param newline what separates its lines: in code it is `\\n` */
export function privateKey(seed = 'a', newline = '\n'): string {
  const lines = [1, 2, 3].map((line) => randomText(64, `${seed}${line}`, `${LETTERS}+/`));
  return ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----'].join(newline);
}

/** An identifier and its key. */
export function awsKey(seed = 'a'): string {
  return `id = AKIA${randomText(16, seed, `${CAPITALS}234567`)}\nkey = "${randomText(40, seed, `${LETTERS}+/`)}"`;
}

/** A token of each kind that is one word. @param seed makes others */
export function accessTokens(seed = 'a'): readonly string[] {
  const text = (length: number): string => randomText(length, seed);
  return [
    `ghp_${text(36)}`,
    `gho_${text(36)}`,
    `ghs_12345_ey${text(100)}.${text(80)}.${text(40)}-_`,
    `github_pat_${text(22)}_${text(59)}`,
    `glpat-${text(20)}`,
    `glpat-${text(27)}.01.${text(9).toLowerCase()}`,
    `npm_${text(36)}`,
    `xoxb-20481632-64128256-${text(24)}`,
    `xapp-1-A0${text(9).toUpperCase()}-${text(40)}`,
    `https://hooks.slack.com/services/T0${text(8).toUpperCase()}/B0${text(8).toUpperCase()}/${text(24)}`,
    `sk_live_${text(24)}`,
    `rk_live_${text(99)}`,
    `sk.eyJ1${text(50)}.${text(22)}`,
    `SG.${text(22)}.${text(43)}`,
    `sk-proj-${text(60)}`,
    `sk-ant-api03-${text(90)}`,
    `sk-${text(20)}T3BlbkFJ${text(20)}`,
  ];
}

/** Keys of a cloud service of each kind that is one word. */
export function cloudKeys(seed = 'a'): readonly string[] {
  return [
    `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${randomText(86, seed)}==;EndpointSuffix=core`,
    `Endpoint=sb://a.example/;SharedAccessKeyName=n;SharedAccessKey=${randomText(43, seed)}=`,
  ];
}
