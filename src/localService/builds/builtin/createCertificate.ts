/** Makes certificates: imported lazily, since it takes more code than the rest of a build. */
export { generate } from 'selfsigned';
