import type { OperationInput } from '@innkeeper/contract/agent/operations'
import { errorStatuses, type PathRule } from '@innkeeper/contract/net/edgeRules/parts'
import { nginx } from '../nginx/nginx.ts'
import type { Changes } from '../webServer/webConfig.ts'

export type Edge = OperationInput<'edge-site.ensure'>

/** Parts of the front's file: who may visit, redirects, headers, error pages. */

export const passwordFolder = `${nginx.folder}/edge-passwords`
export const passwordFile = (vhostId: number) => `${passwordFolder}/${vhostId}`
export const errorFolder = `${nginx.folder}/edge-errors`
const errorFile = (vhostId: number, status: number) => `${errorFolder}/${vhostId}-${status}.html`

/** Settings of the paths with this prefix. Each comes from the rule with the longest prefix that sets it. */
export interface Place {
  path: string
  /** Minutes in the cache; absent: as long as the website says. */
  minutes?: number
  locked: boolean
  /** Empty: all addresses. */
  allow: readonly string[]
}

export function placesOf({ rules = {} }: Edge): Place[] {
  const { paths = [], locked = false, allow = [] } = rules
  return ['/.well-known/', '/', ...paths.map(({ path }) => path)].map((path) => {
    const fitting = paths.filter((rule) => path.startsWith(rule.path)).sort((a, b) => b.path.length - a.path.length)
    const first = <T>(of: (rule: PathRule) => T | undefined | null) => fitting.map(of).find((value) => value != null)
    const minutes = path === '/.well-known/' ? 0 : first((rule) => rule.minutes)
    return {
      path,
      ...(minutes !== undefined && minutes !== null && { minutes }),
      locked: locked || fitting.some((rule) => rule.locked),
      allow: first((rule) => (rule.allow.length ? rule.allow : undefined)) ?? allow,
    }
  })
}

/**
 * Access rules of a path. The edge checks the password and does not forward it: to the website, the visitor is
 * anonymous, so the pages are cached.
 */
export function protection({ vhostId, names, rules = {} }: Edge, { locked, allow }: Place): string {
  const lines = [
    ...(rules.deny ?? []).map((network) => `deny ${network};`),
    ...allow.map((network) => `allow ${network};`),
    ...(allow.length ? ['deny all;'] : []),
    ...(locked
      ? [
          `auth_basic "${names[0]}";`,
          `auth_basic_user_file ${passwordFile(vhostId)};`,
          'set $innkeeper_authorization "";',
        ]
      : []),
  ]
  return lines.map((line) => `    ${line}\n`).join('')
}

/** Headers of answers, also of those that the edge gives itself. */
export const saying = ({ rules = {} }: Edge) =>
  (rules.headers ?? [])
    .map(
      ({ name, value }) =>
        `    proxy_hide_header ${name};\n${value ? `    add_header ${name} "${value.replaceAll('"', '\\"')}" always;\n` : ''}`,
    )
    .join('')

/** The rest of the path is copied from the request undecoded: decoded, it might contain a line break. */
export const redirects = (edge: Edge) =>
  (edge.rules?.redirects ?? [])
    .map(({ from, to, status }) => {
      if (!from.endsWith('/*'))
        return `  location = ${from} {\n${saying(edge)}    return ${status} "${to}${to.includes('?') ? '' : '$is_args$args'}";\n  }\n`
      const start = from.slice(0, -1)
      const target = to.replace(/\*$/, '')
      const rest = to.endsWith('/*') ? '$1$is_args$args' : ''
      return `  location ^~ ${start} {
${saying(edge)}    if ($request_uri ~ "^${start.replaceAll('.', '\\.')}([^?]*)") { return ${status} "${target}${rest}"; }
    return ${status} "${target}";
  }
`
    })
    .join('')

export function errorFiles({ vhostId, rules = {} }: Pick<Edge, 'vhostId' | 'rules'>): Changes {
  const html = new Map(rules.errors?.map((page) => [page.status, page.html]))
  return Object.fromEntries(errorStatuses.map((status) => [errorFile(vhostId, status), html.get(status)]))
}

export function errorPages(edge: Edge): string {
  const { vhostId, rules = {} } = edge
  if (!rules.errors?.length) return ''
  const places = rules.errors.map(
    ({ status }) => `  error_page ${status} /.innkeeper-${status}.html;
  location = /.innkeeper-${status}.html {
    internal;
    charset utf-8;
    alias ${errorFile(vhostId, status)};
    add_header Cache-Control no-store always;
${saying(edge)}  }
`,
  )
  return `  proxy_intercept_errors on;\n${places.join('')}`
}
