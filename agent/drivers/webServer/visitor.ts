/** What an edge says of its visitor; from anybody else it is dropped. */
export const spoken = ['X-Forwarded-For', 'X-Real-IP', 'X-Forwarded-Proto'] as const

/**
 * What visitors may send and applications take for an address, theirs or the website's own. An edge would keep a page
 * that was made for one such word, and a website would believe it.
 */
export const unheard = [
  ...['Forwarded', 'X-Forwarded', 'X-Forwarded-By', 'X-Forwarded-Host', 'X-Forwarded-Port', 'X-Forwarded-Prefix'],
  ...['X-Forwarded-Scheme', 'X-Forwarded-Server', 'X-Forwarded-SSL', 'X-Forwarded-Protocol', 'X-Url-Scheme'],
  ...['Front-End-Https', 'X-Host', 'X-Original-Host', 'X-Original-URL', 'X-Rewrite-URL', 'X-Original-Forwarded-For'],
  ...['Client-IP', 'X-Client-IP', 'True-Client-IP', 'CF-Connecting-IP', 'CF-Connecting-IPv6', 'CF-Pseudo-IPv4'],
  ...['CF-Visitor', 'Fastly-Client-IP', 'X-Cluster-Client-IP', 'X-Originating-IP', 'X-Remote-IP', 'X-Remote-Addr'],
  ...['X-ProxyUser-Ip', 'WL-Proxy-Client-IP', 'Proxy-Client-IP', 'X-Azure-ClientIP', 'X-Appengine-User-Ip'],
  ...['CloudFront-Viewer-Address', 'CloudFront-Forwarded-Proto', 'X-Vercel-Forwarded-For', 'Fly-Client-IP'],
] as const

/** What PHP calls a header. */
export const inPhp = (name: string) => `HTTP_${name.toUpperCase().replaceAll('-', '_')}`
