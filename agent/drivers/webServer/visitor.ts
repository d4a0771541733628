/** Headers that edges set about their visitor. Web servers drop them from requests of anybody else. */
export const forwarded = ['X-Forwarded-For', 'X-Real-IP', 'X-Forwarded-Proto'] as const

/**
 * Headers that no server of Innkeeper sets, and that applications take for the address of the visitor or of the website.
 * A visitor can forge them, so edges and origins drop them.
 */
export const forgeable = [
  ...['Forwarded', 'X-Forwarded', 'X-Forwarded-By', 'X-Forwarded-Host', 'X-Forwarded-Port', 'X-Forwarded-Prefix'],
  ...['X-Forwarded-Scheme', 'X-Forwarded-Server', 'X-Forwarded-SSL', 'X-Forwarded-Protocol', 'X-Url-Scheme'],
  ...['Front-End-Https', 'X-Host', 'X-Original-Host', 'X-Original-URL', 'X-Rewrite-URL', 'X-Original-Forwarded-For'],
  ...['Client-IP', 'X-Client-IP', 'True-Client-IP', 'CF-Connecting-IP', 'CF-Connecting-IPv6', 'CF-Pseudo-IPv4'],
  ...['CF-Visitor', 'Fastly-Client-IP', 'X-Cluster-Client-IP', 'X-Originating-IP', 'X-Remote-IP', 'X-Remote-Addr'],
  ...['X-ProxyUser-Ip', 'WL-Proxy-Client-IP', 'Proxy-Client-IP', 'X-Azure-ClientIP', 'X-Appengine-User-Ip'],
  ...['CloudFront-Viewer-Address', 'CloudFront-Forwarded-Proto', 'X-Vercel-Forwarded-For', 'Fly-Client-IP'],
  ...['X-Sucuri-ClientIP', 'Incap-Client-IP', 'Ali-CDN-Real-IP', 'Cdn-Src-Ip', 'Cdn-Real-Ip', 'DO-Connecting-IP'],
  ...['X-NF-Client-Connection-IP', 'X-Akamai-Client-IP', 'X-Appengine-Remote-Addr', 'X-Envoy-External-Address'],
  ...['X-Real-Client-IP', 'Coming-From', 'X-Coming-From'],
] as const

/** The name of a header in PHP's $_SERVER. */
export const inPhp = (name: string) => `HTTP_${name.toUpperCase().replaceAll('-', '_')}`
