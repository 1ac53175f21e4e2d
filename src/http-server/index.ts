/** HTTP servers with limits, for the local service and for the extension’s listeners. */
export { startHttpServer, type HttpServer } from './httpServer.ts';
