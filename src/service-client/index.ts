/** Sends requests to a service and reads its responses. */
export {
  BuildServiceClient,
  type ClientOptions,
  type CurrentUser,
  type Download,
  type ServiceRequest,
} from './client.ts';
export { absoluteUrl, type Credentials, removeCredentials, withoutCredentials } from './credentials.ts';
export { NetworkError, ProxyError } from './errors/connectionErrors.ts';
export { BodyTooLargeError, InvalidResponseError, RedirectError } from './errors/responseErrors.ts';
export { ServiceError } from './errors/serviceError.ts';
export { packageFileName, safeFileName } from './http/fileName.ts';
export type { LoggedExchange } from './http/requestPipeline.ts';
export { isHtml, type ResponseBody, type ServiceResponse } from './http/response.ts';
export { type ProxyServer, Transport, type TransportOptions } from './http/transport.ts';
export { isMediaType } from './hypermedia/forms.ts';
export { isObject } from './hypermedia/json.ts';
export { isDisplayable, label, visibleText } from './hypermedia/label.ts';
export { getTargetAddress, isMethod } from './hypermedia/links.ts';
export type {
  EmbeddedResource,
  FormField,
  Link,
  LinkTarget,
  Resource,
  ResourceField,
  ResourceForm,
  SkippedValue,
} from './hypermedia/resource.ts';
export { expandTemplate } from './hypermedia/templates.ts';
export { isHttp } from './hypermedia/url.ts';
export { findLinks, formatJson, getLinkLocations } from './jsonText.ts';
export { MAX_ADDRESS_LENGTH, MAX_PARTS, MAX_RESOURCE_BYTES } from './limits.ts';
export { getFileExtension, isFileType, isViewableImage } from './mediaTypes.ts';
export { redact, Redactor, REPLACEMENT } from './redaction.ts';
export { curlCommand, jsonpTag } from './requestSnippets.ts';
export { probeService, type ServiceProbe } from './serviceProbe.ts';
export {
  isLoopback,
  mayUsePlainHttp,
  parseServiceUrl,
  parseTypedServiceUrl,
  type ServiceUrl,
  withoutTrailingSlashes,
} from './serviceUrl.ts';
